// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/fidelity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration_text.h"

namespace ioflux {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kDriftLimitUnknownNs = 10 * kMs;
constexpr std::int64_t kDriftLimitFloorNs = 2 * kMs;
constexpr double kDriftShare = 0.10;
constexpr double kBacklogShare = 0.05;

void MarkLow(Fidelity& fidelity, std::string category, std::string reason) {
  fidelity.low_fidelity = true;
  fidelity.low_fidelity_category = std::move(category);
  fidelity.low_fidelity_reason = std::move(reason);
}

}  // namespace

std::int64_t DriftLimitNs(std::int64_t mean_interarrival_ns) {
  if (mean_interarrival_ns <= 0) return kDriftLimitUnknownNs;
  return std::max(kDriftLimitFloorNs, static_cast<std::int64_t>(
                                          static_cast<double>(mean_interarrival_ns) * kDriftShare));
}

std::int64_t MeanInterarrivalNs(std::int64_t trace_duration_ns, std::int64_t ops,
                                const std::string& mode, double speedup) {
  if (trace_duration_ns <= 0 || ops <= 0) return 0;
  const std::int64_t mean_ns = trace_duration_ns / ops;
  if (mode != "scaled" || speedup <= 0) return mean_ns;
  return static_cast<std::int64_t>(static_cast<double>(mean_ns) / speedup);
}

void JudgeFidelity(Fidelity& fidelity, const std::string& mode, std::int64_t mean_interarrival_ns) {
  BacklogFigures& backlog = fidelity.backlog;
  const CoverageFigures& coverage = fidelity.coverage;
  backlog.fraction_ops_backlogged =
      coverage.ops_issued > 0
          ? static_cast<double>(backlog.total_events) / static_cast<double>(coverage.ops_issued)
          : 0;
  fidelity.low_fidelity = false;
  fidelity.low_fidelity_category.clear();
  fidelity.low_fidelity_reason.clear();

  const bool follows_clock = mode == "timeline" || mode == "scaled";
  const std::int64_t limit_ns = DriftLimitNs(mean_interarrival_ns);
  if (follows_clock && fidelity.schedule_drift.p99_ns > limit_ns) {
    MarkLow(fidelity, "behind_schedule",
            fmt::format("1 % of the operations were issued {} or more behind the recorded schedule "
                        "(limit {})",
                        FormatDuration(fidelity.schedule_drift.p99_ns), FormatDuration(limit_ns)));
  } else if (mode != "asap" && backlog.fraction_ops_backlogged > kBacklogShare) {
    MarkLow(fidelity, "inflight_limit",
            fmt::format("{:.1f} % of the operations had to wait for the in-flight limit, {} in all "
                        "(limit {:.0f} %)",
                        backlog.fraction_ops_backlogged * 100,
                        FormatDuration(backlog.total_blocked_ns), kBacklogShare * 100));
  } else if (coverage.ops_skipped > 0) {
    MarkLow(fidelity, "coverage_gap",
            fmt::format("{} of the {} operations in the trace were never issued",
                        coverage.ops_skipped, coverage.ops_in_trace));
  }
}

}  // namespace ioflux
