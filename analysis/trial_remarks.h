// SPDX-License-Identifier: GPL-2.0-only
//
// What a reader of a trial set must know beside its numbers. Sentences for people, the same in
// every output format. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/trial_set.h"

namespace ioflux {

/// "trial 5: 3 operation failure(s)", one for each failed trial.
std::vector<std::string> FailedTrialWords(const TrialSet& set);

/// How steady the duration was, one sentence; empty with fewer than two valid trials.
std::string StabilityWords(const TrialSummary& summary);

/// What the trials show only together: a first trial unlike the others, outliers, drift, trials
/// that did not start from the same state.
std::vector<std::string> TrialRemarks(const TrialSet& set);

/// The warnings of the single trials, each once, with the trials that have it.
std::vector<std::string> TrialWarnings(const TrialSet& set);

/// Positions from 1 as results show them: "[2 5]".
std::string PositionsText(const std::vector<std::int64_t>& positions);

}  // namespace ioflux
