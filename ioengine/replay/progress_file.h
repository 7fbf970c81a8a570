// SPDX-License-Identifier: GPL-2.0-only
//
// ProgressFile: live counters of a run in a small shared file, so that whoever started fio can show
// progress.
//
// Layout: one 64-byte slot per job, of which the first two words are ops and bytes done so far
// (host byte order). Slot 0 of the file is a header: magic, slot count, ops and bytes planned. The
// engine creates and maps it; a reader maps or reads it at any time. Values are torn-free words,
// each monotone.
//
// Threading: each slot has one writer (a job); readers anywhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace ioflux {

struct alignas(64) ProgressSlot {
  std::atomic<std::uint64_t> ops{0};
  std::atomic<std::uint64_t> bytes{0};
};

struct ProgressTotals {
  std::uint64_t planned_ops = 0;
  std::uint64_t planned_bytes = 0;
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
};

class ProgressFile {
 public:
  /// Creates `path` with a slot for each of `jobs` jobs, and all the space that it will need. An
  /// error leaves no file.
  static Result<ProgressFile> Create(const std::string& path, std::uint32_t jobs,
                                     std::uint64_t planned_ops, std::uint64_t planned_bytes);
  ProgressFile() = default;
  ProgressFile(ProgressFile&& other) noexcept;
  ProgressFile& operator=(ProgressFile&& other) noexcept;
  ~ProgressFile();

  /// Of one job; nullptr without a file.
  ProgressSlot* slot(std::uint32_t job) const;

 private:
  void* map_ = nullptr;
  std::size_t map_bytes_ = 0;
};

/// Sum over all jobs; zeros while the file is not there yet.
ProgressTotals ReadProgress(const std::string& path);

}  // namespace ioflux
