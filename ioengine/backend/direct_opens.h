// SPDX-License-Identifier: GPL-2.0-only
//
// DirectOpens: what became of the OPEN operations that asked for O_DIRECT.
//
// It gives an open file its handle and keeps account of everything that makes "direct" mean less
// than the trace says: refusals, alignments that had to be inferred, file systems without a device.
//
// Threading: any thread; Limitations() when no op runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "ioengine/backend/direct_alignment.h"
#include "ioengine/backend/limitation.h"
#include "ioengine/backend/local_handle.h"

namespace ioflux {

class DirectOpens {
 public:
  /// See DirectAlignments.
  explicit DirectOpens(std::uint32_t align_bytes) : alignments_(align_bytes) {}

  /// Of a descriptor that is open with O_DIRECT. Where the file system says that it serves the file
  /// from the page cache all the same, the handle is a buffered one: no alignment is asked for.
  BackendHandle HandleOf(int descriptor);

  /// The file system answered EINVAL to O_DIRECT.
  void NoteRefused(const std::string& target_name, bool fell_back);

  std::vector<Limitation> Limitations() const;

 private:
  DirectAlignments alignments_;
  std::atomic<std::uint64_t> assumed_{0};
  std::atomic<std::uint64_t> in_memory_{0};
  std::atomic<std::uint64_t> cached_{0};
  mutable std::mutex mutex_;
  std::uint64_t refused_ = 0;        // guarded by mutex_, like the names
  std::set<std::string> fell_back_;  // one entry per file
};

}  // namespace ioflux
