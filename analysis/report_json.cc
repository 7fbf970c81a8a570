// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/report_json.h"

#include "analysis/artifact.h"
#include "analysis/derived_values.h"
#include "analysis/plausibility.h"
#include "analysis/run_verdict.h"
#include "analysis/trial_remarks.h"

namespace ioflux {
namespace {

JsonValue OverflowsByKind(const RunResult& result) {
  JsonValue overflows = JsonValue::Object();
  for (const OpLatency& op : result.per_op_stats) {
    const std::int64_t overflow = OverflowCount(result, op.op_type);
    if (overflow > 0) overflows.Set(op.op_type, overflow);
  }
  return overflows;
}

/// The result as it was read, less the bulk of its histograms.
JsonValue WithoutHistograms(const JsonValue& whole) {
  JsonValue rest = JsonValue::Object();
  for (const std::string& key : whole.Keys()) {
    if (key != "histogram_snapshot") rest.Set(key, whole.Find(key));
  }
  return rest;
}

JsonValue SetWithoutHistograms(const TrialSet& set) {
  JsonValue document = TrialSetToJson(set);
  const JsonValue whole = document.Find("trials");
  JsonValue trials = JsonValue::Array();
  for (std::size_t i = 0; i < whole.size(); ++i) trials.Append(WithoutHistograms(whole.At(i)));
  document.Set("trials", std::move(trials));
  return document;
}

JsonValue NewReport() {
  JsonValue report = JsonValue::Object();
  report.Set("artifact", ArtifactName(ArtifactKind::kReport));
  report.Set("report_version", kReportVersion);
  return report;
}

}  // namespace

std::string RenderResultJson(const RunResult& result) {
  const std::vector<std::string> invalid_reasons = InvalidReasons(result);
  JsonValue report = NewReport();
  report.Set("valid", invalid_reasons.empty());
  report.Set("invalid_reasons", ToJson(invalid_reasons));
  report.Set("complete", result.complete);
  report.Set("low_fidelity", result.fidelity.low_fidelity);
  const bool believable = Contradictions(result).empty();
  report.Set("ops_per_sec",
             believable ? JsonValue::Real(OpsPerSecond(result.ops_completed, result.duration_ns))
                        : JsonValue());
  report.Set("gib_per_sec",
             believable ? JsonValue::Real(GibPerSecond(result.bytes_moved, result.duration_ns))
                        : JsonValue());
  report.Set("data_op", DominantDataOp(result.per_op_stats));
  report.Set("confinement", ConfinementWords(result.plan));
  report.Set("overflows", OverflowsByKind(result));
  report.Set("warnings", ToJson(Warnings(result)));
  report.Set("result", WithoutHistograms(RunResultToJson(result)));
  return report.Dump();
}

std::string RenderTrialSetJson(const TrialSet& set) {
  JsonValue report = NewReport();
  report.Set("valid", set.summary.failed_trials == 0);
  report.Set("failures", ToJson(FailedTrialWords(set)));
  report.Set("complete", set.complete);
  report.Set("remarks", ToJson(TrialRemarks(set)));
  report.Set("warnings", ToJson(TrialWarnings(set)));
  report.Set("trial_set", SetWithoutHistograms(set));
  return report.Dump();
}

}  // namespace ioflux
