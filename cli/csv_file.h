// SPDX-License-Identifier: GPL-2.0-only
//
// A CSV file that results are appended to: its header is written when it is new or empty.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_result.h"
#include "base/result.h"

namespace ioflux {

/// Before anything is measured: kIo when the file cannot be written, kInput when it is there and
/// has other columns. Makes nothing. An empty name is fine.
Result<void> CheckCsvFile(const std::string& path);

/// One row for each of `results`, in one write at the end of the file; "-" is standard output, an
/// empty name nothing. A file that was changed to other columns meanwhile is refused.
Result<void> AppendCsv(const std::string& path, const std::vector<RunResult>& results);

}  // namespace ioflux
