// SPDX-License-Identifier: GPL-2.0-only
//
// A made-up replay for tests: four streams of a trace with 520 operations, side files as the engine
// writes them, and the counts fio would have. Everything is fixed, so reports of it are too.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/collect_result.h"
#include "analysis/fio_json.h"
#include "analysis/side_file.h"

namespace ioflux {

/// One process that ran all four streams: 512 READs of 256 KiB, four OPENs, four CLOSEs.
SideFile SampleSideFile();

/// As JSON text in the form of docs/side-file.md.
std::string SampleSideFileText();

/// What fio counts for `engine`.
FioOutput MatchingFio(const SideFile& engine);

/// The whole input of a run that went well.
CollectInput SampleInput();

/// The same with failed operations: two EIO and one short read.
CollectInput FailedInput();

/// Stopped by Ctrl-C after 412 of 520 operations; fio counted one read more.
CollectInput InterruptedInput();

}  // namespace ioflux
