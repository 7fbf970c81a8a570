// SPDX-License-Identifier: GPL-2.0-only
//
// LatencyHistogram: counts of durations in fio's own bucket layout, so that it merges exactly with
// fio's json+ bins and histogram logs.
//
// Layout (fio 3.33, stat.h): 64 buckets per power of two, values below 128 ns exact, 29 groups =
// 1,856 buckets up to 2^34-1 ns = 17.18 s, relative width at most 1/64. fio puts larger values
// silently into its last bucket; we count them apart as `overflow` (they still enter count, sum,
// min and max, which are exact). Negative values count as 0.
//
// Cost: Add() is one bit scan, one predictable branch and four updates; 15 KiB a histogram.
// Threading: one writer; merge after.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ioflux {

class LatencyHistogram {
 public:
  static constexpr int kBucketBits = 6;
  static constexpr int kGroups = 29;
  static constexpr int kBuckets = kGroups << kBucketBits;  // 1,856
  /// First value that does not fit: 2^34 ns.
  static constexpr std::int64_t kLimitNs = std::int64_t{1} << 34;

  /// Bucket of a value in [0, kLimitNs).
  static constexpr int BucketOf(std::int64_t value_ns) {
    const auto value = static_cast<std::uint64_t>(value_ns);
    // Or-ing the exact range in makes its shift 0, so that both ranges take the same formula.
    const int shift =
        static_cast<int>(std::bit_width(value | ((2U << kBucketBits) - 1))) - 1 - kBucketBits;
    return (shift << kBucketBits) + static_cast<int>(value >> shift);
  }
  static constexpr std::int64_t BucketLowNs(int bucket) {
    if (bucket < (2 << kBucketBits)) return bucket;
    const int shift = (bucket >> kBucketBits) - 1;
    return (std::int64_t{1} << (shift + kBucketBits)) +
           (static_cast<std::int64_t>(bucket & ((1 << kBucketBits) - 1)) << shift);
  }
  static constexpr std::int64_t BucketHighNs(int bucket) {
    if (bucket < (2 << kBucketBits)) return bucket;
    const int shift = (bucket >> kBucketBits) - 1;
    return BucketLowNs(bucket) + (std::int64_t{1} << shift) - 1;
  }
  /// The midpoint fio prints as the key of a json+ bin.
  static constexpr std::int64_t BucketMidNs(int bucket) {
    if (bucket < (2 << kBucketBits)) return bucket;
    const int shift = (bucket >> kBucketBits) - 1;
    return BucketLowNs(bucket) + ((std::int64_t{1} << shift) / 2);
  }

  void Add(std::int64_t value_ns) {
    if (static_cast<std::uint64_t>(value_ns) >= static_cast<std::uint64_t>(kLimitNs)) [[unlikely]] {
      AddOutside(value_ns);
      return;
    }
    ++counts_[static_cast<std::size_t>(BucketOf(value_ns))];
    sum_ns_ += static_cast<std::uint64_t>(value_ns);
    min_ns_ = value_ns < min_ns_ ? value_ns : min_ns_;
    max_ns_ = value_ns > max_ns_ ? value_ns : max_ns_;
  }

  /// `count` samples known only by their bucket (a fio log or json+ bin). They enter counts and
  /// count(); min, max and sum then come from the bucket edges/midpoints and `exact()` is false.
  /// `bucket` must exist.
  void AddBucket(int bucket, std::uint64_t count);

  /// Restores a stored histogram (side file). `counts` pairs are (bucket, count), any order.
  /// kInput when a bucket does not exist or min and max contradict the counts.
  static Result<LatencyHistogram> Restore(const std::vector<std::pair<int, std::uint64_t>>& counts,
                                          std::uint64_t overflow, std::uint64_t sum_ns,
                                          std::int64_t min_ns, std::int64_t max_ns);

  void Merge(const LatencyHistogram& other);

  std::uint64_t count() const;  ///< overflow included; walks the buckets
  std::uint64_t overflow() const { return overflow_; }
  std::uint64_t sum_ns() const { return sum_ns_; }
  std::int64_t min_ns() const;  ///< 0 when empty
  std::int64_t max_ns() const;  ///< 0 when empty
  double mean_ns() const;       ///< 0 when empty
  bool exact() const { return exact_; }
  const std::array<std::uint64_t, kBuckets>& counts() const { return counts_; }

  /// The p-th percentile, 0 < p <= 100: the upper edge of the first bucket whose cumulative count
  /// reaches ceil(p/100 * count) (99.9 of 1,000 is 999: decimal percentiles mean what they say),
  /// but never above the exact max; max when it falls in the overflow.
  std::int64_t PercentileNs(double percent) const;

  /// Non-empty buckets as (bucket, count), ascending.
  std::vector<std::pair<int, std::uint64_t>> NonEmpty() const;

  bool operator==(const LatencyHistogram&) const = default;

 private:
  void AddOutside(std::int64_t value_ns);  ///< negative, or in the overflow

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t overflow_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::int64_t min_ns_ = INT64_MAX;
  std::int64_t max_ns_ = -1;
  bool exact_ = true;
};

}  // namespace ioflux
