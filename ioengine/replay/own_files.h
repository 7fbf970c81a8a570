// SPDX-License-Identifier: GPL-2.0-only
//
// Files that a run itself needs or makes, which no target may be: a replay must not write over the
// trace that it replays, or put its result in the place of the data.
//
// Found by file (device and inode, so through links too) and, where there is none yet, by folder
// and name. Threading: any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ioengine/replay/run_targets.h"

namespace ioflux {

/// kRefused when the run would write or delete, by its trace or by preparation, the trace or the
/// target map.
Result<void> CheckInputsAreNoTargets(const ReplaySettings& settings, const LoadedTrace& trace,
                                     const RunTargets& where);

/// kRefused when a target, even one that is only read, is what will be written to `path`. `what`
/// names it in the message: "the result". Anything but a file at `path` (/dev/null) is fine.
Result<void> CheckOutputIsNoTarget(const std::string& path, std::string_view what,
                                   const RunTargets& where);

}  // namespace ioflux
