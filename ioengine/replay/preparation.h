// SPDX-License-Identifier: GPL-2.0-only
//
// Preparation: the state of the targets before the clock starts. None of its I/O is counted.
//
//   assume-existing        every target the trace does not create itself must exist; a recorded
//   size must match materialize-synthetic  every such target is (re)created with generated content
//   (payload.h, op id 0) and fsynced.
//                          Its size is the recorded one or what the reads need, whichever is
//                          larger; a target of unknown size that is never read becomes an empty
//                          file and is counted.
// Targets that the trace itself creates are left to it; only the folders above them are made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/backend.h"
#include "ioengine/replay/payload.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

enum class PrepareMode : std::uint8_t { kNone, kAssumeExisting, kMaterializeSynthetic };

struct PrepareReport {
  std::int64_t verified = 0;
  std::int64_t created = 0;
  std::int64_t left_to_trace = 0;
  std::int64_t skipped_size_unknown = 0;
  std::int64_t derived_size_from_ops = 0;
  std::int64_t created_empty = 0;  ///< materialised without any known size
  std::int64_t bytes_written = 0;
  std::int64_t duration_ns = 0;
};

/// `stopping` is asked between chunks; when it says true the result is a kFailed error. `targets`
/// by target id.
Result<PrepareReport> Prepare(PrepareMode mode, const LoadedTrace& trace,
                              const std::vector<BackendTarget>& targets, Backend& backend,
                              const Payload& payload, const std::function<bool()>& stopping);

}  // namespace ioflux
