// SPDX-License-Identifier: GPL-2.0-only
//
// The report of one result, or of a set of trials, for programs: what the text says as one JSON
// document. It holds the values derived from the result (rates, validity, warnings) and the result
// itself without its histograms. Pure functions; they end with a newline.
#pragma once

#include <string>

#include "analysis/run_result.h"
#include "analysis/trial_set.h"

namespace ioflux {

inline constexpr std::int64_t kReportVersion = 1;

std::string RenderResultJson(const RunResult& result);
std::string RenderTrialSetJson(const TrialSet& set);

}  // namespace ioflux
