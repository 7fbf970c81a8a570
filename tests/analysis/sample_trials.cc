// SPDX-License-Identifier: GPL-2.0-only
#include "tests/analysis/sample_trials.h"

#include <gtest/gtest.h>

#include "tests/analysis/sample_run.h"

namespace ioflux {

RunResult SampleTrial(std::int64_t duration_ns) {
  const Result<RunResult> run = CollectResult(SampleInput());
  EXPECT_TRUE(run) << Describe(run.error());
  RunResult trial = run.value();
  trial.duration_ns = duration_ns;
  trial.bytes_moved = 272'000'000;
  for (OpTotals& kind : trial.op_totals) {
    if (kind.op_type == "READ") kind.bytes = trial.bytes_moved;
  }
  return trial;
}

RunResult FailedTrial(std::int64_t duration_ns, std::int64_t errors) {
  RunResult trial = SampleTrial(duration_ns);
  trial.errors = errors;
  return trial;
}

TrialSet SampleTrials(const std::vector<std::int64_t>& durations_ns) {
  TrialSet set;
  for (const std::int64_t duration_ns : durations_ns) AddTrial(SampleTrial(duration_ns), set);
  set.planned_trials = static_cast<std::int64_t>(durations_ns.size());
  set.generated_at = set.trials.back().generated_at;
  set.tool = set.trials.back().tool;
  set.host = set.trials.back().host;
  return set;
}

std::vector<std::int64_t> SteadyDurations() {
  return {91'400'000, 89'100'000, 94'100'000, 90'200'000, 92'600'000,
          88'900'000, 91'450'000, 94'800'000, 90'700'000, 93'000'000};
}

}  // namespace ioflux
