// SPDX-License-Identifier: GPL-2.0-only
//
// RunTargets: where the operations of a run go, once the target map and the target root have been
// applied, and the rule which runs are too dangerous to start.
//
// Ownership: the root is a handle on the folder as it was resolved; everything that touches targets
// later goes through it or a clone of it. Threading: const after ResolveRunTargets.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/backend.h"
#include "ioengine/backend/file_root.h"
#include "ioengine/replay/file_look.h"
#include "ioengine/replay/settings.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

struct RunTargets {
  std::vector<BackendTarget> targets;  ///< by target id
  FileRoot root = FileRoot::Unconfined();
  std::string root_path;      ///< absolute; empty = unconfined
  bool on_files = false;      ///< they are files at all, not names in a back end without storage
  bool root_missing = false;  ///< nothing is there yet; `root` is then the folder it would be in

  /// What is at a target now.
  FileLook Look(const BackendTarget& target) const;
};

/// What to do about a target root that does not exist but that preparation would make.
enum class MissingRoot : std::uint8_t { kMake, kLeave };

/// kRefused: a name without a rule in the map, or one that would leave the root.
Result<RunTargets> ResolveRunTargets(const ReplaySettings& settings, const TraceHeader& header,
                                     MissingRoot missing_root);

/// kRefused: a run that writes where nobody asked it to, or on a host that forbids writes. Asked
/// for is what lies in a target root, what a rule of the map sends elsewhere, and everything when
/// the run is unconfined.
Result<void> CheckRunSafety(const ReplaySettings& settings, const LoadedTrace& trace,
                            bool host_is_read_only);

/// Whether the mode of preparation writes targets.
bool Materialises(const ReplaySettings& settings);

}  // namespace ioflux
