// SPDX-License-Identifier: GPL-2.0-only
#include "base/latency_histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

namespace ioflux {

void LatencyHistogram::AddOutside(std::int64_t value_ns) {
  if (value_ns < 0) {
    Add(0);  // a clock that went back
    return;
  }
  ++overflow_;
  sum_ns_ += static_cast<std::uint64_t>(value_ns);
  min_ns_ = std::min(min_ns_, value_ns);
  max_ns_ = std::max(max_ns_, value_ns);
}

void LatencyHistogram::AddBucket(int bucket, std::uint64_t count) {
  assert(bucket >= 0 && bucket < kBuckets);
  if (count == 0) return;
  counts_[static_cast<std::size_t>(bucket)] += count;
  sum_ns_ += static_cast<std::uint64_t>(BucketMidNs(bucket)) * count;
  min_ns_ = std::min(min_ns_, BucketLowNs(bucket));
  max_ns_ = std::max(max_ns_, BucketHighNs(bucket));
  exact_ = false;
}

Result<LatencyHistogram> LatencyHistogram::Restore(
    const std::vector<std::pair<int, std::uint64_t>>& counts, std::uint64_t overflow,
    std::uint64_t sum_ns, std::int64_t min_ns, std::int64_t max_ns) {
  LatencyHistogram histogram;
  std::uint64_t in_buckets = 0;
  for (const auto& [bucket, count] : counts) {
    if (bucket < 0 || bucket >= kBuckets) {
      return Error{.kind = ErrorKind::kInput,
                   .what = "histogram bucket " + std::to_string(bucket) + " does not exist (0 to " +
                           std::to_string(kBuckets - 1) + ")",
                   .where = {},
                   .mend = ""};
    }
    histogram.counts_[static_cast<std::size_t>(bucket)] += count;
    in_buckets += count;
  }
  histogram.overflow_ = overflow;
  histogram.sum_ns_ = sum_ns;
  if (in_buckets + overflow == 0) return histogram;
  if (min_ns < 0 || min_ns > max_ns || (overflow != 0) != (max_ns >= kLimitNs)) {
    return Error{.kind = ErrorKind::kInput,
                 .what = "histogram minimum " + std::to_string(min_ns) + " and maximum " +
                         std::to_string(max_ns) + " contradict its counts",
                 .where = {},
                 .mend = ""};
  }
  histogram.min_ns_ = min_ns;
  histogram.max_ns_ = max_ns;
  return histogram;
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  overflow_ += other.overflow_;
  sum_ns_ += other.sum_ns_;
  min_ns_ = std::min(min_ns_, other.min_ns_);
  max_ns_ = std::max(max_ns_, other.max_ns_);
  exact_ = exact_ && other.exact_;
}

std::uint64_t LatencyHistogram::count() const {
  std::uint64_t total = overflow_;
  for (const std::uint64_t in_bucket : counts_) total += in_bucket;
  return total;
}

std::int64_t LatencyHistogram::min_ns() const { return max_ns_ < 0 ? 0 : min_ns_; }

std::int64_t LatencyHistogram::max_ns() const { return std::max<std::int64_t>(max_ns_, 0); }

double LatencyHistogram::mean_ns() const {
  const std::uint64_t samples = count();
  return samples == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(samples);
}

std::int64_t LatencyHistogram::PercentileNs(double percent) const {
  const std::uint64_t samples = count();
  if (samples == 0) return 0;
  // 99.9 is not a binary fraction: without the slack the rank of 99.9 % in 1,000 would be 1,000.
  const long double share = static_cast<long double>(percent) / 100 * samples;
  const long double rank = std::ceil(share - share * 1e-12L);
  const auto wanted =
      static_cast<std::uint64_t>(std::clamp(rank, 1.0L, static_cast<long double>(samples)));
  std::uint64_t cumulative = 0;
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    cumulative += counts_[static_cast<std::size_t>(bucket)];
    if (cumulative >= wanted) return std::min(BucketHighNs(bucket), max_ns());
  }
  return max_ns();
}

std::vector<std::pair<int, std::uint64_t>> LatencyHistogram::NonEmpty() const {
  std::vector<std::pair<int, std::uint64_t>> pairs;
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const std::uint64_t in_bucket = counts_[static_cast<std::size_t>(bucket)];
    if (in_bucket != 0) pairs.emplace_back(bucket, in_bucket);
  }
  return pairs;
}

}  // namespace ioflux
