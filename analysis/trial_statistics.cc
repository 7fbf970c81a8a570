// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ioflux {
namespace {

constexpr long double kTailProbability = 0.025L;
constexpr double kMildFence = 1.5;
constexpr double kSevereFence = 3;

double MeanOfSorted(const std::vector<double>& sorted) {
  double sum = 0;
  for (const double value : sorted) sum += value;
  return sum / static_cast<double>(sorted.size());
}

void FillSpread(const std::vector<double>& sorted, TrialMetric& metric) {
  if (sorted.size() < 2) {
    metric.not_computed["stddev"] = metric.not_computed["cv_percent"] = "one trial has no spread";
    return;
  }
  double squares = 0;
  for (const double value : sorted) squares += (value - *metric.mean) * (value - *metric.mean);
  metric.stddev = std::sqrt(squares / static_cast<double>(sorted.size() - 1));
  if (*metric.mean == 0) {
    metric.not_computed["cv_percent"] = "the mean is 0";
    return;
  }
  metric.cv_percent = *metric.stddev / std::fabs(*metric.mean) * 100;
}

void FillInterval(const std::vector<double>& sorted, TrialMetric& metric) {
  const std::optional<std::size_t> rank = MedianIntervalRank(sorted.size());
  metric.ci95_available = rank.has_value();
  if (!rank) {
    metric.not_computed["ci95"] =
        fmt::format("a 95 % interval needs {} valid trials, there {} {}", kTrialsForInterval,
                    sorted.size() == 1 ? "is" : "are", sorted.size());
    return;
  }
  metric.ci95_lo = sorted[*rank - 1];
  metric.ci95_hi = sorted[sorted.size() - *rank];
}

double MedianDistance(const std::vector<double>& values, double from) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::fabs(value - from));
  std::ranges::sort(distances);
  return MedianOfSorted(distances);
}

}  // namespace

std::optional<std::size_t> MedianIntervalRank(std::size_t n) {
  // Terms of the binomial distribution from the low end, and their sum. 0.025 is never hit exactly,
  // so rounding decides nothing.
  long double term = std::ldexp(1.0L, -static_cast<int>(n));
  long double sum = 0;
  std::size_t rank = 0;
  while (rank < n && sum + term <= kTailProbability) {
    sum += term;
    term *= static_cast<long double>(n - rank) / static_cast<long double>(rank + 1);
    ++rank;
  }
  if (rank == 0) return std::nullopt;
  return rank;
}

double MedianOfSorted(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

double QuantileOfSorted(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

TrialMetric SummariseTrials(std::vector<double> values) {
  TrialMetric metric;
  metric.n = static_cast<std::int64_t>(values.size());
  if (values.empty()) {
    for (const char* key : {"median", "mean", "stddev", "cv_percent", "min", "max", "ci95", "mad"})
      metric.not_computed[key] = "there is no valid trial";
    return metric;
  }
  std::ranges::sort(values);
  metric.median = MedianOfSorted(values);
  metric.mean = MeanOfSorted(values);
  metric.min = values.front();
  metric.max = values.back();
  metric.mad = MedianDistance(values, *metric.median);
  FillSpread(values, metric);
  FillInterval(values, metric);
  return metric;
}

std::vector<Outlier> FindOutliers(const std::vector<double>& values) {
  std::vector<Outlier> outliers;
  if (values.size() < kTrialsForInterval) return outliers;
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const double low = QuantileOfSorted(sorted, 0.25);
  const double high = QuantileOfSorted(sorted, 0.75);
  const double range = high - low;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double beyond = std::max(low - values[i], values[i] - high);
    if (beyond > kMildFence * range)
      outliers.push_back({.index = i, .severe = beyond > kSevereFence * range});
  }
  return outliers;
}

}  // namespace ioflux
