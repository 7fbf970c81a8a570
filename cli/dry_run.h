// SPDX-License-Identifier: GPL-2.0-only
//
// Looking at a run before it starts.
#pragma once

#include <cstdint>

#include "cli/exit_code.h"
#include "cli/replay_run.h"

namespace ioflux {

/// How often a run is to be repeated.
struct RunCounts {
  std::int64_t trials = 1;
  std::int64_t warmups = 0;
};

/// `ioflux run --dry-run`: prints what the run would do and touches nothing. The run's exit code as
/// far as it can be known.
Result<ExitCode> DryRun(const ReplayRequest& request, const RunCounts& counts, bool json);

/// Before a real run: one line of what it is about to do, on standard output or (when that is for
/// the result) on standard error, and warnings. Says nothing of a run that will be refused: the run
/// itself does.
void AnnounceRun(const ReplayRequest& request, const Stopping& stopping, bool on_stdout);

}  // namespace ioflux
