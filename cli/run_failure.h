// SPDX-License-Identifier: GPL-2.0-only
//
// RunFailure: why a run left no result, said by whoever knows best: the engine, fio, or the signal
// that ended it.
#pragma once

#include <string_view>

#include "base/error.h"
#include "ioengine/replay/progress_file.h"
#include "job_templates/fio_launcher.h"

namespace ioflux {

/// `stop_requests`: how often the user asked the run to stop. `progress`: how far it had come.
Error NoResult(const FioEnd& end, int stop_requests, const ProgressTotals& progress);

/// Someone asked to stop; `phase` is what the run was at: "while loading the trace".
Error InterruptedEarly(std::string_view phase);

}  // namespace ioflux
