// SPDX-License-Identifier: GPL-2.0-only
//
// One replay from settings to result: job file, fio, side files, fio's JSON, collected.
#pragma once

#include <functional>
#include <string>

#include "analysis/run_result.h"
#include "base/result.h"
#include "base/stopping.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

struct ReplayRequest {
  ReplaySettings settings;
  std::string engine_library;  ///< empty: the one beside this program
  std::string fio = "fio";
  /// Called before anything starts, so that the user may be told what is about to; may be empty.
  /// Given is whether the user asks to stop.
  std::function<void(const Stopping&)> announce{};
};

/// A result also when operations failed or the run was stopped; it says so. An error when there is
/// nothing to say a result about: a refused trace, map or root, a fio that did not start.
Result<RunResult> RunReplay(const ReplayRequest& request);

}  // namespace ioflux
