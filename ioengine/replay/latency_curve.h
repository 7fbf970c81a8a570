// SPDX-License-Identifier: GPL-2.0-only
//
// LatencyCurve: one latency of one kind of op, as a total and per interval of the run.
//
// Samples go to the histogram of the current interval, so that a sample costs one Add(); closing an
// interval packs that histogram away and empties it.
//
// Threading: one writer at a time. Memory: 30 KiB, and what the intervals hold.
#pragma once

#include <cstdint>
#include <vector>

#include "base/latency_histogram.h"
#include "base/packed_histogram.h"

namespace ioflux {

class LatencyCurve {
 public:
  struct Point {
    std::uint32_t interval = 0;
    PackedHistogram samples;
  };

  void Add(std::int64_t value_ns) { current_.Add(value_ns); }

  /// What was added since the last call belongs to `interval`, which never falls.
  void CloseInterval(std::uint32_t interval);
  /// Doubles the width of the intervals: 2k and 2k+1 become k.
  void Coarsen();

  LatencyHistogram Total() const;
  /// Of closed intervals that have samples, ascending.
  const std::vector<Point>& points() const { return points_; }

  /// Adds what `other` has in its closed intervals; both must have the same interval width.
  void Merge(const LatencyCurve& other);

 private:
  LatencyHistogram current_;
  LatencyHistogram closed_;
  std::vector<Point> points_;
};

}  // namespace ioflux
