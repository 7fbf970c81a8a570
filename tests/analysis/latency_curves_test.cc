// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/latency_curves.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

PackedHistogram Of(std::int64_t value_ns) {
  LatencyHistogram histogram;
  histogram.Add(value_ns);
  return PackedHistogram(histogram);
}

LatencyCurves Curves(std::int64_t interval_ns, std::initializer_list<std::int64_t> intervals) {
  LatencyCurves curves;
  curves.interval_ns = interval_ns;
  for (const std::int64_t interval : intervals) {
    curves.ops["READ"].service_time.push_back({interval, Of(interval + 1)});
  }
  return curves;
}

TEST(MergeCurves, IntoNothingIsTheSame) {
  LatencyCurves sum;
  MergeCurves(sum, Curves(1000, {0, 4}), 0);
  EXPECT_EQ(sum.interval_ns, 1000);
  ASSERT_EQ(sum.ops["READ"].service_time.size(), 2U);
  EXPECT_EQ(sum.ops["READ"].service_time[1].interval, 4);
}

TEST(MergeCurves, SamplesOfOneIntervalAreJoined) {
  LatencyCurves sum = Curves(1000, {0, 4});
  MergeCurves(sum, Curves(1000, {4, 5}), 0);
  const auto& points = sum.ops["READ"].service_time;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].samples.Unpack().count(), 2U);
}

TEST(MergeCurves, ADifferentWidthIsMadeEqual) {
  LatencyCurves sum = Curves(1000, {0, 1, 2, 3});
  MergeCurves(sum, Curves(4000, {1}), 0);
  EXPECT_EQ(sum.interval_ns, 4000);
  const auto& points = sum.ops["READ"].service_time;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].samples.Unpack().count(), 4U);
  EXPECT_EQ(points[1].interval, 1);
}

TEST(MergeCurves, ALaterStartShiftsByWholeIntervals) {
  LatencyCurves sum = Curves(1000, {0});
  MergeCurves(sum, Curves(1000, {0}), /*shift_ns=*/2600);
  ASSERT_EQ(sum.ops["READ"].service_time.size(), 2U);
  EXPECT_EQ(sum.ops["READ"].service_time[1].interval, 3);
}

}  // namespace
}  // namespace ioflux
