// SPDX-License-Identifier: GPL-2.0-only
//
// What the header of an imported trace says about its source.
#pragma once

#include "trace_tools/format/trace_header.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux::strace {

/// Kind, method, limitations and notes; targets and summary are TraceBuilder's.
TraceHeader HeaderOf(const SourceModel& model);

}  // namespace ioflux::strace
