// SPDX-License-Identifier: GPL-2.0-only
//
// The last step of an import: what the model has learnt since about files goes into the targets.
//
// What turned out to be a directory, a device or excluded leaves the trace, with its lines in the
// account; every other file with an operation gets its name and its size.
#pragma once

#include <functional>

#include "trace_tools/import/model/source_model.h"

namespace ioflux {

/// `on_moved` hears of each operation whose lines left Reason::kOp for another reason.
void FinishTargets(SourceModel& model,
                   const std::function<void(const OpRecord& record, Reason to)>& on_moved);

}  // namespace ioflux
