// SPDX-License-Identifier: GPL-2.0-only
//
// TrialSummary: the statistics over the valid trials of a set. Pure functions.
//
// A trial that failed (operations failed, latencies off the scale, or it did not run to its end) is
// counted and named, and enters no figure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/latency_stats.h"
#include "analysis/run_result.h"
#include "analysis/trial_order.h"
#include "analysis/trial_statistics.h"
#include "base/result.h"

namespace ioflux {

/// Latency of one kind of operation over the valid trials that have it.
struct OpTrials {
  std::string op_type;
  std::optional<OpLatency> merged;  ///< of the merged histograms: all operations of all trials
  TrialMetric p50_ns;               ///< of each trial's own percentile
  TrialMetric p99_ns;
  TrialMetric p999_ns;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("op_type", self.op_type);
    archive.Optional("merged", self.merged);
    archive.Required("p50_ns", self.p50_ns);
    archive.Required("p99_ns", self.p99_ns);
    archive.Required("p999_ns", self.p999_ns);
  }
};

/// A trial whose duration is far from that of the others.
struct OutlyingTrial {
  std::int64_t trial = 0;  ///< from 1
  bool severe = false;     ///< beyond 3 instead of 1.5 interquartile ranges

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("trial", self.trial);
    archive.Required("severe", self.severe);
  }
};

struct TrialSummary {
  std::int64_t trials = 0;
  std::int64_t valid_trials = 0;
  std::int64_t failed_trials = 0;
  TrialMetric duration_ns;                     ///< the primary one
  TrialMetric gib_per_sec;                     ///< of each trial's own rate
  std::vector<std::int64_t> failed_positions;  ///< from 1
  TrialMetric ops_per_sec;
  std::vector<OpTrials> latency;  ///< sorted by kind
  TrialOrder order;               ///< of the durations
  std::vector<OutlyingTrial> outliers;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("trials", self.trials);
    archive.Required("valid_trials", self.valid_trials);
    archive.Required("failed_trials", self.failed_trials);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("gib_per_sec", self.gib_per_sec);
    archive.Optional("failed_positions", self.failed_positions);
    archive.Own("ops_per_sec", self.ops_per_sec);
    archive.Own("latency", self.latency);
    archive.Own("order", self.order);
    archive.Optional("outliers", self.outliers);
  }
};

/// Why a trial enters no statistics; empty = it does. InvalidReasons(), and a run that is
/// incomplete.
std::vector<std::string> TrialFailures(const RunResult& trial);

TrialSummary SummariseTrialSet(const std::vector<RunResult>& trials);

/// Whether two summaries say the same about counts, durations and rates; absent is 0, as IOFlux
/// writes it. The error names the first figure that differs.
Result<void> CompareSummaries(const TrialSummary& stored, const TrialSummary& computed);

}  // namespace ioflux
