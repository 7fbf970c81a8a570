// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/direct_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "ioengine/backend/system_call.h"

namespace ioflux {
namespace {

constexpr std::int64_t kPageBytes = 4096;

std::int64_t RoundDown(std::int64_t value, std::int64_t power) { return value & ~(power - 1); }
std::int64_t RoundUp(std::int64_t value, std::int64_t power) {
  return RoundDown(value + power - 1, power);
}

bool LiesWell(const char* buffer, DirectAlignment alignment) {
  return (reinterpret_cast<std::uintptr_t>(buffer) & (alignment.memory_bytes - 1)) == 0;
}

/// Grows and keeps the bounce buffer of this thread; nullptr when there is no memory.
char* BounceBuffer(std::int64_t length_bytes, DirectAlignment alignment) {
  struct Free {
    void operator()(char* buffer) const { std::free(buffer); }
  };
  thread_local std::unique_ptr<char, Free> buffer;
  thread_local std::int64_t buffer_bytes = 0;
  if (length_bytes > buffer_bytes || !LiesWell(buffer.get(), alignment)) {
    const std::int64_t lie_bytes = std::max<std::int64_t>(alignment.memory_bytes, kPageBytes);
    buffer_bytes = RoundUp(std::max(length_bytes, buffer_bytes), lie_bytes);
    buffer.reset(static_cast<char*>(std::aligned_alloc(static_cast<std::size_t>(lie_bytes),
                                                       static_cast<std::size_t>(buffer_bytes))));
    if (buffer == nullptr) buffer_bytes = 0;
  }
  return buffer.get();
}

IoOutcome ReadAt(int descriptor, std::int64_t offset, std::int64_t length_bytes, char* buffer) {
  return CallOnce(
      [&] { return pread(descriptor, buffer, static_cast<std::size_t>(length_bytes), offset); });
}

IoOutcome WriteAt(int descriptor, std::int64_t offset, std::int64_t length_bytes,
                  const char* buffer) {
  return CallOnce(
      [&] { return pwrite(descriptor, buffer, static_cast<std::size_t>(length_bytes), offset); });
}

/// One read of the aligned range around the request; of its count only what was asked for counts.
IoOutcome ReadWindow(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes,
                     char* buffer) {
  const DirectAlignment alignment = handle.alignment();
  const std::int64_t start = RoundDown(offset, alignment.offset_bytes);
  const std::int64_t window_bytes = RoundUp(offset + length_bytes, alignment.offset_bytes) - start;
  char* const bounce = BounceBuffer(window_bytes, alignment);
  if (bounce == nullptr) return {0, ENOMEM};
  IoOutcome outcome = ReadAt(handle.descriptor(), start, window_bytes, bounce);
  outcome.moved_bytes =
      std::clamp<std::int64_t>(outcome.moved_bytes - (offset - start), 0, length_bytes);
  std::memcpy(buffer, bounce + (offset - start), static_cast<std::size_t>(outcome.moved_bytes));
  return outcome;
}

IoOutcome WriteCopy(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes,
                    const char* buffer) {
  char* const bounce = BounceBuffer(length_bytes, handle.alignment());
  if (bounce == nullptr) return {0, ENOMEM};
  std::memcpy(bounce, buffer, static_cast<std::size_t>(length_bytes));
  return WriteAt(handle.descriptor(), offset, length_bytes, bounce);
}

/// Waits until the pages of the range are on the device and drops them from the cache.
int FlushPages(int descriptor, std::int64_t offset, std::int64_t length_bytes) {
  const std::int64_t start = RoundDown(offset, kPageBytes);
  const std::int64_t range_bytes = RoundUp(offset + length_bytes, kPageBytes) - start;
  constexpr unsigned kWriteAndWait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const IoOutcome flushed = CallOnce([&] {
    return static_cast<ssize_t>(sync_file_range(descriptor, start, range_bytes, kWriteAndWait));
  });
  // Only what this write brought in is lost to others; a page in use stays.
  posix_fadvise(descriptor, start, range_bytes, POSIX_FADV_DONTNEED);
  return flushed.error;
}

IoOutcome WriteThroughCache(int descriptor, std::int64_t offset, std::int64_t length_bytes,
                            const char* buffer) {
  // Of the flags that F_SETFL can change, O_DIRECT is the only one these descriptors have.
  if (fcntl(descriptor, F_SETFL, 0) != 0) return {0, errno};
  IoOutcome outcome = WriteAt(descriptor, offset, length_bytes, buffer);
  if (outcome.error == 0) outcome.error = FlushPages(descriptor, offset, outcome.moved_bytes);
  if (fcntl(descriptor, F_SETFL, O_DIRECT) != 0 && outcome.error == 0) outcome.error = errno;
  if (outcome.error != 0) outcome.moved_bytes = 0;
  return outcome;
}

/// Beyond what a file can have; the kernel's own answer to such a request is the right one.
bool IsOutOfRange(std::int64_t offset, std::int64_t length_bytes, DirectAlignment alignment) {
  const std::int64_t limit = std::numeric_limits<std::int64_t>::max() -
                             std::max<std::int64_t>(alignment.offset_bytes, kPageBytes);
  return offset < 0 || length_bytes < 0 || length_bytes > limit || offset > limit - length_bytes;
}

}  // namespace

bool IsAligned(DirectAlignment alignment, std::int64_t offset, std::int64_t length_bytes) {
  return ((offset | length_bytes) & (std::int64_t{alignment.offset_bytes} - 1)) == 0 ||
         length_bytes == 0;
}

IoOutcome DirectIo::Read(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes,
                         char* buffer) {
  operations_.fetch_add(1, std::memory_order_relaxed);
  const DirectAlignment alignment = handle.alignment();
  const bool aligned = IsAligned(alignment, offset, length_bytes);
  if ((aligned && LiesWell(buffer, alignment)) || IsOutOfRange(offset, length_bytes, alignment)) {
    return ReadAt(handle.descriptor(), offset, length_bytes, buffer);
  }
  if (!aligned) unaligned_reads_.fetch_add(1, std::memory_order_relaxed);
  return ReadWindow(handle, offset, length_bytes, buffer);
}

IoOutcome DirectIo::Write(LocalHandle handle, std::int64_t offset, std::int64_t length_bytes,
                          const char* buffer) {
  operations_.fetch_add(1, std::memory_order_relaxed);
  const DirectAlignment alignment = handle.alignment();
  if (IsOutOfRange(offset, length_bytes, alignment)) {
    return WriteAt(handle.descriptor(), offset, length_bytes, buffer);
  }
  if (IsAligned(alignment, offset, length_bytes)) {
    return LiesWell(buffer, alignment) ? WriteAt(handle.descriptor(), offset, length_bytes, buffer)
                                       : WriteCopy(handle, offset, length_bytes, buffer);
  }
  unaligned_writes_.fetch_add(1, std::memory_order_relaxed);
  return WriteThroughCache(handle.descriptor(), offset, length_bytes, buffer);
}

std::vector<Limitation> DirectIo::Limitations() const {
  const std::uint64_t reads = unaligned_reads_.load(std::memory_order_relaxed);
  const std::uint64_t writes = unaligned_writes_.load(std::memory_order_relaxed);
  if (reads + writes == 0) return {};
  std::vector<Limitation> all = {
      {"{} of {} direct op(s) were unaligned; their device traffic is larger than requested",
       {reads + writes, operations_.load(std::memory_order_relaxed)}}};
  if (writes != 0) {
    all.push_back(
        {"{} unaligned direct write(s) went through the page cache and reached the "
         "device before they ended",
         {writes}});
  }
  return all;
}

}  // namespace ioflux
