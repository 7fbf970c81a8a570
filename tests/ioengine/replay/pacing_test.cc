// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/pacing.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kStartNs = 1000 * kMs;

Schedule Started(const Pacing& pacing) {
  Schedule schedule(pacing);
  schedule.Start(kStartNs);
  return schedule;
}

TEST(ScheduleThink, TheFirstOpOfAStreamIsDueAtItsRecordedTime) {
  const Pacing pacing{.mode = PaceMode::kThink};
  EXPECT_EQ(Started(pacing).DueNs(60 * kMs), kStartNs + 60 * kMs);
}

TEST(ScheduleThink, TheGapFollowsTheLateCompletion) {
  const Pacing pacing{.mode = PaceMode::kThink};
  Schedule schedule = Started(pacing);
  // Recorded 0..1 ms, in the replay it took 20 ms.
  schedule.Done(/*recorded_ns=*/0, /*duration_ns=*/1 * kMs, kStartNs + 20 * kMs);
  EXPECT_EQ(schedule.DueNs(11 * kMs), kStartNs + 30 * kMs);
}

TEST(ScheduleThink, ANegativeGapIsNone) {
  const Pacing pacing{.mode = PaceMode::kThink};
  Schedule schedule = Started(pacing);
  schedule.Done(0, 50 * kMs, kStartNs + 2 * kMs);
  EXPECT_EQ(schedule.DueNs(10 * kMs), kStartNs + 2 * kMs);
}

TEST(ScheduleThink, AGapBehindAnUnknownDurationIsNone) {
  const Pacing pacing{.mode = PaceMode::kThink};
  Schedule schedule = Started(pacing);
  schedule.Done(0, /*duration_ns=*/-1, kStartNs + 2 * kMs);
  EXPECT_EQ(schedule.DueNs(500 * kMs), kStartNs + 2 * kMs);
}

TEST(ScheduleTimeline, LatenessDoesNotMoveWhatFollows) {
  const Pacing pacing{.mode = PaceMode::kTimeline};
  Schedule schedule = Started(pacing);
  schedule.Done(0, 1 * kMs, kStartNs + 500 * kMs);
  EXPECT_EQ(schedule.DueNs(10 * kMs), kStartNs + 10 * kMs);
}

TEST(ScheduleTimeline, ANegativeTimeLiesBeforeTheStart) {
  const Pacing pacing{.mode = PaceMode::kTimeline};
  EXPECT_EQ(Started(pacing).DueNs(-200 * kMs), kStartNs - 200 * kMs);
}

TEST(ScheduleScaled, RecordedTimesAreDividedAndCutToWholeNanoseconds) {
  const Pacing pacing{.mode = PaceMode::kScaled, .speedup = 3};
  const Schedule schedule = Started(pacing);
  EXPECT_EQ(schedule.DueNs(10), kStartNs + 3);
  EXPECT_EQ(schedule.DueNs(-10), kStartNs - 3);
  const Pacing slower{.mode = PaceMode::kScaled, .speedup = 0.5};
  EXPECT_EQ(Started(slower).DueNs(10 * kMs), kStartNs + 20 * kMs);
}

TEST(Schedule, ASpeedupActsInScaledOnly) {
  for (const PaceMode mode : {PaceMode::kThink, PaceMode::kTimeline}) {
    const Pacing pacing{.mode = mode, .speedup = 4};
    EXPECT_EQ(Started(pacing).DueNs(8 * kMs), kStartNs + 8 * kMs);
  }
}

TEST(Schedule, TimesAtTheEndsOfTheScaleStayOnTheirSide) {
  for (const PaceMode mode : {PaceMode::kTimeline, PaceMode::kScaled, PaceMode::kThink}) {
    Pacing pacing;
    pacing.mode = mode;
    pacing.speedup = 1e-9;
    Schedule schedule(pacing);
    constexpr std::int64_t kNow = 1'000'000'000'000;
    schedule.Start(kNow);
    EXPECT_LT(schedule.DueNs(INT64_MIN), kNow);
    EXPECT_GT(schedule.DueNs(INT64_MAX), kNow);
    schedule.Done(INT64_MIN, 0, kNow);
    EXPECT_GT(schedule.DueNs(INT64_MAX), kNow);
    schedule.Done(INT64_MAX - 1, INT64_MAX, kNow);
    EXPECT_GE(schedule.DueNs(INT64_MAX), kNow);
  }
}

TEST(Schedule, ALoopRepeatsOnePeriodLater) {
  const Pacing pacing{.mode = PaceMode::kScaled, .speedup = 2, .period_ns = 100 * kMs};
  Schedule schedule = Started(pacing);
  schedule.Done(90 * kMs, 1 * kMs, kStartNs + 500 * kMs);
  schedule.NextPass();
  EXPECT_EQ(schedule.DueNs(10 * kMs), kStartNs + 50 * kMs + 5 * kMs);
}

TEST(ScheduleThink, ALoopDoesNotBeginBeforeTheLastOpIsDone) {
  const Pacing pacing{.mode = PaceMode::kThink, .period_ns = 100 * kMs};
  Schedule schedule = Started(pacing);
  schedule.Done(90 * kMs, 1 * kMs, kStartNs + 500 * kMs);
  schedule.NextPass();
  EXPECT_EQ(schedule.DueNs(10 * kMs), kStartNs + 510 * kMs);
}

}  // namespace
}  // namespace ioflux
