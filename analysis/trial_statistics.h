// SPDX-License-Identifier: GPL-2.0-only
//
// TrialMetric: what several trials say about one figure: location, spread, and an interval for the
// median that assumes nothing about the distribution. Pure functions; the order of the trials does
// not matter (trial_order.h looks at that).
//
// What cannot be computed is absent, and `not_computed` says why; 0 is a figure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ioflux {

struct TrialMetric {
  std::int64_t n = 0;
  std::optional<double> median;  ///< of an even number the mean of the two in the middle
  std::optional<double> mean;
  std::optional<double> stddev;      ///< of the sample: divisor n - 1
  std::optional<double> cv_percent;  ///< stddev / |mean| * 100
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> ci95_lo;  ///< interval for the median
  std::optional<double> ci95_hi;
  bool ci95_available = false;
  std::optional<double> mad;                        ///< median of the distances from the median
  std::map<std::string, std::string> not_computed;  ///< by key of what is absent: why

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("n", self.n);
    archive.Optional("median", self.median);
    archive.Optional("mean", self.mean);
    archive.Optional("stddev", self.stddev);
    archive.Optional("cv_percent", self.cv_percent);
    archive.Optional("min", self.min);
    archive.Optional("max", self.max);
    archive.Optional("ci95_lo", self.ci95_lo);
    archive.Optional("ci95_hi", self.ci95_hi);
    archive.Required("ci95_available", self.ci95_available);
    archive.Optional("mad", self.mad);
    archive.Optional("not_computed", self.not_computed);
  }
};

TrialMetric SummariseTrials(std::vector<double> values);

/// Fewer trials have no 95 % interval: even the smallest and the largest of five cover the median
/// with 93.75 % only.
inline constexpr std::size_t kTrialsForInterval = 6;

/// The rank k (from 1) for which the k-th smallest and the k-th largest of `n` values cover the
/// median with at least 95 %: the largest k with P(Binomial(n, 1/2) <= k - 1) <= 0.025. Nothing
/// below kTrialsForInterval.
std::optional<std::size_t> MedianIntervalRank(std::size_t n);

/// Of values in ascending order, at least one.
double MedianOfSorted(const std::vector<double>& sorted);
/// The same, 0 <= fraction <= 1: linear between the two values around (n - 1) * fraction.
double QuantileOfSorted(const std::vector<double>& sorted, double fraction);

/// A value far from the others. `index` counts from 0.
struct Outlier {
  std::size_t index = 0;
  bool severe = false;  ///< beyond 3 instead of 1.5 interquartile ranges from the quartiles
};
/// In order of index; none below kTrialsForInterval.
std::vector<Outlier> FindOutliers(const std::vector<double>& values);

}  // namespace ioflux
