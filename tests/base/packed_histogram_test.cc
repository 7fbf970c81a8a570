// SPDX-License-Identifier: GPL-2.0-only
#include "base/packed_histogram.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

LatencyHistogram Sample(std::int64_t first_ns, std::int64_t step_ns, int count) {
  LatencyHistogram histogram;
  for (int i = 0; i < count; ++i) histogram.Add(first_ns + i * step_ns);
  return histogram;
}

TEST(PackedHistogram, UnpacksToWhatWasPacked) {
  for (const LatencyHistogram& histogram :
       {LatencyHistogram(), Sample(0, 1, 1), Sample(17, 1'000'003, 1000),
        Sample(LatencyHistogram::kLimitNs - 1, 1, 3), Sample(-5, 1, 2)}) {
    EXPECT_EQ(PackedHistogram(histogram).Unpack(), histogram);
  }
}

TEST(PackedHistogram, KeepsCountsOfAnySize) {
  const LatencyHistogram histogram =
      LatencyHistogram::Restore({{3, 1}, {200, UINT64_MAX >> 1}}, 0, 5, 3, 700).value();
  EXPECT_EQ(PackedHistogram(histogram).Unpack(), histogram);
}

TEST(PackedHistogram, MergesLikeTheHistogramsThemselves) {
  const LatencyHistogram a = Sample(100, 333, 500);
  const LatencyHistogram b = Sample(90, 77'777, 500);
  PackedHistogram packed(a);
  packed.Merge(PackedHistogram(b));
  LatencyHistogram sum = a;
  sum.Merge(b);
  EXPECT_EQ(packed.Unpack(), sum);
}

TEST(PackedHistogram, OneOfNothingIsEmpty) {
  EXPECT_TRUE(PackedHistogram().empty());
  EXPECT_TRUE(PackedHistogram(LatencyHistogram()).empty());
  EXPECT_FALSE(PackedHistogram(Sample(1, 1, 1)).empty());
}

}  // namespace
}  // namespace ioflux
