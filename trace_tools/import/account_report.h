// SPDX-License-Identifier: GPL-2.0-only
//
// ImportAccount as text: the notes of a trace, the summary on a terminal, the report as JSON.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/import/import_account.h"
#include "trace_tools/import/trace_builder.h"

namespace ioflux {

/// `strace import; streams: s0=pid 41; lossy: …; lines: …`, for TraceHeader::notes.
std::string NotesText(std::string_view source, const std::vector<std::string>& stream_labels,
                      const ImportAccount& account);

/// Several lines: counts, what was skipped, what was lost, what was clamped, warnings, limitations.
std::string SummaryText(std::string_view source, const BuiltTrace& trace,
                        const ImportAccount& account);

/// One JSON document with every count.
std::string ReportJson(std::string_view source, const BuiltTrace& trace,
                       const ImportAccount& account);

}  // namespace ioflux
