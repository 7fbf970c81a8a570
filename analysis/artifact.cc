// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/artifact.h"

#include <array>

namespace ioflux {
namespace {

struct KindWords {
  ArtifactKind kind;
  std::string_view name;
  std::string_view description;
};

constexpr std::array kKinds{
    KindWords{ArtifactKind::kResult, "result", "the result of one replay"},
    KindWords{ArtifactKind::kTrialSet, "trial_set", "a set of trials"},
    KindWords{ArtifactKind::kExperiment, "experiment", "a paired experiment"},
    KindWords{ArtifactKind::kCalibration, "calibration", "a calibration"},
    KindWords{ArtifactKind::kComparison, "comparison", "a comparison of results"},
    KindWords{ArtifactKind::kSideFile, "ioflux-side-file", "a side file of the engine"},
    KindWords{ArtifactKind::kReport, "report", "a report"},
    KindWords{ArtifactKind::kFioOutput, "", "fio's own JSON output"},
    KindWords{ArtifactKind::kUnknown, "", "no document of ioflux"},
};

const KindWords& WordsOf(ArtifactKind kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return words;
  }
  return kKinds.back();
}

/// Documents of IOFlux carry no `artifact`; these are the marks its own reader goes by.
ArtifactKind RecogniseByContent(const JsonValue& document) {
  if (document.Has("fio version")) return ArtifactKind::kFioOutput;
  if (document.Has("baseline") && document.Has("treatment")) return ArtifactKind::kExperiment;
  if (document.Has("calibration_schema_version")) return ArtifactKind::kCalibration;
  if (document.Find("trials").is_array()) return ArtifactKind::kTrialSet;
  if (document.Has("result_schema_version")) return ArtifactKind::kResult;
  return ArtifactKind::kUnknown;
}

}  // namespace

std::string_view ArtifactName(ArtifactKind kind) { return WordsOf(kind).name; }
std::string_view ArtifactDescription(ArtifactKind kind) { return WordsOf(kind).description; }

ArtifactKind RecogniseArtifact(const JsonValue& document) {
  if (!document.is_object()) return ArtifactKind::kUnknown;
  if (!document.Has("artifact")) return RecogniseByContent(document);
  const Result<std::string> name = document.GetString("artifact");
  if (!name || name.value().empty()) return ArtifactKind::kUnknown;
  for (const KindWords& words : kKinds) {
    if (words.name == name.value()) return words.kind;
  }
  return ArtifactKind::kUnknown;
}

Result<void> ExpectArtifact(const JsonValue& document, ArtifactKind wanted) {
  const ArtifactKind found = RecogniseArtifact(document);
  if (found == wanted) return {};
  std::string what = "this is " + std::string(ArtifactDescription(found));
  if (found == ArtifactKind::kUnknown && document.Has("artifact")) {
    const Result<std::string> name = document.GetString("artifact");
    what += " (`artifact` is " + (name ? "\"" + name.value() + "\"" : "not a string") + ")";
  }
  return document.ErrorHere(what + ", not " + std::string(ArtifactDescription(wanted)));
}

}  // namespace ioflux
