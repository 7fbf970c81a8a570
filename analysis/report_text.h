// SPDX-License-Identifier: GPL-2.0-only
//
// The report of one result as text for a terminal. Pure function; ends with a newline.
#pragma once

#include <string>

#include "analysis/run_result.h"

namespace ioflux {

std::string RenderResultText(const RunResult& result);

}  // namespace ioflux
