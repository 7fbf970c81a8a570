// SPDX-License-Identifier: GPL-2.0-only
//
// What `ioflux run` says of a replay that left a result.
#pragma once

#include <string>

#include "analysis/run_result.h"
#include "cli/exit_code.h"

namespace ioflux {

/// Prints the result's own findings on standard error, each after `label` ("", "trial 2: "), and
/// returns the exit code that they mean.
ExitCode JudgeResult(const RunResult& result, const std::string& label);

}  // namespace ioflux
