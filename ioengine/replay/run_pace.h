// SPDX-License-Identifier: GPL-2.0-only
//
// How long a mode makes a trace take, read off the recorded times.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "ioengine/replay/settings.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

/// Nanoseconds.
struct RunPace {
  /// Nothing in mode asap. In think: when every operation takes as long as in the source.
  std::optional<std::int64_t> planned_ns;
  /// In think: when no operation takes any time.
  std::optional<std::int64_t> shortest_ns;
  std::int64_t recorded_ns = 0;   ///< from 0 to the end of the last operation of the source
  std::int64_t peak_streams = 0;  ///< at the same time in the source; in asap all that there are
};

RunPace PaceOf(const LoadedTrace& trace, const ReplaySettings& settings);

/// kRefused: the mode think for a trace without durations.
Result<void> CheckPace(const LoadedTrace& trace, const ReplaySettings& settings);

}  // namespace ioflux
