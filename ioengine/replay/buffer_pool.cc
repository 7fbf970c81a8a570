// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/buffer_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/size_text.h"

namespace ioflux {
namespace {

constexpr std::size_t kPageBytes = 4096;
/// To touch all of the buffers of thousands of streams beforehand could exhaust memory.
constexpr std::size_t kTouchedBytes = std::size_t{64} << 20;

}  // namespace

BufferPool::~BufferPool() {
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
}

Result<void> BufferPool::Reserve(std::size_t count, std::size_t buffer_bytes) {
  const std::size_t each =
      (std::max<std::size_t>(buffer_bytes, 1) + kPageBytes - 1) / kPageBytes * kPageBytes;
  const bool fits = count <= SIZE_MAX / 2 / each;
  void* memory = fits ? mmap(nullptr, each * count, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                      : MAP_FAILED;
  if (memory == MAP_FAILED) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = "no memory for " + std::to_string(count) + " operations in flight of " +
                         FormatSizeHuman(buffer_bytes) + " each",
                 .where = {},
                 .mend = "lower --max-inflight (max_inflight), or look whether the trace is sound"};
  }
  memory_ = static_cast<char*>(memory);
  memory_bytes_ = each * count;
  for (std::size_t i = count; i > 0; --i) free_.push_back(memory_ + (i - 1) * each);
  std::memset(memory_, 0, std::min(memory_bytes_, kTouchedBytes));
  return {};
}

char* BufferPool::Take() {
  char* buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void BufferPool::Give(char* buffer) { free_.push_back(buffer); }

}  // namespace ioflux
