// SPDX-License-Identifier: GPL-2.0-only
//
// The report of a set of trials as text for a terminal. Pure function; ends with a newline.
#pragma once

#include <string>

#include "analysis/trial_set.h"

namespace ioflux {

std::string RenderTrialSetText(const TrialSet& set);

/// One line for the end of a run: counts, and median, CV and range of the duration.
std::string TrialSetLine(const TrialSet& set);

}  // namespace ioflux
