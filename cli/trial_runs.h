// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux run --trials N --warmup K`: the same replay again and again, kept as one set.
//
// Every run is prepared, and its caches brought into the wanted state, by the engine. What the runs
// before it created is removed first (ioengine/replay/created_targets.h), so that each creates it
// again. After every finished trial the set so far is written, marked incomplete until it is not:
// a failing trial, Ctrl-C, or the end of this program costs no trial that is done.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/replay_run.h"

namespace ioflux {

inline constexpr std::int64_t kMostTrials = 1000;

struct TrialRequest {
  ReplayRequest replay;
  std::int64_t trials = 1;
  std::int64_t warmups = 0;
  std::string output;  ///< "-" is standard output
  std::string csv;     ///< empty = none

  bool is_set() const { return trials > 1 || warmups > 0; }
};

/// kExitGood when every planned run was run and every trial is valid. An error when no run left
/// anything to write, or what there is cannot be written.
Result<ExitCode> RunTrialSet(const TrialRequest& request);

}  // namespace ioflux
