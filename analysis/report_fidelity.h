// SPDX-License-Identifier: GPL-2.0-only
//
// The part of a text report that says how true the replay was: coverage, lateness, order between
// streams, equivalence.
//
// Threading: pure function over values.
#pragma once

#include "analysis/report_page.h"
#include "analysis/run_result.h"

namespace ioflux {

void RenderFidelity(const RunResult& result, Page& page);

}  // namespace ioflux
