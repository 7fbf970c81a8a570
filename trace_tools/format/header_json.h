// SPDX-License-Identifier: GPL-2.0-only
//
// The header line as JSON.
//
// Threading: pure function.
#pragma once

#include <string>
#include <string_view>

#include "trace_tools/format/trace_header.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {

/// Fills `header` and `presence` from line 1; members that are absent are 0 or empty. Empty when it
/// is a header (if perhaps an invalid one), else what makes the line fatal, as a clause about it.
std::string ParseHeaderJson(std::string_view line, TraceHeader& header,
                            TraceReader::HeaderPresence& presence);

}  // namespace ioflux
