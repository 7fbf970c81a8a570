// SPDX-License-Identifier: GPL-2.0-only
//
// Statistics over trials against figures that were computed elsewhere.
#include "analysis/trial_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace ioflux {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<double> OneTo(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST(TrialMetric, OfFiveTrialsHasEverythingButAnInterval) {
  const TrialMetric metric = SummariseTrials({50, 10, 40, 20, 30});
  EXPECT_EQ(metric.n, 5);
  EXPECT_EQ(metric.median, 30);
  EXPECT_EQ(metric.mean, 30);
  EXPECT_DOUBLE_EQ(*metric.stddev, 15.811388300841896);
  EXPECT_DOUBLE_EQ(*metric.cv_percent, 52.70462766947299);
  EXPECT_EQ(metric.min, 10);
  EXPECT_EQ(metric.max, 50);
  EXPECT_EQ(metric.mad, 10);
  EXPECT_FALSE(metric.ci95_available);
  EXPECT_FALSE(metric.ci95_lo);
  EXPECT_FALSE(metric.ci95_hi);
  EXPECT_THAT(metric.not_computed.at("ci95"), HasSubstr("needs 6 valid trials, there are 5"));
}

TEST(TrialMetric, TheMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle) {
  const TrialMetric metric = SummariseTrials({40, 10, 30, 20});
  EXPECT_EQ(metric.median, 25);
  EXPECT_DOUBLE_EQ(*metric.stddev, 12.909944487358056);
}

TEST(TrialMetric, OneTrialHasNoSpreadAndSaysSo) {
  const TrialMetric metric = SummariseTrials({42});
  EXPECT_EQ(metric.median, 42);
  EXPECT_EQ(metric.mean, 42);
  EXPECT_FALSE(metric.stddev);
  EXPECT_FALSE(metric.cv_percent);
  EXPECT_THAT(metric.not_computed.at("stddev"), HasSubstr("one trial"));
  EXPECT_THAT(metric.not_computed.at("cv_percent"), HasSubstr("one trial"));
}

TEST(TrialMetric, AZeroMeanHasNoCvAndSaysSo) {
  const TrialMetric metric = SummariseTrials({-1, 1});
  EXPECT_EQ(metric.mean, 0);
  EXPECT_TRUE(metric.stddev);
  EXPECT_FALSE(metric.cv_percent);
  EXPECT_EQ(metric.not_computed.at("cv_percent"), "the mean is 0");
}

TEST(TrialMetric, OfNoTrialIsNothingNotZero) {
  const TrialMetric metric = SummariseTrials({});
  EXPECT_EQ(metric.n, 0);
  for (const auto& figure : {metric.median, metric.mean, metric.stddev, metric.cv_percent,
                             metric.min, metric.max, metric.ci95_lo, metric.ci95_hi, metric.mad})
    EXPECT_FALSE(figure);
  EXPECT_THAT(metric.not_computed, SizeIs(8));
}

TEST(TrialMetric, TheIntervalIsMadeOfTrials) {
  const TrialMetric ten = SummariseTrials(OneTo(10));
  EXPECT_EQ(ten.median, 5.5);
  EXPECT_DOUBLE_EQ(*ten.stddev, 3.0276503540974917);
  EXPECT_DOUBLE_EQ(*ten.cv_percent, 55.04818825631803);
  EXPECT_EQ(ten.ci95_lo, 2);
  EXPECT_EQ(ten.ci95_hi, 9);
  const TrialMetric six = SummariseTrials(OneTo(6));
  EXPECT_EQ(six.ci95_lo, 1);
  EXPECT_EQ(six.ci95_hi, 6);
  const TrialMetric twelve = SummariseTrials({5, 5, 5, 100, 100, 100, 100, 5, 5, 5, 50, 50});
  EXPECT_EQ(twelve.median, 27.5);
  EXPECT_DOUBLE_EQ(*twelve.mean, 44.166666666666664);
  EXPECT_EQ(twelve.ci95_lo, 5);
  EXPECT_EQ(twelve.ci95_hi, 100);
}

TEST(TrialMetric, EqualTrialsHaveNoSpreadAndAnIntervalOfOnePoint) {
  const TrialMetric metric = SummariseTrials({100, 100, 100, 100, 100, 100});
  EXPECT_EQ(metric.cv_percent, 0);
  EXPECT_EQ(metric.ci95_lo, 100);
  EXPECT_EQ(metric.ci95_hi, 100);
}

TEST(TrialMetric, ABoundOfZeroIsThere) {
  const TrialMetric metric = SummariseTrials({-5e5, 0, 0, 1e5, 2e5, 3e5, 4e5, 5e5, 6e5, 9e5});
  EXPECT_EQ(metric.median, 250'000);
  EXPECT_EQ(metric.ci95_lo, 0);
  EXPECT_EQ(metric.ci95_hi, 600'000);
}

TEST(TrialMetric, OfNanosecondsIsExact) {
  const TrialMetric a = SummariseTrials({91400000, 89100000, 94100000, 90200000, 92600000, 88900000,
                                         91450000, 94800000, 90700000, 93000000});
  EXPECT_EQ(a.median, 91425000);
  EXPECT_EQ(a.mean, 91625000);
  EXPECT_DOUBLE_EQ(*a.stddev, 1994889.303528728);
  EXPECT_DOUBLE_EQ(*a.cv_percent, 2.1772325277257605);
  EXPECT_EQ(a.mad, 1400000);
  EXPECT_EQ(a.ci95_lo, 89100000);
  EXPECT_EQ(a.ci95_hi, 94100000);
  const TrialMetric b = SummariseTrials({97300000, 96800000, 99900000, 95600000, 98200000, 97100000,
                                         96400000, 101200000, 98800000, 97900000});
  EXPECT_EQ(b.median, 97600000);
  EXPECT_DOUBLE_EQ(*b.cv_percent, 1.7202191391452892);
  EXPECT_EQ(b.ci95_lo, 96400000);
  EXPECT_EQ(b.ci95_hi, 99900000);
}

TEST(TrialMetric, SpreadIsRelativeToTheMean) {
  const TrialMetric wide = SummariseTrials({50, 60, 80, 100, 120, 140, 150, 90, 110, 70});
  EXPECT_EQ(wide.median, 95);
  EXPECT_EQ(wide.mean, 97);
  EXPECT_DOUBLE_EQ(*wide.stddev, 33.34999583541536);
  EXPECT_DOUBLE_EQ(*wide.cv_percent, 34.38143900558285);
  EXPECT_DOUBLE_EQ(*SummariseTrials({100, 120, 90, 110, 95, 115}).cv_percent, 11.268723396380222);
  EXPECT_DOUBLE_EQ(*SummariseTrials({50, 300, 100, 900, 200, 600}).cv_percent, 91.88842671285758);
  EXPECT_DOUBLE_EQ(
      *SummariseTrials({5894690, 5894693, 5800000, 6000000, 5700000, 6100000}).cv_percent,
      2.3981416505588458);
}

// The ranks of the order-statistic interval, as tables print them.
TEST(MedianInterval, RanksAreThoseOfTheBinomialDistribution) {
  for (std::size_t n = 0; n < 6; ++n) EXPECT_FALSE(MedianIntervalRank(n)) << n;
  const std::vector<std::size_t> ranks{
      1,  1,  1,  2,  2,  2,  3,  3,  3,  4,  4,  5,  5,  5,  6,    // 6 … 20
      6,  6,  7,  7,  8,  8,  8,  9,  9,  10, 10, 10, 11, 11, 12,   // 21 … 35
      12, 13, 13, 13, 14, 14, 15, 15, 16, 16, 16, 17, 17, 18, 18};  // 36 … 50
  for (std::size_t i = 0; i < ranks.size(); ++i)
    EXPECT_EQ(MedianIntervalRank(i + 6), ranks[i]) << i + 6;
}

TEST(MedianInterval, RanksOfManyTrialsFollowTheNormalDistribution) {
  // n/2 - 1.96 sqrt(n)/2, within one rank.
  EXPECT_NEAR(static_cast<double>(*MedianIntervalRank(1000)), 469.0, 1.0);
}

TEST(Quantile, IsLinearBetweenValues) {
  const std::vector<double> sorted{1, 2, 3, 4, 5, 6};
  EXPECT_DOUBLE_EQ(QuantileOfSorted(sorted, 0.25), 2.25);
  EXPECT_DOUBLE_EQ(QuantileOfSorted(sorted, 0.75), 4.75);
  EXPECT_EQ(QuantileOfSorted(sorted, 0), 1);
  EXPECT_EQ(QuantileOfSorted(sorted, 1), 6);
  EXPECT_EQ(QuantileOfSorted({7}, 0.5), 7);
}

TEST(Outliers, AreBeyondTheFences) {
  // Quartiles 2.75 and 6.25 of 1 … 7 and x: mild beyond 6.25 + 5.25 = 11.5, severe beyond 16.75.
  const auto with = [](double x) { return FindOutliers({x, 1, 2, 3, 4, 5, 6, 7}); };
  EXPECT_THAT(with(11.4), IsEmpty());
  for (const double x : {11.6, 16.7, 16.8}) {
    ASSERT_THAT(with(x), SizeIs(1));
    EXPECT_EQ(with(x)[0].index, 0u);
    EXPECT_EQ(with(x)[0].severe, x > 16.75);
  }
}

TEST(Outliers, AreNotSoughtAmongFewTrials) {
  EXPECT_THAT(FindOutliers({1, 1, 1, 1, 99}), IsEmpty());
}

}  // namespace
}  // namespace ioflux
