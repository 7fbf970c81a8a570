// SPDX-License-Identifier: GPL-2.0-only
//
// BufferPool: page-aligned buffers of one size for the operations of a job that are in flight.
//
// The address space is there from the start, so taking one cannot fail; memory is used for as many
// as were ever taken at the same time, since the one given back last is taken first. The first few
// are touched beforehand, so that the first operations do not pay for page faults.
//
// Threading: one thread.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"

namespace ioflux {

class BufferPool {
 public:
  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  ~BufferPool();

  /// Once. kRefused when there is no room for `count` buffers of `buffer_bytes`.
  Result<void> Reserve(std::size_t count, std::size_t buffer_bytes);

  /// At most `count` may be out at the same time.
  char* Take();
  void Give(char* buffer);

 private:
  char* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  std::vector<char*> free_;  // the last one is taken first
};

}  // namespace ioflux
