// SPDX-License-Identifier: GPL-2.0-only
//
// Fidelity: did the replay do what the trace says, when it says so?
//
// Three things make a replay low in fidelity, the first that applies is named: it ran behind the
// recorded schedule (timeline, scaled), the in-flight limiter held back more than 5 % of the
// operations of a paced mode (in asap, where nothing is due, that is information), or operations of
// the trace were never issued. Low fidelity is a warning, not a failure. All limits are strict: a
// value on the limit is fine. Pure functions; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/latency_stats.h"

namespace ioflux {

struct BacklogFigures {
  std::int64_t total_events = 0;      ///< operations that found the limiter full
  std::int64_t total_blocked_ns = 0;  ///< their summed wait
  std::int64_t peak_inflight_depth = 0;
  double fraction_ops_backlogged = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("total_events", self.total_events);
    archive.Required("total_blocked_ns", self.total_blocked_ns);
    archive.Required("peak_inflight_depth", self.peak_inflight_depth);
    archive.Required("fraction_ops_backlogged", self.fraction_ops_backlogged);
  }
};

struct CoverageFigures {
  std::int64_t ops_in_trace = 0;  ///< what the header of the trace says
  std::int64_t ops_issued = 0;    ///< executed, failed ones and repetitions included
  std::int64_t ops_skipped = 0;   ///< operations of the trace that never ran

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("ops_in_trace", self.ops_in_trace);
    archive.Required("ops_issued", self.ops_issued);
    archive.Required("ops_skipped", self.ops_skipped);
  }
};

struct ConcurrencyCheck {
  std::int64_t max_per_stream_inflight = 0;
  std::vector<std::int64_t> violations;  ///< streams with more than one operation in flight

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("max_per_stream_inflight", self.max_per_stream_inflight);
    archive.Optional("violations", self.violations);
  }
};

struct Fidelity {
  LagStats schedule_drift;  ///< issue minus recorded time; zeros in asap
  LagStats completion_lag;  ///< completion minus recorded time; zeros in asap
  BacklogFigures backlog;
  CoverageFigures coverage;
  ConcurrencyCheck concurrency_check;
  bool low_fidelity = false;
  std::string low_fidelity_category;  ///< behind_schedule, inflight_limit or coverage_gap
  std::string low_fidelity_reason;    ///< one sentence with the numbers

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("schedule_drift", self.schedule_drift);
    archive.Required("completion_lag", self.completion_lag);
    archive.Required("backlog", self.backlog);
    archive.Required("coverage", self.coverage);
    archive.Required("concurrency_check", self.concurrency_check);
    archive.Required("low_fidelity", self.low_fidelity);
    archive.Optional("low_fidelity_category", self.low_fidelity_category);
    archive.Optional("low_fidelity_reason", self.low_fidelity_reason);
  }
};

/// Largest p99 drift that still counts as on schedule: a tenth of the mean time between operations,
/// at least 2 ms; 10 ms when that mean is unknown (<= 0).
std::int64_t DriftLimitNs(std::int64_t mean_interarrival_ns);

/// Mean time between operations of a trace, divided by `speedup` in scaled mode; 0 when unknown.
std::int64_t MeanInterarrivalNs(std::int64_t trace_duration_ns, std::int64_t ops,
                                const std::string& mode, double speedup);

/// Sets the verdict of `fidelity` from its figures; fills in fraction_ops_backlogged first.
void JudgeFidelity(Fidelity& fidelity, const std::string& mode, std::int64_t mean_interarrival_ns);

}  // namespace ioflux
