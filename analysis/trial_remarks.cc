// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_remarks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/report_format.h"
#include "analysis/run_verdict.h"
#include "base/duration_text.h"

namespace ioflux {
namespace {

/// What a comparison of two sets asks of each by default.
constexpr double kSteadyCvPercent = 5;

std::string Duration(double duration_ns) {
  return FormatDuration(static_cast<std::int64_t>(duration_ns));
}

std::vector<double> ValidDurations(const TrialSet& set, std::size_t from) {
  std::vector<double> durations;
  for (std::size_t i = from; i < set.trials.size(); ++i) {
    if (TrialFailures(set.trials[i]).empty())
      durations.push_back(static_cast<double>(set.trials[i].duration_ns));
  }
  return durations;
}

/// The first trial is outside of all the others, and further than they spread.
void RemarkOnFirstTrial(const TrialSet& set, std::vector<std::string>& remarks) {
  if (set.trials.empty() || !TrialFailures(set.trials.front()).empty()) return;
  std::vector<double> others = ValidDurations(set, 1);
  if (others.size() + 1 < kTrialsForInterval) return;
  std::ranges::sort(others);
  const auto first = static_cast<double>(set.trials.front().duration_ns);
  const double spread = others.back() - others.front();
  if (first >= others.front() - spread && first <= others.back() + spread) return;
  remarks.push_back(fmt::format(
      "trial 1 took {} and the others {} to {}: it found another state (caches, allocation, first "
      "use) than they did; --warmup 1 keeps it out of the statistics",
      Duration(first), Duration(others.front()), Duration(others.back())));
}

void RemarkOnOutliers(const TrialSet& set, std::vector<std::string>& remarks) {
  for (const OutlyingTrial& outlier : set.summary.outliers) {
    const RunResult& trial = set.trials.at(static_cast<std::size_t>(outlier.trial - 1));
    remarks.push_back(fmt::format(
        "trial {} is an outlier ({}): it took {}, more than {} interquartile ranges from the "
        "middle half of the trials",
        outlier.trial, outlier.severe ? "severe" : "mild", FormatDuration(trial.duration_ns),
        outlier.severe ? "3" : "1.5"));
  }
}

void RemarkOnDrift(const TrialOrder& order, std::vector<std::string>& remarks) {
  if (!order.drifts) return;
  std::vector<std::string> parts;
  if (order.lag1_autocorrelation) {
    parts.push_back(fmt::format("lag-1 autocorrelation {:.2f}", *order.lag1_autocorrelation));
    if (*order.lag1_autocorrelation > 0)
      parts.push_back(fmt::format("worth {:.1f} independent trials", *order.effective_trials));
  }
  if (order.slope_per_trial) {
    parts.push_back(
        fmt::format("{} a trial (95% CI {} … {})",
                    FormatSignedDuration(static_cast<std::int64_t>(*order.slope_per_trial)),
                    FormatSignedDuration(static_cast<std::int64_t>(*order.slope_ci95_lo)),
                    FormatSignedDuration(static_cast<std::int64_t>(*order.slope_ci95_hi))));
  }
  if (order.runs_p_value) parts.push_back(fmt::format("runs test p {:.3f}", *order.runs_p_value));
  const bool trend = *order.slope_ci95_lo > 0 || *order.slope_ci95_hi < 0;
  std::string_view what = "neighbouring trials are alike";
  std::string_view so = "they may not be independent, and the interval may promise too much";
  if (trend) {
    what = "drift: the durations depend on when a trial ran";
    so = "the spread and the interval promise too much";
  } else if (order.lag1_autocorrelation.value_or(0) < 0) {
    what = "fast and slow trials alternate";
    so = "they may not be independent: something may reach from one into the next";
  }
  remarks.push_back(
      fmt::format("{} ({}): {}; compare this set only with one that was measured in "
                  "turn with it",
                  what, fmt::join(parts, ", "), so));
}

/// What must be the same in every trial, as text.
struct Condition {
  std::string_view name;
  std::string (*value)(const RunResult& trial);
};

constexpr std::array kConditions{
    Condition{"trace", [](const RunResult& trial) { return trial.plan.trace_digest; }},
    Condition{"engine", [](const RunResult& trial) { return trial.plan.engine; }},
    Condition{"mode", [](const RunResult& trial) { return trial.plan.mode; }},
    Condition{"max-inflight",
              [](const RunResult& trial) { return std::to_string(trial.plan.max_inflight); }},
    Condition{"cache mode", [](const RunResult& trial) { return trial.run_env.cache_mode; }},
    Condition{"preparation", [](const RunResult& trial) { return trial.plan.prepare_mode; }},
    Condition{"target root", [](const RunResult& trial) { return trial.plan.target_root; }},
    Condition{"host", [](const RunResult& trial) { return trial.host.hostname; }},
    Condition{
        "build",
        [](const RunResult& trial) { return trial.tool.version + " " + trial.tool.revision; }},
    Condition{"targets that the trace creates and that were there already",
              [](const RunResult& trial) { return std::to_string(trial.plan.prepare_left_over); }},
};

void RemarkOnConditions(const TrialSet& set, std::vector<std::string>& remarks) {
  for (const Condition& condition : kConditions) {
    std::map<std::string, std::vector<std::int64_t>> trials;
    for (std::size_t i = 0; i < set.trials.size(); ++i)
      trials[condition.value(set.trials[i])].push_back(static_cast<std::int64_t>(i + 1));
    if (trials.size() < 2) continue;
    std::vector<std::string> parts;
    for (const auto& [value, positions] : trials)
      parts.push_back(
          fmt::format("{} in {}", value.empty() ? "(unset)" : value, PositionsText(positions)));
    remarks.push_back(fmt::format("the trials are not the same experiment: {}: {}", condition.name,
                                  fmt::join(parts, ", ")));
  }
}

}  // namespace

std::string PositionsText(const std::vector<std::int64_t>& positions) {
  return fmt::format("[{}]", fmt::join(positions, " "));
}

std::vector<std::string> FailedTrialWords(const TrialSet& set) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < set.trials.size(); ++i) {
    const std::vector<std::string> reasons = TrialFailures(set.trials[i]);
    if (!reasons.empty())
      words.push_back(fmt::format("trial {}: {}", i + 1, fmt::join(reasons, "; ")));
  }
  return words;
}

std::string StabilityWords(const TrialSummary& summary) {
  if (summary.valid_trials < 2) return "";
  const std::optional<double>& cv = summary.duration_ns.cv_percent;
  if (!cv) return "the CV of the duration cannot be computed";
  if (*cv <= kSteadyCvPercent) {
    return fmt::format(
        "steady: the durations have a CV of {}, at most the {} that a comparison "
        "allows by default",
        FormatPercent(*cv), FormatPercent(kSteadyCvPercent));
  }
  return fmt::format(
      "UNSTEADY: the durations have a CV of {}, more than the {} that a comparison "
      "allows by default",
      FormatPercent(*cv), FormatPercent(kSteadyCvPercent));
}

std::vector<std::string> TrialRemarks(const TrialSet& set) {
  std::vector<std::string> remarks;
  RemarkOnConditions(set, remarks);
  RemarkOnFirstTrial(set, remarks);
  RemarkOnOutliers(set, remarks);
  RemarkOnDrift(set.summary.order, remarks);
  return remarks;
}

std::vector<std::string> TrialWarnings(const TrialSet& set) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> grouped;
  const auto add = [&grouped](const std::string& text, std::size_t trial) {
    auto found = std::ranges::find(grouped, text, [](const auto& group) { return group.first; });
    if (found == grouped.end()) found = grouped.insert(grouped.end(), {text, {}});
    found->second.push_back(static_cast<std::int64_t>(trial + 1));
  };
  for (std::size_t i = 0; i < set.trials.size(); ++i) {
    const RunResult& trial = set.trials[i];
    if (trial.fidelity.low_fidelity) {
      add(fmt::format("low fidelity [{}]: {}", trial.fidelity.low_fidelity_category,
                      trial.fidelity.low_fidelity_reason),
          i);
    }
    for (const std::string& warning : Warnings(trial)) add(warning, i);
  }
  std::vector<std::string> warnings;
  for (const auto& [text, positions] : grouped) {
    const bool all = positions.size() == set.trials.size();
    warnings.push_back(all ? text
                           : fmt::format("{} {}: {}", positions.size() == 1 ? "trial" : "trials",
                                         PositionsText(positions), text));
  }
  return warnings;
}

}  // namespace ioflux
