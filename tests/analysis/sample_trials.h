// SPDX-License-Identifier: GPL-2.0-only
//
// Made-up sets of trials for tests: sample runs (sample_run.h) with other durations.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/trial_set.h"

namespace ioflux {

/// The sample run with another duration, and 272,000,000 bytes moved.
RunResult SampleTrial(std::int64_t duration_ns);

/// The same with `errors` failed operations.
RunResult FailedTrial(std::int64_t duration_ns, std::int64_t errors);

/// All there.
TrialSet SampleTrials(const std::vector<std::int64_t>& durations_ns);

/// Durations with a median of 91,425,000 ns and a CV of 2.2 %.
std::vector<std::int64_t> SteadyDurations();

}  // namespace ioflux
