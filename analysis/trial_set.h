// SPDX-License-Identifier: GPL-2.0-only
//
// TrialSet: several replays of one configuration, as `ioflux run --trials` writes them
// (docs/results.md), and what they say together. Keys are those of IOFlux's trial set, with ours
// added; sets of IOFlux are read too.
//
// A set may be incomplete: trials are missing because one could not run, the user stopped, or the
// program is still at it. Nothing that a set says about its trials is taken from the file: the
// summary is computed again on reading, and a stored one that says otherwise is an error.
//
// Units: nanoseconds and bytes. Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_result.h"
#include "analysis/trial_summary.h"
#include "base/result.h"

namespace ioflux {

/// A run of the set that is no trial: a warm-up, or a trial that was stopped. Enters no statistics.
struct RunRecord {
  std::string generated_at;
  bool complete = false;
  std::string incomplete_reason;
  std::int64_t duration_ns = 0;
  std::int64_t ops_completed = 0;
  std::int64_t bytes_moved = 0;
  std::int64_t errors = 0;
  std::int64_t short_reads = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("generated_at", self.generated_at);
    archive.Required("complete", self.complete);
    archive.Optional("incomplete_reason", self.incomplete_reason);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("ops_completed", self.ops_completed);
    archive.Required("bytes_moved", self.bytes_moved);
    archive.Required("errors", self.errors);
    archive.Optional("short_reads", self.short_reads);
  }
};

RunRecord RecordOf(const RunResult& run);

struct TrialSet {
  std::string artifact = "trial_set";
  std::int64_t result_schema_version = kResultSchemaVersion;
  bool complete = true;  ///< every planned warm-up and trial was run to its end
  std::string incomplete_reason;
  std::string generated_at;  ///< of the latest run in it
  ToolIdentity tool;
  HostIdentity host;
  std::int64_t planned_trials = 0;
  std::int64_t planned_warmups = 0;
  std::int64_t warmup_trials = 0;  ///< warm-ups that were run
  std::vector<RunRecord> warmups;
  std::optional<RunRecord> unfinished_trial;  ///< the user stopped the set in it

  std::vector<RunResult> trials;  ///< in the order of execution, failed ones too
  TrialSummary summary;           ///< of `trials`; kept in step by whoever changes them

  FieldOrigin origin = FieldOrigin::kOwn;  ///< who wrote the file

  /// Everything before `trials`.
  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Own("artifact", self.artifact);
    archive.Required("result_schema_version", self.result_schema_version);
    archive.Own("complete", self.complete);
    archive.Optional("incomplete_reason", self.incomplete_reason);
    archive.Required("generated_at", self.generated_at);
    archive.Required("tool", self.tool);
    archive.Required("host", self.host);
    archive.Own("planned_trials", self.planned_trials);
    archive.Own("planned_warmups", self.planned_warmups);
    archive.Optional("warmup_trials", self.warmup_trials);
    archive.Optional("warmups", self.warmups);
    archive.Optional("unfinished_trial", self.unfinished_trial);
  }
};

/// Adds a finished trial and brings the summary up to date.
void AddTrial(RunResult trial, TrialSet& set);

/// The document as it is written. What all trials have in common of `settings`, `environment` and
/// `trace_identity` stands once, in `shared`; a trial holds what differs.
std::string EncodeTrialSet(const TrialSet& set);
JsonValue TrialSetToJson(const TrialSet& set);

/// kInput also for a set without trials; the error says why there are none.
Result<TrialSet> DecodeTrialSet(const JsonValue& document);

}  // namespace ioflux
