// SPDX-License-Identifier: GPL-2.0-only
//
// TrialOrder: does it matter in which order the trials ran? Independent trials of one thing have no
// memory and no trend; where these show one, the spread understates what is not known.
//
//   lag1_autocorrelation  how alike a trial and the next are, -1 to 1
//   runs                  stretches of trials on one side of the median, and how likely so few or
//                         so many are by chance (Wald and Wolfowitz, exact)
//   slope_per_trial       median of the slopes of all pairs (Theil and Sen), with the exact 95 %
//                         interval of Kendall's distribution
//
// Pure functions. What cannot be computed is absent, and `not_computed` says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ioflux {

struct TrialOrder {
  std::optional<double> lag1_autocorrelation;
  std::optional<double> effective_trials;  ///< n (1 - rho) / (1 + rho): so many independent ones
  std::optional<std::int64_t> runs;
  std::optional<double> runs_p_value;  ///< two-sided
  std::optional<double> slope_per_trial;
  std::optional<double> slope_ci95_lo;
  std::optional<double> slope_ci95_hi;
  bool drifts = false;  ///< |rho| > 0.3, or the interval of the slope excludes 0
  std::map<std::string, std::string> not_computed;  ///< by key of what is absent: why

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("lag1_autocorrelation", self.lag1_autocorrelation);
    archive.Optional("effective_trials", self.effective_trials);
    archive.Optional("runs", self.runs);
    archive.Optional("runs_p_value", self.runs_p_value);
    archive.Optional("slope_per_trial", self.slope_per_trial);
    archive.Optional("slope_ci95_lo", self.slope_ci95_lo);
    archive.Optional("slope_ci95_hi", self.slope_ci95_hi);
    archive.Required("drifts", self.drifts);
    archive.Optional("not_computed", self.not_computed);
  }
};

/// `values` in the order of execution, `positions` when each ran (1, 2, 4 …, ascending, as many).
TrialOrder ExamineOrder(const std::vector<double>& values, const std::vector<double>& positions);

/// P(runs <= `runs`) and P(runs >= `runs`), doubled and at most 1, whichever is less likely, of
/// `above` and `below` values in random order. Both at least 1.
double RunsProbability(std::size_t runs, std::size_t above, std::size_t below);

/// The largest c with P(inversions of a random order of n <= c - 1) <= 0.025; 0 when there is none.
std::size_t KendallRank(std::size_t n);

}  // namespace ioflux
