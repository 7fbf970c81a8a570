// SPDX-License-Identifier: GPL-2.0-only
//
// CacheState: brings the page cache into the state a run is to start from, and says what state it
// was in before, at the start and at the end. Nothing here fails a run: what cannot be done or
// measured is said.
//
//   none  nothing is done and no target is looked at
//   cold  each target is synced if it has dirty pages, and its pages are dropped
//         (posix_fadvise DONTNEED)
//   warm  each target is read from start to end
//
// Every target is opened through the root of the run, and whatever is done or counted is so through
// that descriptor. Targets that are not there, and those that are no regular files, are left out.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/file_system.h"
#include "ioengine/replay/residency.h"
#include "ioengine/replay/run_targets.h"

namespace ioflux {

enum class CacheMode : std::uint8_t { kNone, kCold, kWarm };

CacheMode CacheModeOf(const ReplaySettings& settings);

/// Pages of all targets at one moment.
struct PageShare {
  std::int64_t targets = 0;  ///< that were counted
  std::int64_t pages = 0;
  std::int64_t resident_pages = 0;
  /// The one furthest from what the mode wants: most pages resident, or (warm) most missing. Empty
  /// when all are as they should be.
  std::string worst_target;
  std::int64_t worst_pages = 0;
  std::int64_t worst_resident_pages = 0;
};

struct CacheState {
  CacheMode mode = CacheMode::kNone;
  std::vector<std::string> actions;
  std::vector<std::string> limitations;
  std::int64_t primed = 0;  ///< targets read whole in mode warm
  std::int64_t duration_ns = 0;

  ResidencyMethod method = ResidencyMethod::kCachestat;
  std::string not_measured;        ///< why the three below are not there; empty when they are
  std::optional<PageShare> found;  ///< before anything was done
  std::optional<PageShare> at_start;
  std::string end_not_measured;  ///< why at_end alone is not there
  std::optional<PageShare> at_end;

  /// Of all targets, each once; for a target that is not there yet (and in mode none), that of the
  /// folder above it.
  std::vector<FileSystem> file_systems;
};

/// Before the clock starts. `stopping` is asked between targets and chunks; kFailed when it says
/// true.
Result<CacheState> EstablishCache(CacheMode mode, const RunTargets& where,
                                  const std::function<bool()>& stopping);

/// When the run is over; again when it turns out to have gone on. `processes` count the same
/// targets, so where there are many of both nothing is measured.
void MeasureCacheAtEnd(const RunTargets& where, std::size_t processes, CacheState& state);

}  // namespace ioflux
