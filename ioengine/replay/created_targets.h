// SPDX-License-Identifier: GPL-2.0-only
//
// CreatedTargets: the files that a run leaves behind because its trace creates them, so that the
// next run of the same trace creates them too instead of finding them there.
//
// Only what a run made is ever removed: nothing was under that name before the run, a regular file
// was there after it, and it still is that file, untouched since. Everything goes through the
// target root. Call LookBefore() and LookAfter() around each run.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stopping.h"
#include "ioengine/backend/backend.h"
#include "ioengine/backend/file_root.h"
#include "ioengine/replay/settings.h"
#include "trace_tools/format/trace_header.h"

namespace ioflux {

class CreatedTargets {
 public:
  /// Reads the trace. Back ends without files have none.
  static Result<CreatedTargets> Of(const ReplaySettings& settings, const Stopping& stopping);

  /// Notes which of them are not there.
  Result<void> LookBefore();
  /// Notes which of those are there now: the run made them.
  Result<void> LookAfter();

  /// Removes what the runs made, as far as it is still there unchanged: how many. kIo when one
  /// cannot be removed.
  Result<std::int64_t> Remove();

 private:
  /// A file as a run left it.
  struct MadeFile {
    std::size_t id = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size_bytes = 0;
    timespec changed{};

    bool SameAs(const MadeFile& other) const;
  };
  struct Look {
    bool absent = false;
    std::optional<MadeFile> file;  ///< when a regular file is there
  };

  CreatedTargets(const ReplaySettings& settings, TraceHeader header)
      : settings_(settings), header_(std::move(header)) {}

  static Look LookAtTarget(const FileRoot& root, const BackendTarget& target, std::size_t id);

  ReplaySettings settings_;
  TraceHeader header_;
  std::vector<std::size_t> ids_;  ///< of targets that the trace may create
  std::vector<std::size_t> absent_;
  std::vector<MadeFile> made_;
};

}  // namespace ioflux
