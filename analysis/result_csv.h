// SPDX-License-Identifier: GPL-2.0-only
//
// Results as CSV: one row a replay, in the 30 columns of IOFlux. RFC 4180 quoting, lines end with a
// line feed. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "analysis/run_result.h"

namespace ioflux {

/// The names of the columns, with the line's end.
std::string_view CsvHeader();

/// One row, with its end.
std::string CsvRow(const RunResult& result);

/// `text` as one field: quoted when it holds a comma, a quote or a line break, or
/// starts with a blank.
std::string CsvField(std::string_view text);

}  // namespace ioflux
