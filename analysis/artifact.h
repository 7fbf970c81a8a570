// SPDX-License-Identifier: GPL-2.0-only
//
// Which kind of document is this JSON? Ours say so in `artifact`; those of IOFlux and fio are told
// by what they hold. A reader that was handed another kind names both in its refusal.
#pragma once

#include <string>
#include <string_view>

#include "base/json_value.h"
#include "base/result.h"

namespace ioflux {

enum class ArtifactKind : std::uint8_t {
  kResult,       ///< one replay
  kTrialSet,     ///< several replays of one configuration
  kExperiment,   ///< two configurations, paired
  kCalibration,  ///< what the tool itself can do
  kComparison,   ///< two results, compared
  kSideFile,     ///< what the engine knows about one process
  kReport,       ///< what `ioflux report --json` prints
  kFioOutput,    ///< fio's own JSON
  kUnknown,
};

/// Value of the member `artifact`: "result", "trial_set" …
std::string_view ArtifactName(ArtifactKind kind);

/// For people: "the result of one replay", "fio's own JSON output" …
std::string_view ArtifactDescription(ArtifactKind kind);

/// Never fails: what is not recognised is kUnknown.
ArtifactKind RecogniseArtifact(const JsonValue& document);

/// Success when `document` is of kind `wanted`, else a kInput error that says what it is instead.
Result<void> ExpectArtifact(const JsonValue& document, ArtifactKind wanted);

}  // namespace ioflux
