// SPDX-License-Identifier: GPL-2.0-only
//
// Preparation: carries out a preparation plan before the clock starts. None of its I/O is counted.
//
// What is made is written in chunks of 1 MiB by up to four threads, one target each at a time, and
// fsynced.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "ioengine/backend/backend.h"
#include "ioengine/replay/preparation_plan.h"

namespace ioflux {

/// Counts are targets.
struct PrepareReport {
  std::int64_t verified = 0;
  std::int64_t kept = 0;  ///< were already what materialising would make
  std::int64_t created = 0;
  std::int64_t copied = 0;
  std::int64_t left_to_trace = 0;
  std::int64_t left_over =
      0;  ///< of these, already there: the trace does not create, it overwrites
  std::int64_t skipped_size_unknown = 0;
  std::int64_t derived_size_from_ops = 0;
  std::int64_t created_empty = 0;  ///< materialised without any known size
  std::int64_t bytes_written = 0;
  std::int64_t duration_ns = 0;  ///< of planning and preparing; the caller's to fill in

  bool touched_same_data() const { return created + copied > 0; }
};

/// `stopping` is asked between targets and between chunks, from any thread; when it says true the
/// result is a kFailed error. After any failure the files that were being made are gone, unless
/// there were files of their names before; the error says which targets are ready.
Result<PrepareReport> Prepare(const PreparationInput& input, const PreparationPlan& plan,
                              Backend& backend, const std::function<bool()>& stopping);

}  // namespace ioflux
