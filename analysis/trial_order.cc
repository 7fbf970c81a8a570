// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_order.h"

#include <algorithm>
#include <cmath>

#include "analysis/trial_statistics.h"

namespace ioflux {
namespace {

constexpr double kNotableAutocorrelation = 0.3;
constexpr long double kTailProbability = 0.025L;
/// Beyond, Kendall's distribution is normal to more digits than anybody reads.
constexpr std::size_t kMostExactly = 200;
constexpr double kNormalQuantile = 1.959963984540054;  // of 0.975

long double Choose(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  long double ways = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    ways *= static_cast<long double>(n - std::min(k, n - k) + i);
    ways /= static_cast<long double>(i);
  }
  return ways;
}

/// Orders of `above` and `below` values that have `runs` runs.
long double WaysToHave(std::size_t runs, std::size_t above, std::size_t below) {
  const std::size_t k = runs / 2;
  if (runs < 2) return 0;
  const long double both = Choose(above - 1, k - 1) * Choose(below - 1, k - 1);
  if (runs % 2 == 0) return 2 * both;
  return Choose(above - 1, k) * Choose(below - 1, k - 1) +
         Choose(above - 1, k - 1) * Choose(below - 1, k);
}

void FillAutocorrelation(const std::vector<double>& values, TrialOrder& order) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i + 1 < values.size()) products += (values[i] - mean) * (values[i + 1] - mean);
  }
  if (squares == 0) {
    order.not_computed["lag1_autocorrelation"] = "all trials are equal";
    return;
  }
  const double rho = products / squares;
  order.lag1_autocorrelation = rho;
  order.effective_trials = static_cast<double>(values.size()) * (1 - rho) / (1 + rho);
}

void FillRuns(const std::vector<double>& values, TrialOrder& order) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const double median = MedianOfSorted(sorted);
  std::vector<bool> sides;  // values at the median are on neither
  for (const double value : values) {
    if (value != median) sides.push_back(value > median);
  }
  const auto above = static_cast<std::size_t>(std::ranges::count(sides, true));
  const std::size_t below = sides.size() - above;
  if (above == 0 || below == 0) {
    order.not_computed["runs"] = "no trials on both sides of the median";
    return;
  }
  std::size_t runs = 1;
  for (std::size_t i = 1; i < sides.size(); ++i) runs += sides[i] != sides[i - 1] ? 1 : 0;
  order.runs = static_cast<std::int64_t>(runs);
  order.runs_p_value = RunsProbability(runs, above, below);
}

void FillSlope(const std::vector<double>& values, const std::vector<double>& positions,
               TrialOrder& order) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / (positions[j] - positions[i]));
  }
  std::ranges::sort(slopes);
  order.slope_per_trial = MedianOfSorted(slopes);
  const std::size_t rank = KendallRank(values.size());
  order.slope_ci95_lo = slopes[rank - 1];
  order.slope_ci95_hi = slopes[slopes.size() - rank];
}

}  // namespace

double RunsProbability(std::size_t runs, std::size_t above, std::size_t below) {
  const long double all = Choose(above + below, above);
  long double fewer = 0;
  long double more = 0;
  for (std::size_t r = 2; r <= above + below; ++r) {
    const long double ways = WaysToHave(r, above, below) / all;
    if (r <= runs) fewer += ways;
    if (r >= runs) more += ways;
  }
  return static_cast<double>(std::min(1.0L, 2 * std::min(fewer, more)));
}

std::size_t KendallRank(std::size_t n) {
  if (n > kMostExactly) {
    const auto count = static_cast<double>(n);
    const double mean = count * (count - 1) / 4;
    const double deviation = std::sqrt(count * (count - 1) * (2 * count + 5) / 72);
    return static_cast<std::size_t>(mean - kNormalQuantile * deviation);
  }
  // chance[k]: that a random order of the values so far has k inversions. The next value goes to
  // one of `count` places, each as likely, and makes 0 to count - 1 new ones.
  std::vector<long double> chance{1};
  for (std::size_t count = 2; count <= n; ++count) {
    std::vector<long double> next(chance.size() + count - 1, 0);
    long double window = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (k < chance.size()) window += chance[k];
      if (k >= count) window -= chance[k - count];
      next[k] = window / static_cast<long double>(count);
    }
    chance = std::move(next);
  }
  long double sum = 0;
  std::size_t rank = 0;
  while (rank < chance.size() && sum + chance[rank] <= kTailProbability) sum += chance[rank++];
  return rank;
}

TrialOrder ExamineOrder(const std::vector<double>& values, const std::vector<double>& positions) {
  TrialOrder order;
  if (values.size() < kTrialsForInterval) {
    for (const char* key : {"lag1_autocorrelation", "runs", "slope_per_trial"}) {
      order.not_computed[key] = "fewer than " + std::to_string(kTrialsForInterval) +
                                " valid trials say nothing about an order";
    }
    return order;
  }
  FillAutocorrelation(values, order);
  FillRuns(values, order);
  FillSlope(values, positions, order);
  const bool alike = order.lag1_autocorrelation &&
                     std::fabs(*order.lag1_autocorrelation) > kNotableAutocorrelation;
  order.drifts = alike || *order.slope_ci95_lo > 0 || *order.slope_ci95_hi < 0;
  return order;
}

}  // namespace ioflux
