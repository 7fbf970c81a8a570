// SPDX-License-Identifier: GPL-2.0-only
//
// OpStats: what was counted per kind of op, and the failures that were kept.
//
// Three latencies of an op are kept apart: service time (start to end), and in a paced mode lag
// (due to start) and response time (due to end), each as a total and as a curve over intervals of
// the run. Interval 0 begins at the start of the run; the width doubles when a run is so long that
// there would be more than kMaxIntervals.
//
// Threading: one writer at a time (StatsShard has the lock). Merge after the jobs have ended.
// Memory: 30 KiB per kind that occurs and latency, and the curves.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ioengine/replay/latency_curve.h"
#include "trace_tools/format/op.h"

namespace ioflux {

/// On cache lines of its own: it is written at every operation.
struct alignas(64) KindStats {
  LatencyCurve service_time;
  std::unique_ptr<LatencyCurve> lag;            ///< paced modes only
  std::unique_ptr<LatencyCurve> response_time;  ///< paced modes only
  std::uint64_t errors = 0;                     ///< failed ops, wrong byte counts included
  std::uint64_t short_reads =
      0;  ///< reads whose count differed from the source's without a hard error
  std::uint64_t moved_bytes = 0;
  std::uint64_t requested_bytes = 0;
};

/// One op that failed.
struct Failure {
  std::int64_t start_ns = 0;
  std::int64_t op_id = 0;
  std::int64_t stream = 0;
  OpKind kind = OpKind::kUnknown;
  std::uint32_t target = 0;
  std::int64_t offset = 0;
  std::int64_t length_bytes = 0;
  std::int64_t moved_bytes = 0;
  std::int64_t expected_bytes = 0;
  int error = 0;  ///< errno; 0 = only the byte count was wrong
};

class OpStats {
 public:
  static constexpr std::size_t kKeptFailures = 100;
  static constexpr std::uint32_t kMaxIntervals = 4096;

  /// Makes room for the kinds in `kinds` (bit per OpKind), so that the first op of a kind costs
  /// what the others do.
  OpStats(std::uint32_t kinds, bool paced);

  /// Curves count from `start_ns`, in steps of `interval_ns` (0 = no curves). The first call
  /// stands.
  void StartCurves(std::int64_t start_ns, std::int64_t interval_ns);

  /// Before the samples of an op that ended at `end_ns` are added.
  void Reach(std::int64_t end_ns) {
    if (end_ns >= interval_end_ns_) [[unlikely]]
      NextInterval(end_ns);
  }

  KindStats& kind(OpKind kind) { return *kinds_[static_cast<std::size_t>(kind)]; }
  /// nullptr for a kind that cannot occur.
  const KindStats* find(OpKind kind) const { return kinds_[static_cast<std::size_t>(kind)].get(); }

  void KeepFailure(const Failure& failure);
  /// Closes the current intervals of `other` first.
  void Merge(OpStats& other);

  const std::vector<Failure>& failures() const { return failures_; }  ///< the first 100
  /// (kind, errno) -> count, all of them.
  const std::map<std::pair<OpKind, int>, std::uint64_t>& failure_counts() const {
    return failure_counts_;
  }
  std::int64_t interval_ns() const { return interval_ns_; }  ///< 0 = no curves

 private:
  void NextInterval(std::int64_t end_ns);
  void CloseIntervals();
  void Coarsen();
  template <typename Function>
  void ForEachCurve(Function function);

  std::array<std::unique_ptr<KindStats>, kOpKinds> kinds_;
  std::vector<Failure> failures_;
  std::map<std::pair<OpKind, int>, std::uint64_t> failure_counts_;
  bool paced_ = false;
  std::int64_t start_ns_ = 0;
  std::int64_t interval_ns_ = 0;
  std::uint32_t interval_ = 0;
  std::int64_t interval_end_ns_ = INT64_MAX;
};

/// The statistics of some of the jobs: they share, so that thousands of streams do not need
/// histograms each. A shard of a single job is written without the lock.
struct alignas(64) StatsShard {
  StatsShard(std::uint32_t kinds, bool paced) : stats(kinds, paced) {}

  std::mutex mutex;
  OpStats stats;
  std::uint32_t jobs = 0;
};

}  // namespace ioflux
