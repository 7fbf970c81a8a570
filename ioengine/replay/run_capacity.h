// SPDX-License-Identifier: GPL-2.0-only
//
// Whether a run fits: free space for what preparation writes, and descriptors for the files that
// its streams hold open at the same time. Checked before anything is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/preparation_plan.h"

namespace ioflux {

/// One file system that a run writes to.
struct SpaceNeed {
  std::string place;               ///< target root, or a folder of a target on it
  std::uint64_t device = 0;        ///< st_dev
  std::int64_t prepare_bytes = 0;  ///< preparation adds
  std::int64_t prepare_files = 0;  ///< preparation makes
  std::int64_t run_bytes = 0;      ///< the trace adds, at most
  std::int64_t free_bytes = 0;
  std::int64_t free_files = 0;  ///< -1: no limit
};

/// By file system, in the order of the targets; empty when nothing is written.
std::vector<SpaceNeed> MeasureSpace(const PreparationPlan& plan, const LoadedTrace& trace,
                                    const RunTargets& where);

/// kRefused, with the numbers, when preparation needs more than there is.
Result<void> CheckSpace(const std::vector<SpaceNeed>& needs);

/// Bytes of the buffers of all streams.
std::int64_t BufferBytesNeeded(const LoadedTrace& trace, const ReplaySettings& settings);

/// kRefused, with the numbers, when the buffers need more than the memory of the machine.
Result<void> CheckMemory(std::int64_t buffer_bytes);

/// Descriptors a replay of all streams holds at most, with those of the program around it.
std::uint64_t DescriptorsNeeded(const LoadedTrace& trace, const ReplaySettings& settings);

/// kRefused, with the numbers, when the limit of the process cannot be that high.
Result<void> CheckDescriptorLimit(std::uint64_t needed);
/// The same; a soft limit lower than needed is raised to the hard one.
Result<void> RaiseDescriptorLimit(std::uint64_t needed);

}  // namespace ioflux
