// SPDX-License-Identifier: GPL-2.0-only
//
// DirectIo: reads and writes of files that are open with O_DIRECT, and the account of them.
//
//   aligned          one pread or pwrite, straight from and to the caller's buffer
//   unaligned read   one pread of the aligned window around it into a buffer of the thread
//   unaligned write  through the page cache, as file systems do it themselves where they cannot
//                    write directly: O_DIRECT off, pwrite of exactly these bytes, their pages
//                    written out and dropped, O_DIRECT on
// So no write ever carries a byte that is not its own, and none makes a file longer than it should
// be: reading, patching and writing back whole blocks would lose what another stream, process or
// host has put into them meanwhile, whatever lock this process held. The file system's own lock
// covers all of them, and the same operation is correct between buffered and direct files.
//
// A buffer that lies badly for the device is copied; that changes no request.
//
// Threading: any thread; a handle belongs to one stream, which has one operation in flight, so
// nobody else sees the moment without O_DIRECT. Errors: errno values, as the calls give them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "ioengine/backend/backend.h"
#include "ioengine/backend/limitation.h"
#include "ioengine/backend/local_handle.h"

namespace ioflux {

/// Whether the request can go to the device as it is.
bool IsAligned(DirectAlignment alignment, std::int64_t offset, std::int64_t length_bytes);

class DirectIo {
 public:
  /// `handle` must be direct.
  IoOutcome Read(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes, char* buffer);
  IoOutcome Write(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes,
                  const char* buffer);

  /// An aligned operation that goes to the file another way.
  void NoteQueued() { operations_.fetch_add(1, std::memory_order_relaxed); }

  /// The account so far, in sentences; none without direct operations.
  std::vector<Limitation> Limitations() const;

 private:
  // Relaxed: they are read when the run is over.
  std::atomic<std::uint64_t> operations_{0};
  std::atomic<std::uint64_t> unaligned_reads_{0};
  std::atomic<std::uint64_t> unaligned_writes_{0};
};

}  // namespace ioflux
