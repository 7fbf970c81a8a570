// SPDX-License-Identifier: GPL-2.0-only
//
// PackedHistogram: a LatencyHistogram in a few dozen bytes, for keeping thousands of them (one per
// interval of a run). Only non-empty buckets are kept, as variable-length numbers; count, sum, min,
// max and overflow stay exact.
//
// Threading: a value, no shared state.
#pragma once

#include <cstdint>
#include <string>

#include "base/latency_histogram.h"

namespace ioflux {

class PackedHistogram {
 public:
  PackedHistogram() = default;
  explicit PackedHistogram(const LatencyHistogram& histogram);

  LatencyHistogram Unpack() const;
  void Merge(const PackedHistogram& other);
  bool empty() const { return bytes_.empty() && overflow_ == 0; }

 private:
  std::string bytes_;  // pairs: distance to the bucket before, count
  std::uint64_t overflow_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::int64_t min_ns_ = 0;
  std::int64_t max_ns_ = 0;
};

}  // namespace ioflux
