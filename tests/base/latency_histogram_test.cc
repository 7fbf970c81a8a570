// SPDX-License-Identifier: GPL-2.0-only
#include "base/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace ioflux {
namespace {

struct BinVector {
  std::int64_t value_ns;
  int bucket;
  std::int64_t low_ns, high_ns, mid_ns;
};

// What fio 3.33 itself makes of these values (plat_val_to_idx, plat_idx_to_val).
constexpr BinVector kFioBins[] = {
    {0, 0, 0, 0, 0},
    {127, 127, 127, 127, 127},
    {128, 128, 128, 129, 129},
    {129, 128, 128, 129, 129},
    {255, 191, 254, 255, 255},
    {256, 192, 256, 259, 258},
    {1000, 317, 1000, 1007, 1004},
    {4519, 454, 4480, 4543, 4512},
    {10'000, 526, 9984, 10'111, 10'048},
    {100'000, 737, 99'328, 100'351, 99'840},
    {1'000'000, 954, 999'424, 1'007'615, 1'003'520},
    {10'000'000, 1164, 9'961'472, 10'092'543, 10'027'008},
    {1'000'000'000, 1591, 998'244'352, 1'006'632'959, 1'002'438'656},
    {17'045'651'456, 1855, 17'045'651'456, 17'179'869'183, 17'112'760'320},
    {17'179'869'183, 1855, 17'045'651'456, 17'179'869'183, 17'112'760'320},
};

TEST(LatencyHistogramLayout, IsTheOneOfFio) {
  for (const BinVector& bin : kFioBins) {
    EXPECT_EQ(LatencyHistogram::BucketOf(bin.value_ns), bin.bucket) << bin.value_ns;
    EXPECT_EQ(LatencyHistogram::BucketLowNs(bin.bucket), bin.low_ns) << bin.bucket;
    EXPECT_EQ(LatencyHistogram::BucketHighNs(bin.bucket), bin.high_ns) << bin.bucket;
    EXPECT_EQ(LatencyHistogram::BucketMidNs(bin.bucket), bin.mid_ns) << bin.bucket;
  }
  EXPECT_EQ(LatencyHistogram::BucketOf(100'000'000), 1375);
  EXPECT_EQ(LatencyHistogram::BucketMidNs(1375), 100'139'008);
  EXPECT_EQ(LatencyHistogram::BucketOf(10'000'000'000), 1802);
  EXPECT_EQ(LatencyHistogram::BucketMidNs(1802), 9'999'220'736);
}

TEST(LatencyHistogramLayout, BucketsJoinWithoutGapAndHoldTheirEdgesAndMidpoint) {
  std::int64_t next = 0;
  for (int bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    ASSERT_EQ(LatencyHistogram::BucketLowNs(bucket), next);
    ASSERT_EQ(LatencyHistogram::BucketOf(LatencyHistogram::BucketLowNs(bucket)), bucket);
    ASSERT_EQ(LatencyHistogram::BucketOf(LatencyHistogram::BucketMidNs(bucket)), bucket);
    ASSERT_EQ(LatencyHistogram::BucketOf(LatencyHistogram::BucketHighNs(bucket)), bucket);
    next = LatencyHistogram::BucketHighNs(bucket) + 1;
  }
  EXPECT_EQ(next, LatencyHistogram::kLimitNs);
}

TEST(LatencyHistogram, EmptyOneIsAllZeros) {
  const LatencyHistogram histogram;

  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.min_ns(), 0);
  EXPECT_EQ(histogram.max_ns(), 0);
  EXPECT_EQ(histogram.mean_ns(), 0);
  EXPECT_EQ(histogram.PercentileNs(50), 0);
  EXPECT_TRUE(histogram.NonEmpty().empty());
}

TEST(LatencyHistogram, KeepsSumMinimumAndMaximumExactly) {
  LatencyHistogram histogram;
  histogram.Add(1'000'001);
  histogram.Add(3);
  histogram.Add(999'999);

  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.sum_ns(), 2'000'003U);
  EXPECT_EQ(histogram.min_ns(), 3);
  EXPECT_EQ(histogram.max_ns(), 1'000'001);
  EXPECT_TRUE(histogram.exact());
}

TEST(LatencyHistogram, ValuesFromTwoToThe34UpAreCountedAsOverflow) {
  LatencyHistogram histogram;
  histogram.Add(LatencyHistogram::kLimitNs - 1);
  histogram.Add(LatencyHistogram::kLimitNs);
  histogram.Add(INT64_C(60'000'000'000));

  EXPECT_EQ(histogram.overflow(), 2U);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.max_ns(), 60'000'000'000);
  EXPECT_EQ(histogram.sum_ns(), 2 * (std::uint64_t{1} << 34) - 1 + 60'000'000'000);
  EXPECT_EQ(histogram.PercentileNs(100), 60'000'000'000);
  EXPECT_EQ(histogram.PercentileNs(30), LatencyHistogram::kLimitNs - 1);
}

TEST(LatencyHistogram, NegativeValueCountsAsZero) {
  LatencyHistogram histogram;
  histogram.Add(-5);

  EXPECT_EQ(histogram.counts()[0], 1U);
  EXPECT_EQ(histogram.min_ns(), 0);
  EXPECT_EQ(histogram.sum_ns(), 0U);
}

TEST(LatencyHistogramPercentile, TakesTheRankTheTextSays) {
  LatencyHistogram histogram;
  for (int i = 0; i < 999; ++i) histogram.Add(10);
  histogram.Add(20);

  EXPECT_EQ(histogram.PercentileNs(99.9), 10);
  EXPECT_EQ(histogram.PercentileNs(99.91), 20);
  EXPECT_EQ(histogram.PercentileNs(100), 20);
  EXPECT_EQ(histogram.PercentileNs(0.0001), 10);
}

TEST(LatencyHistogramPercentile, IsTheUpperEdgeButNeverAboveTheMaximum) {
  LatencyHistogram histogram;
  histogram.Add(1000);  // bucket 1000..1007
  histogram.Add(100'000);

  EXPECT_EQ(histogram.PercentileNs(50), 1007);
  EXPECT_EQ(histogram.PercentileNs(99), 100'000);
}

TEST(LatencyHistogram, BucketSamplesMakeItInexact) {
  LatencyHistogram histogram;
  histogram.AddBucket(317, 2);
  histogram.AddBucket(5, 0);

  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.sum_ns(), 2008U);
  EXPECT_EQ(histogram.min_ns(), 1000);
  EXPECT_EQ(histogram.max_ns(), 1007);
  EXPECT_FALSE(histogram.exact());
}

LatencyHistogram RandomHistogram(std::mt19937_64& random) {
  LatencyHistogram histogram;
  const int samples = static_cast<int>(random() % 200);
  for (int i = 0; i < samples; ++i) {
    histogram.Add(static_cast<std::int64_t>(random() >> (random() % 64)) >> 1);
  }
  if (random() % 4 == 0) {
    histogram.AddBucket(static_cast<int>(random() % LatencyHistogram::kBuckets), 3);
  }
  return histogram;
}

LatencyHistogram Merged(LatencyHistogram a, const LatencyHistogram& b) {
  a.Merge(b);
  return a;
}

TEST(LatencyHistogramMerge, IsAssociativeAndCommutativeWithTheEmptyOneNeutral) {
  std::mt19937_64 random(20240607);
  for (int round = 0; round < 200; ++round) {
    const LatencyHistogram a = RandomHistogram(random);
    const LatencyHistogram b = RandomHistogram(random);
    const LatencyHistogram c = RandomHistogram(random);

    ASSERT_EQ(Merged(Merged(a, b), c), Merged(a, Merged(b, c)));
    ASSERT_EQ(Merged(a, b), Merged(b, a));
    ASSERT_EQ(Merged(a, LatencyHistogram()), a);
  }
}

TEST(LatencyHistogramMerge, EqualsAddingEverythingToOne) {
  std::mt19937_64 random(7);
  LatencyHistogram all, odd, even;
  for (int i = 0; i < 5000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 60)) >> 1;
    all.Add(value);
    (i % 2 == 0 ? even : odd).Add(value);
  }

  EXPECT_EQ(Merged(odd, even), all);
}

TEST(LatencyHistogramPercentile, IsWithinOneBucketOfTheSortedSamples) {
  std::mt19937_64 random(11);
  std::vector<std::int64_t> samples;
  LatencyHistogram histogram;
  for (int i = 0; i < 1000; ++i) {
    samples.push_back(static_cast<std::int64_t>(random() % 5'000'000));
    histogram.Add(samples.back());
  }
  std::sort(samples.begin(), samples.end());

  for (const int permille : {1, 10, 250, 500, 900, 990, 999, 1000}) {
    const std::int64_t exact = samples[static_cast<std::size_t>(permille) - 1];
    const std::int64_t read = histogram.PercentileNs(permille / 10.0);
    EXPECT_GE(read, exact) << permille;
    EXPECT_EQ(LatencyHistogram::BucketOf(read), LatencyHistogram::BucketOf(exact)) << permille;
  }
}

TEST(LatencyHistogramRestore, GivesBackWhatWasStored) {
  LatencyHistogram original;
  for (const std::int64_t value : {5, 5, 4519, 1'000'000}) original.Add(value);
  original.Add(LatencyHistogram::kLimitNs);

  const Result<LatencyHistogram> restored =
      LatencyHistogram::Restore(original.NonEmpty(), original.overflow(), original.sum_ns(),
                                original.min_ns(), original.max_ns());

  ASSERT_TRUE(restored);
  EXPECT_EQ(restored.value(), original);
  EXPECT_EQ(LatencyHistogram::Restore({}, 0, 0, 0, 0).value(), LatencyHistogram());
}

TEST(LatencyHistogramRestore, RefusesWhatNoHistogramCanHold) {
  EXPECT_FALSE(LatencyHistogram::Restore({{1856, 1}}, 0, 5, 5, 5));
  EXPECT_FALSE(LatencyHistogram::Restore({{-1, 1}}, 0, 5, 5, 5));
  EXPECT_FALSE(LatencyHistogram::Restore({{5, 1}}, 0, 5, 6, 5));
  EXPECT_FALSE(LatencyHistogram::Restore({{5, 1}}, 1, 5, 5, 5));
}

}  // namespace
}  // namespace ioflux
