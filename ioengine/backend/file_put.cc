// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/file_put.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>

#include "ioengine/backend/system_call.h"

namespace ioflux {
namespace {

constexpr unsigned kFileMode = 0644;

/// A name that no other thread, process or host uses, whatever the length of the target's.
std::string TemporaryName() {
  static const std::uint64_t host_part = [] {
    std::uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random = 0;
    return random;
  }();
  static std::atomic<std::uint64_t> counter{0};
  // The process number tells forks of one process apart.
  return ".ioflux-put-" + std::to_string(host_part) + "-" + std::to_string(getpid()) + "-" +
         std::to_string(counter.fetch_add(1, std::memory_order_relaxed));
}

int CreateIn(int folder, const std::string& name) {
  const IoOutcome created = CallOnce([&] {
    return static_cast<ssize_t>(
        openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  });
  return created.error != 0 ? -created.error : static_cast<int>(created.moved_bytes);
}

IoOutcome WriteAll(int descriptor, std::int64_t length_bytes, const char* buffer) {
  IoOutcome total;
  while (total.error == 0 && total.moved_bytes < length_bytes) {
    const IoOutcome piece = CallOnce([&] {
      return pwrite(descriptor, buffer + total.moved_bytes,
                    static_cast<std::size_t>(length_bytes - total.moved_bytes), total.moved_bytes);
    });
    total.moved_bytes += piece.moved_bytes;
    total.error = piece.error != 0 || piece.moved_bytes > 0 ? piece.error : EIO;
  }
  return total;
}

IoOutcome PutIn(int folder, const std::string& leaf, std::int64_t length_bytes,
                const char* buffer) {
  const std::string temporary = TemporaryName();
  const int descriptor = CreateIn(folder, temporary);
  if (descriptor < 0) return OutcomeOf(descriptor);
  IoOutcome outcome = WriteAll(descriptor, length_bytes, buffer);
  // Network file systems report at the close what they could not store.
  if (close(descriptor) != 0 && errno != EINTR && outcome.error == 0) outcome.error = errno;
  if (outcome.error == 0 && renameat(folder, temporary.c_str(), folder, leaf.c_str()) != 0) {
    outcome.error = errno;
  }
  if (outcome.error != 0) {
    unlinkat(folder, temporary.c_str(), 0);
    outcome.moved_bytes = 0;
  }
  return outcome;
}

}  // namespace

IoOutcome PutFile(const FileRoot& root, const std::string& path, std::int64_t length_bytes,
                  const char* buffer) {
  std::string leaf;
  int folder = root.OpenFolderOf(path, &leaf);
  if (folder == -ENOENT) {
    const int made = root.MakeParents(path);
    if (made < 0) return OutcomeOf(made);
    folder = root.OpenFolderOf(path, &leaf);
  }
  if (folder < 0) return OutcomeOf(folder);
  const IoOutcome outcome = PutIn(folder, leaf, length_bytes, buffer);
  close(folder);
  return outcome;
}

}  // namespace ioflux
