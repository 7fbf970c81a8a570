// SPDX-License-Identifier: GPL-2.0-only
//
// PreparationPlan: what preparation has to do to each target, found out by looking only. Nothing is
// made, changed or opened for writing; files that may be kept are read at a few offsets.
//
//   assume-existing          every target the trace does not create itself must exist; a recorded
//                            size must match, and an unknown one must cover what is only read
//   materialize-synthetic    every such target gets generated content (payload.h, op id 0). Its
//                            size is the recorded one or what the reads need, whichever is larger;
//                            one of unknown size that is never read becomes an empty file
//   materialize-from-source  the same with the content and the size of the file that has the
//                            original name below the source root
//
// A target that already is what materialising would make is kept, unless the trace writes to it:
// what an earlier run left there cannot be told by looking at a few blocks. Targets that the trace
// itself creates are left to it. A target that other targets are below is a folder. Several targets
// may share a path (a map can send two names to one); they are one entry, for the larger need.
//
// Threading: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stopping.h"
#include "ioengine/replay/payload.h"
#include "ioengine/replay/run_targets.h"
#include "ioengine/replay/source_files.h"
#include "ioengine/replay/target_content.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

enum class PrepareMode : std::uint8_t {
  kNone,
  kAssumeExisting,
  kMaterializeSynthetic,
  kMaterializeFromSource,
};

PrepareMode PrepareModeOf(const ReplaySettings& settings);

enum class PrepareStep : std::uint8_t {
  kUntouched,  ///< mode none
  kLeaveToTrace,
  kVerify,  ///< it is there, of the recorded size
  kVerifySizeUnknown,
  kKeep,    ///< it already is what it has to be
  kMake,    ///< nothing is there
  kRemake,  ///< something else is there
  kMakeFolder,
};

struct PlannedTarget {
  std::size_t id = 0;  ///< the first target on this path
  PrepareStep step = PrepareStep::kUntouched;
  std::int64_t recorded_bytes = 0;     ///< in the header of the trace, 0 = unknown
  std::int64_t read_extent_bytes = 0;  ///< what the reads need
  std::int64_t size_bytes = 0;         ///< it will have
  bool created_by_trace = false;
  bool written_by_trace = false;
  FileLook now{};

  bool makes_file() const { return step == PrepareStep::kMake || step == PrepareStep::kRemake; }
};

/// What a plan is made of; all of it must outlive the calls.
struct PreparationInput {
  PrepareMode mode = PrepareMode::kNone;
  const LoadedTrace* trace = nullptr;
  const RunTargets* where = nullptr;
  const Payload* payload = nullptr;
  const SourceFiles* sources = nullptr;  ///< kMaterializeFromSource only
  Stopping stopping{};                   ///< asked between targets; may be empty

  /// What has to be in a target; an error when its source cannot be had.
  Result<TargetContent> ContentOf(std::size_t target_id) const;
};

struct PreparationPlan {
  std::vector<PlannedTarget> targets;  ///< one per path, in table order

  std::int64_t Count(PrepareStep step) const;
  std::int64_t bytes_to_write() const;
};

/// kRefused when a target is missing, has a wrong size, or has no source: the first of them, with
/// the number of the others. kFailed when `stopping` says true.
Result<PreparationPlan> PlanPreparation(const PreparationInput& input);

}  // namespace ioflux
