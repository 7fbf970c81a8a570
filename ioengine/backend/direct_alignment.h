// SPDX-License-Identifier: GPL-2.0-only
//
// DirectAlignments: how offsets, lengths and buffers of direct I/O on a file must be aligned.
//
// Asked of the kernel for each file (statx STATX_DIOALIGN, Linux 6.1 and newer file systems). Where
// the file system does not answer, from the first of these that is a power of two from 512 to 4096:
// the logical block size of the device below (/sys/dev/block, readable without privileges), then
// the preferred block size of the file; at last 4096, the page, which no local file system exceeds.
// A setting of the user comes before all of them.
//
// Threading: any thread. Errors: none, there is always an answer.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "ioengine/backend/local_handle.h"

namespace ioflux {

/// What is known of direct I/O on one file.
struct DirectSupport {
  enum class Source : std::uint8_t {
    kFileSystem,  ///< stated by the file system, or set by the user
    kAssumed,     ///< inferred
    kInMemory,    ///< tmpfs and the like: no device, nothing to bypass
    kCached,      ///< the file system says that it serves this file through the page cache
  };
  DirectAlignment alignment;
  Source source = Source::kAssumed;
};

class DirectAlignments {
 public:
  /// `align_bytes` of the user, a power of two; 0 = none.
  explicit DirectAlignments(std::uint32_t align_bytes) : align_bytes_(align_bytes) {}

  DirectSupport Of(int descriptor);

 private:
  DirectSupport Inferred(int descriptor, dev_t device, std::uint32_t preferred_bytes);

  std::uint32_t align_bytes_;
  std::mutex mutex_;
  std::map<dev_t, DirectSupport> inferred_;  // the same for all files of a device
};

}  // namespace ioflux
