// SPDX-License-Identifier: GPL-2.0-only
//
// The rules about the header alone (families HP, HV, HT, HS and some of HX).
//
// Threading: pure function of its arguments.
#pragma once

#include "trace_tools/format/finding_log.h"
#include "trace_tools/format/trace_header.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {

void CheckHeader(const TraceHeader& header, const TraceReader::HeaderPresence& presence,
                 FindingLog& log);

}  // namespace ioflux
