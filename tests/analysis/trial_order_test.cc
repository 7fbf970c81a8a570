// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

using ::testing::HasSubstr;

const std::vector<double> kPositions{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

TrialOrder Examine(const std::vector<double>& values) {
  return ExamineOrder(values, {kPositions.begin(),
                               kPositions.begin() + static_cast<std::ptrdiff_t>(values.size())});
}

TEST(TrialOrder, OfASteadyRiseIsDrift) {
  const TrialOrder order = Examine({1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(*order.lag1_autocorrelation, 0.5);  // 8.75 / 17.5
  EXPECT_DOUBLE_EQ(*order.effective_trials, 2);        // 6 * 0.5 / 1.5
  EXPECT_EQ(order.runs, 2);
  EXPECT_DOUBLE_EQ(*order.runs_p_value, 0.2);  // twice 2 of the 20 orders of three and three
  EXPECT_EQ(order.slope_per_trial, 1);
  EXPECT_EQ(order.slope_ci95_lo, 1);
  EXPECT_EQ(order.slope_ci95_hi, 1);
  EXPECT_TRUE(order.drifts);
}

TEST(TrialOrder, OfTrialsWithoutMemoryIsNone) {
  const TrialOrder order = Examine({91.4, 89.1, 92.6, 90.2, 90.7, 88.9, 91.5, 89.9});
  EXPECT_FALSE(order.drifts && *order.lag1_autocorrelation > -0.3);
  EXPECT_LT(*order.slope_ci95_lo, 0);
  EXPECT_GT(*order.slope_ci95_hi, 0);
}

TEST(TrialOrder, SlopesCountTheTrialsThatAreLeftOut) {
  // Trial 4 failed: the rise from 3 to 5 is that of two trials.
  const TrialOrder order = ExamineOrder({1, 2, 3, 5, 6, 7}, {1, 2, 3, 5, 6, 7});
  EXPECT_EQ(order.slope_per_trial, 1);
  EXPECT_EQ(order.slope_ci95_lo, 1);
  EXPECT_EQ(order.slope_ci95_hi, 1);
}

TEST(TrialOrder, OfEqualTrialsHasNoCorrelationAndSaysSo) {
  const TrialOrder order = Examine({5, 5, 5, 5, 5, 5});
  EXPECT_FALSE(order.lag1_autocorrelation);
  EXPECT_EQ(order.not_computed.at("lag1_autocorrelation"), "all trials are equal");
  EXPECT_FALSE(order.runs);
  EXPECT_EQ(order.slope_per_trial, 0);
  EXPECT_FALSE(order.drifts);
}

TEST(TrialOrder, OfFewTrialsIsNotExamined) {
  const TrialOrder order = Examine({1, 2, 3, 4, 5});
  EXPECT_FALSE(order.lag1_autocorrelation);
  EXPECT_FALSE(order.slope_per_trial);
  EXPECT_FALSE(order.drifts);
  EXPECT_THAT(order.not_computed.at("slope_per_trial"), HasSubstr("fewer than 6"));
}

// Swed and Eisenhart: of ten and ten, six runs and fewer are the rarest 2.5 %.
TEST(Runs, ProbabilitiesAreThoseOfTheTables) {
  EXPECT_DOUBLE_EQ(RunsProbability(6, 10, 10), 2 * 3422.0 / 184756);
  EXPECT_GT(RunsProbability(7, 10, 10), 0.05);
  EXPECT_DOUBLE_EQ(RunsProbability(16, 10, 10), RunsProbability(6, 10, 10));
  EXPECT_EQ(RunsProbability(11, 10, 10), 1);
  EXPECT_EQ(RunsProbability(2, 1, 1), 1);
}

// Kendall: critical sums S of 5 % are 10, 13, 15, 18 and 23 for 5, 6, 7, 8 and 10 values.
TEST(KendallRank, IsThatOfTheTables) {
  const auto rank_of = [](std::size_t n, std::size_t sum) {
    return (n * (n - 1) / 2 - sum) / 2 + 1;
  };
  EXPECT_EQ(KendallRank(4), 0u);
  EXPECT_EQ(KendallRank(5), rank_of(5, 10));
  EXPECT_EQ(KendallRank(6), rank_of(6, 13));
  EXPECT_EQ(KendallRank(7), rank_of(7, 15));
  EXPECT_EQ(KendallRank(8), rank_of(8, 18));
  EXPECT_EQ(KendallRank(10), rank_of(10, 23));
}

TEST(KendallRank, GoesOnWhereTheExactOneEnds) {
  const auto step = KendallRank(200) - KendallRank(199);
  EXPECT_NEAR(static_cast<double>(KendallRank(201) - KendallRank(200)), static_cast<double>(step),
              3.0);
}

}  // namespace
}  // namespace ioflux
