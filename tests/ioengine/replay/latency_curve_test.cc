// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/latency_curve.h"

#include <gtest/gtest.h>

#include "ioengine/replay/op_stats.h"

namespace ioflux {
namespace {

TEST(LatencyCurve, IntervalsSumToTheTotal) {
  LatencyCurve curve;
  curve.Add(10);
  curve.CloseInterval(0);
  curve.CloseInterval(1);  // nothing happened
  curve.Add(20);
  curve.Add(30);
  curve.CloseInterval(7);
  curve.Add(40);  // not closed yet

  ASSERT_EQ(curve.points().size(), 2U);
  EXPECT_EQ(curve.points()[0].interval, 0U);
  EXPECT_EQ(curve.points()[1].interval, 7U);
  EXPECT_EQ(curve.points()[1].samples.Unpack().sum_ns(), 50U);
  EXPECT_EQ(curve.Total().sum_ns(), 100U);
  EXPECT_EQ(curve.Total().count(), 4U);
}

TEST(LatencyCurve, CoarseningJoinsNeighboursAndLosesNothing) {
  LatencyCurve curve;
  for (std::uint32_t i = 0; i < 6; ++i) {
    curve.Add(i);
    curve.CloseInterval(i);
  }
  curve.Coarsen();
  ASSERT_EQ(curve.points().size(), 3U);
  EXPECT_EQ(curve.points()[2].interval, 2U);
  EXPECT_EQ(curve.points()[2].samples.Unpack().sum_ns(), 9U);
  EXPECT_EQ(curve.Total().count(), 6U);
}

TEST(OpStats, AVeryLongRunGetsWiderIntervalsInsteadOfMore) {
  OpStats stats(1U << static_cast<unsigned>(OpKind::kREAD), /*paced=*/false);
  stats.StartCurves(/*start_ns=*/1000, /*interval_ns=*/10);
  constexpr std::int64_t kOps = 20'000;
  for (std::int64_t i = 0; i < kOps; ++i) {
    stats.Reach(1000 + 10 * i);
    stats.kind(OpKind::kREAD).service_time.Add(i);
  }
  OpStats sum(0, false);
  sum.Merge(stats);

  EXPECT_EQ(sum.interval_ns(), 80);
  const KindStats& reads = *sum.find(OpKind::kREAD);
  EXPECT_LE(reads.service_time.points().size(), OpStats::kMaxIntervals);
  std::uint64_t samples = 0;
  for (const LatencyCurve::Point& point : reads.service_time.points()) {
    samples += point.samples.Unpack().count();
  }
  EXPECT_EQ(samples, static_cast<std::uint64_t>(kOps));
}

TEST(OpStats, ShardsOfDifferentWidthsMergeToTheWider) {
  const std::uint32_t kinds = 1U << static_cast<unsigned>(OpKind::kREAD);
  OpStats brief(kinds, false);
  OpStats lasting(kinds, false);
  for (OpStats* stats : {&brief, &lasting}) stats->StartCurves(0, 10);
  brief.Reach(15);
  brief.kind(OpKind::kREAD).service_time.Add(1);
  lasting.Reach(10 * OpStats::kMaxIntervals);
  lasting.kind(OpKind::kREAD).service_time.Add(2);
  OpStats sum(0, false);
  sum.Merge(brief);
  sum.Merge(lasting);

  EXPECT_EQ(sum.interval_ns(), 20);
  const auto& points = sum.find(OpKind::kREAD)->service_time.points();
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].interval, 0U);
  EXPECT_EQ(points[1].interval, OpStats::kMaxIntervals / 2);
}

}  // namespace
}  // namespace ioflux
