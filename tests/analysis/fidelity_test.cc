// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/fidelity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

Fidelity Judge(const std::string& mode, std::int64_t mean_ns, std::int64_t drift_p99_ns) {
  Fidelity fidelity;
  fidelity.schedule_drift.p99_ns = drift_p99_ns;
  fidelity.coverage = {.ops_in_trace = 100, .ops_issued = 100, .ops_skipped = 0};
  JudgeFidelity(fidelity, mode, mean_ns);
  return fidelity;
}

bool IsBehind(const std::string& mode, std::int64_t mean_ns, std::int64_t drift_p99_ns) {
  const Fidelity fidelity = Judge(mode, mean_ns, drift_p99_ns);
  EXPECT_EQ(fidelity.low_fidelity, fidelity.low_fidelity_category == "behind_schedule");
  return fidelity.low_fidelity;
}

TEST(FidelityDrift, LimitIsTenMillisecondsWhenTheMeanIsUnknown) {
  EXPECT_FALSE(IsBehind("timeline", 0, 1 * kMs));
  EXPECT_TRUE(IsBehind("timeline", 0, 20 * kMs));
  EXPECT_FALSE(IsBehind("timeline", -1, 10 * kMs));
}

TEST(FidelityDrift, LimitIsATenthOfTheMeanButAtLeastTwoMilliseconds) {
  EXPECT_FALSE(IsBehind("timeline", 5 * kMs, 600'000));
  EXPECT_TRUE(IsBehind("timeline", 5 * kMs, 3 * kMs));
  EXPECT_TRUE(IsBehind("timeline", 10 * kMs, 2'500'000));
  EXPECT_EQ(DriftLimitNs(30 * kMs), 3 * kMs);
  EXPECT_FALSE(IsBehind("timeline", 30 * kMs, 2'500'000));
}

TEST(FidelityDrift, OnTheLimitIsFine) {
  EXPECT_FALSE(IsBehind("scaled", 30 * kMs, 3 * kMs));
  EXPECT_TRUE(IsBehind("scaled", 30 * kMs, 3 * kMs + 1));
}

TEST(FidelityDrift, DoesNotMatterWithoutASchedule) {
  EXPECT_FALSE(IsBehind("asap", 5 * kMs, 500 * kMs));
  EXPECT_FALSE(IsBehind("think", 5 * kMs, 500 * kMs));
}

TEST(FidelityBacklog, OverFivePercentIsLow) {
  Fidelity fidelity;
  fidelity.coverage = {.ops_in_trace = 100, .ops_issued = 100, .ops_skipped = 0};
  fidelity.backlog.total_events = 5;
  JudgeFidelity(fidelity, "timeline", 0);
  EXPECT_FALSE(fidelity.low_fidelity);
  EXPECT_DOUBLE_EQ(fidelity.backlog.fraction_ops_backlogged, 0.05);

  fidelity.backlog.total_events = 10;
  JudgeFidelity(fidelity, "timeline", 0);
  EXPECT_EQ(fidelity.low_fidelity_category, "inflight_limit");
  EXPECT_THAT(fidelity.low_fidelity_reason, HasSubstr("10.0 %"));
}

TEST(FidelityCoverage, AnyOperationLeftOutIsLow) {
  Fidelity fidelity;
  fidelity.coverage = {.ops_in_trace = 520, .ops_issued = 519, .ops_skipped = 1};
  JudgeFidelity(fidelity, "asap", 0);
  EXPECT_EQ(fidelity.low_fidelity_category, "coverage_gap");
  EXPECT_EQ(fidelity.low_fidelity_reason, "1 of the 520 operations in the trace were never issued");
}

TEST(Fidelity, TheFirstReasonThatAppliesIsNamed) {
  Fidelity fidelity;
  fidelity.schedule_drift.p99_ns = 50 * kMs;
  fidelity.coverage = {.ops_in_trace = 100, .ops_issued = 90, .ops_skipped = 10};
  fidelity.backlog.total_events = 50;
  JudgeFidelity(fidelity, "timeline", 0);
  EXPECT_EQ(fidelity.low_fidelity_category, "behind_schedule");
  JudgeFidelity(fidelity, "think", 0);
  EXPECT_EQ(fidelity.low_fidelity_category, "inflight_limit");
  JudgeFidelity(fidelity, "asap", 0);
  EXPECT_EQ(fidelity.low_fidelity_category, "coverage_gap");
}

// IOFlux blames the back end for the limit of the generator, in asap too (U-32).
TEST(FidelityBacklog, InAsapItIsInformationAndNoAccusation) {
  Fidelity fidelity;
  fidelity.coverage = {.ops_in_trace = 100, .ops_issued = 100, .ops_skipped = 0};
  fidelity.backlog.total_events = 90;
  JudgeFidelity(fidelity, "asap", 0);
  EXPECT_FALSE(fidelity.low_fidelity);
  EXPECT_DOUBLE_EQ(fidelity.backlog.fraction_ops_backlogged, 0.9);
}

TEST(MeanInterarrival, IsDividedByTheSpeedupInScaledModeOnly) {
  EXPECT_EQ(MeanInterarrivalNs(1'000, 100, "timeline", 4), 10);
  EXPECT_EQ(MeanInterarrivalNs(1'000, 100, "scaled", 4), 2);
  EXPECT_EQ(MeanInterarrivalNs(1'000, 0, "timeline", 1), 0);
  EXPECT_EQ(MeanInterarrivalNs(0, 100, "timeline", 1), 0);
}

}  // namespace
}  // namespace ioflux
