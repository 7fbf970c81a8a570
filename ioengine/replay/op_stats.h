// SPDX-License-Identifier: GPL-2.0-only
//
// OpStats: what a job counted, per kind of op, and the failures it kept.
//
// Threading: one job, one thread. Merge after the job has ended. Memory: 15 KiB per kind that
// occurs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/latency_histogram.h"
#include "trace_tools/format/op.h"

namespace ioflux {

struct KindStats {
  LatencyHistogram service_time;  ///< ns from the start of the op to its end
  std::uint64_t errors = 0;       ///< failed ops, wrong byte counts included
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

  /// Makes room for the kinds in `kinds` (bit per OpKind), so that the first op of a kind costs
  /// what the others do.
  explicit OpStats(std::uint32_t kinds);

  KindStats& kind(OpKind kind) { return *kinds_[static_cast<std::size_t>(kind)]; }
  /// nullptr for a kind that cannot occur.
  const KindStats* find(OpKind kind) const { return kinds_[static_cast<std::size_t>(kind)].get(); }

  void KeepFailure(const Failure& failure);
  void Merge(const OpStats& other);

  const std::vector<Failure>& failures() const { return failures_; }  ///< the first 100
  /// (kind, errno) -> count, all of them.
  const std::map<std::pair<OpKind, int>, std::uint64_t>& failure_counts() const {
    return failure_counts_;
  }

 private:
  std::array<std::unique_ptr<KindStats>, kOpKinds> kinds_;
  std::vector<Failure> failures_;
  std::map<std::pair<OpKind, int>, std::uint64_t> failure_counts_;
};

}  // namespace ioflux
