// SPDX-License-Identifier: GPL-2.0-only
//
// Whether the figures of a result can be true at all. A result file may have been damaged, edited
// or made by a program with a fault: what contradicts itself must not be shown as a measurement.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_result.h"

namespace ioflux {

/// Why the figures cannot be true, one clause each with the numbers; empty when nothing speaks
/// against them. No run that was measured has any.
std::vector<std::string> Contradictions(const RunResult& result);

}  // namespace ioflux
