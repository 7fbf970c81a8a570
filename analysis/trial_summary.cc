// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/derived_values.h"
#include "analysis/run_verdict.h"

namespace ioflux {
namespace {

/// Stored figures come from other compilers and other orders of addition.
constexpr double kRounding = 1e-9;

const OpLatency* FindOp(const RunResult& trial, const std::string& kind) {
  for (const OpLatency& op : trial.per_op_stats) {
    if (op.op_type == kind) return &op;
  }
  return nullptr;
}

using Trials = std::vector<const RunResult*>;

std::optional<OpLatency> MergedLatency(const Trials& trials, const std::string& kind) {
  LatencyHistogram merged;
  std::int64_t ops = 0;
  for (const RunResult* trial : trials) {
    const OpLatency* op = FindOp(*trial, kind);
    if (op == nullptr) continue;
    const auto found = trial->histogram_snapshot.histograms.find(kind);
    if (found == trial->histogram_snapshot.histograms.end()) return std::nullopt;
    merged.Merge(found->second);
    ops += op->count;
  }
  return SummariseLatency(kind, ops, merged);
}

OpTrials SummariseOp(const Trials& trials, const std::string& kind) {
  const auto metric = [&](std::int64_t OpLatency::*percentile) {
    std::vector<double> values;
    for (const RunResult* trial : trials) {
      if (const OpLatency* op = FindOp(*trial, kind))
        values.push_back(static_cast<double>(op->*percentile));
    }
    return SummariseTrials(std::move(values));
  };
  return OpTrials{.op_type = kind,
                  .merged = MergedLatency(trials, kind),
                  .p50_ns = metric(&OpLatency::p50_ns),
                  .p99_ns = metric(&OpLatency::p99_ns),
                  .p999_ns = metric(&OpLatency::p999_ns)};
}

std::vector<OpTrials> SummariseOps(const Trials& trials) {
  std::set<std::string> kinds;
  for (const RunResult* trial : trials) {
    for (const OpLatency& op : trial->per_op_stats) kinds.insert(op.op_type);
  }
  std::vector<OpTrials> ops;
  for (const std::string& kind : kinds) ops.push_back(SummariseOp(trials, kind));
  return ops;
}

Error Differs(const std::string& key, double stored, double computed) {
  return Error{.kind = ErrorKind::kInput,
               .what = fmt::format("the summary does not follow from the trials: it says {}, they "
                                   "say {}",
                                   stored, computed),
               .where = {.path = {}, .line = 0, .item = "summary." + key},
               .mend = "take the file as ioflux wrote it"};
}

Result<void> CompareFigure(const std::string& key, double stored, double computed) {
  const double scale = std::max(std::fabs(stored), std::fabs(computed));
  if (std::fabs(stored - computed) <= kRounding * scale) return {};
  return Differs(key, stored, computed);
}

Result<void> CompareMetrics(const std::string& key, const TrialMetric& stored,
                            const TrialMetric& computed) {
  IOFLUX_RETURN_IF_ERROR(
      CompareFigure(key + ".n", static_cast<double>(stored.n), static_cast<double>(computed.n)));
  struct Figure {
    const char* key;
    std::optional<double> TrialMetric::*value;
  };
  for (const Figure& figure : {Figure{"median", &TrialMetric::median},
                               {"mean", &TrialMetric::mean},
                               {"stddev", &TrialMetric::stddev},
                               {"cv_percent", &TrialMetric::cv_percent},
                               {"min", &TrialMetric::min},
                               {"max", &TrialMetric::max},
                               {"ci95_lo", &TrialMetric::ci95_lo},
                               {"ci95_hi", &TrialMetric::ci95_hi}}) {
    IOFLUX_RETURN_IF_ERROR(CompareFigure(key + "." + figure.key, (stored.*figure.value).value_or(0),
                                         (computed.*figure.value).value_or(0)));
  }
  return CompareFigure(key + ".ci95_available", stored.ci95_available ? 1 : 0,
                       computed.ci95_available ? 1 : 0);
}

}  // namespace

std::vector<std::string> TrialFailures(const RunResult& trial) {
  std::vector<std::string> reasons = InvalidReasons(trial);
  if (!trial.complete) reasons.push_back("incomplete: " + trial.incomplete_reason);
  return reasons;
}

TrialSummary SummariseTrialSet(const std::vector<RunResult>& trials) {
  TrialSummary summary;
  summary.trials = static_cast<std::int64_t>(trials.size());
  Trials valid;
  std::vector<double> positions;
  std::vector<double> durations;
  std::vector<double> byte_rates;
  std::vector<double> op_rates;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const RunResult& trial = trials[i];
    if (!TrialFailures(trial).empty()) {
      summary.failed_positions.push_back(static_cast<std::int64_t>(i + 1));
      continue;
    }
    valid.push_back(&trial);
    positions.push_back(static_cast<double>(i + 1));
    durations.push_back(static_cast<double>(trial.duration_ns));
    byte_rates.push_back(GibPerSecond(trial.bytes_moved, trial.duration_ns));
    op_rates.push_back(OpsPerSecond(trial.ops_completed, trial.duration_ns));
  }
  summary.valid_trials = static_cast<std::int64_t>(valid.size());
  summary.failed_trials = summary.trials - summary.valid_trials;
  summary.duration_ns = SummariseTrials(durations);
  summary.gib_per_sec = SummariseTrials(std::move(byte_rates));
  summary.ops_per_sec = SummariseTrials(std::move(op_rates));
  summary.latency = SummariseOps(valid);
  summary.order = ExamineOrder(durations, positions);
  for (const Outlier& outlier : FindOutliers(durations)) {
    summary.outliers.push_back(
        {.trial = static_cast<std::int64_t>(positions[outlier.index]), .severe = outlier.severe});
  }
  return summary;
}

Result<void> CompareSummaries(const TrialSummary& stored, const TrialSummary& computed) {
  struct Count {
    const char* key;
    std::int64_t TrialSummary::*value;
  };
  for (const Count& count : {Count{"trials", &TrialSummary::trials},
                             {"valid_trials", &TrialSummary::valid_trials},
                             {"failed_trials", &TrialSummary::failed_trials}}) {
    IOFLUX_RETURN_IF_ERROR(CompareFigure(count.key, static_cast<double>(stored.*count.value),
                                         static_cast<double>(computed.*count.value)));
  }
  IOFLUX_RETURN_IF_ERROR(CompareMetrics("duration_ns", stored.duration_ns, computed.duration_ns));
  return CompareMetrics("gib_per_sec", stored.gib_per_sec, computed.gib_per_sec);
}

}  // namespace ioflux
