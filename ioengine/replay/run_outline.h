// SPDX-License-Identifier: GPL-2.0-only
//
// RunOutline: what a run would do, found out without touching anything: what preparation would
// make, what the trace reads, writes and deletes, how long it is planned to take, what it needs of
// space and descriptors, and whether it would be refused.
//
// The same steps as a real run's (load, safety, map, root, plan), with a missing target root left
// missing. Threading: values. Units: nanoseconds and bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/preparation_plan.h"
#include "ioengine/replay/run_capacity.h"
#include "ioengine/replay/run_pace.h"
#include "ioengine/replay/settings.h"
#include "trace_tools/format/op.h"

namespace ioflux {

/// Targets that the same is done to.
struct OutlinedTargets {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::vector<std::string> first_names;  ///< at most kOutlinedNames
};
inline constexpr std::size_t kOutlinedNames = 5;

struct RunOutline {
  std::string mode;
  std::int64_t streams = 0;
  std::int64_t ops = 0;
  std::array<std::uint64_t, kOpKinds> op_counts{};
  RunPace pace;

  std::string root_path;  ///< empty = unconfined
  bool makes_root = false;
  /// By preparation; of the plan's steps.
  OutlinedTargets made;    ///< nothing is there
  OutlinedTargets remade;  ///< something else is there
  OutlinedTargets made_folders;
  OutlinedTargets kept;
  OutlinedTargets verified;
  OutlinedTargets left_to_trace;
  OutlinedTargets left_over;  ///< of these, already there
  /// By the trace.
  OutlinedTargets read;
  OutlinedTargets written;  ///< or created, or cut
  OutlinedTargets deleted;

  std::vector<SpaceNeed> space;
  std::uint64_t descriptors_needed = 0;

  std::vector<std::string> warnings;
  std::optional<Error> refusal;  ///< why the run would not start; what is above may be incomplete
};

/// An error when there is nothing to say: settings that contradict each other (kUsage), a trace
/// that cannot be read. `stopping` is asked now and then; kFailed when it says true.
Result<RunOutline> OutlineRun(const ReplaySettings& settings, const Stopping& stopping = {});

}  // namespace ioflux
