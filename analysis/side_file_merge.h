// SPDX-License-Identifier: GPL-2.0-only
//
// One replay, several processes: the union of their side files.
//
// Histograms merge exactly and counters add up; the run lasts from the earliest start to the latest
// end, and the times of streams and failures are put on that axis. `complete` is true when all are.
// Preparation happens once, before the processes part, so it is not added. The peaks of operations
// in flight are, where they are not counted: the sum is the most that can have been in flight. All
// files must come from one run: the same trace file and the same settings, or the error names what
// differs.
#pragma once

#include <string>
#include <vector>

#include "analysis/side_file.h"
#include "base/result.h"

namespace ioflux {

/// `files` in any order, at least one. `names` (file names for errors) may be empty.
Result<SideFile> MergeSideFiles(const std::vector<SideFile>& files,
                                const std::vector<std::string>& names = {});

/// A stream is replayed by one job: one that appears twice, in files of two runs, would be counted
/// twice. kInput error naming it. `merged` comes from MergeSideFiles.
Result<void> CheckEachStreamOnce(const SideFile& merged);

}  // namespace ioflux
