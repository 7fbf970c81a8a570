// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/local_backend.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace ioflux {
namespace {

constexpr unsigned kFileMode = 0644;

/// Calls until it is not interrupted; every other result stands.
template <typename Call>
IoOutcome Once(Call call) {
  for (;;) {
    const ssize_t result = call();
    if (result >= 0) return {result, 0};
    if (errno != EINTR) return {0, errno};
  }
}

IoOutcome OutcomeOf(int zero_or_minus_errno) {
  return {0, zero_or_minus_errno < 0 ? -zero_or_minus_errno : 0};
}

int OpenFlags(OpenRequest request) {
  int flags = request.read && request.write ? O_RDWR : request.write ? O_WRONLY : O_RDONLY;
  if (request.create) flags |= O_CREAT;
  if (request.truncate) flags |= O_TRUNC;
  if (request.sync) flags |= O_SYNC;
  return flags;
}

}  // namespace

IoOutcome LocalBackend::Open(const BackendTarget& target, OpenRequest request,
                             BackendHandle* handle) {
  const int flags = OpenFlags(request);
  int descriptor = root_.Open(target.path.c_str(), flags, kFileMode);
  if (descriptor == -ENOENT && request.create) {
    // The source had this folder; a run without preparation gets it here.
    const int made = root_.MakeParents(target.path);
    if (made < 0) return OutcomeOf(made);
    descriptor = root_.Open(target.path.c_str(), flags, kFileMode);
  }
  *handle = descriptor;
  return OutcomeOf(descriptor);
}

IoOutcome LocalBackend::Read(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                             char* buffer) {
  return Once([&] {
    return pread(static_cast<int>(handle), buffer, static_cast<std::size_t>(length_bytes), offset);
  });
}

IoOutcome LocalBackend::Write(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                              const char* buffer) {
  return Once([&] {
    return pwrite(static_cast<int>(handle), buffer, static_cast<std::size_t>(length_bytes), offset);
  });
}

IoOutcome LocalBackend::Sync(BackendHandle handle) {
  return Once([&] { return static_cast<ssize_t>(fsync(static_cast<int>(handle))); });
}

IoOutcome LocalBackend::Close(BackendHandle handle) {
  // Never twice: Linux frees the descriptor even when close reports EINTR or EIO.
  return {0, close(static_cast<int>(handle)) == 0 || errno == EINTR ? 0 : errno};
}

IoOutcome LocalBackend::Stat(const BackendTarget& target, std::int64_t* size_bytes) {
  return OutcomeOf(root_.StatSize(target.path.c_str(), size_bytes));
}

IoOutcome LocalBackend::Get(const BackendTarget& target, std::int64_t offset,
                            std::int64_t length_bytes, char* buffer) {
  const int descriptor = root_.Open(target.path.c_str(), O_RDONLY);
  if (descriptor < 0) return OutcomeOf(descriptor);
  const IoOutcome outcome = Read(descriptor, offset, length_bytes, buffer);
  close(descriptor);
  return outcome;
}

IoOutcome LocalBackend::Put(const BackendTarget& target, std::int64_t length_bytes,
                            const char* buffer) {
  static std::atomic<std::uint64_t> counter{0};
  const std::size_t slash = target.path.rfind('/');
  const std::size_t leaf = slash == std::string::npos ? 0 : slash + 1;
  const std::string temporary = target.path.substr(0, leaf) + "." + target.path.substr(leaf) +
                                ".put-" + std::to_string(getpid()) + "-" +
                                std::to_string(counter.fetch_add(1));
  BackendHandle handle = kNoHandle;
  IoOutcome outcome = Open({.name = target.name, .path = temporary},
                           {.write = true, .create = true, .truncate = true}, &handle);
  if (outcome.error != 0) return outcome;
  IoOutcome piece;
  do {
    piece = Write(handle, outcome.moved_bytes, length_bytes - outcome.moved_bytes,
                  buffer + outcome.moved_bytes);
    outcome.moved_bytes += piece.moved_bytes;
  } while (piece.error == 0 && piece.moved_bytes > 0 && outcome.moved_bytes < length_bytes);
  outcome.error = piece.error;
  const IoOutcome closed = Close(handle);
  if (outcome.error == 0) outcome.error = closed.error;
  if (outcome.error == 0) outcome.error = -root_.Rename(temporary, target.path);
  if (outcome.error != 0) {
    root_.Unlink(temporary);
    outcome.moved_bytes = 0;  // nothing of it is there for a reader
  }
  return outcome;
}

IoOutcome LocalBackend::Head(const BackendTarget& target) {
  std::int64_t size_bytes = 0;
  return Stat(target, &size_bytes);
}

IoOutcome LocalBackend::Delete(const BackendTarget& target) {
  return OutcomeOf(root_.Unlink(target.path));
}

Result<void> LocalBackend::MakeParents(const BackendTarget& target) {
  const int made = root_.MakeParents(target.path);
  if (made == 0) return {};
  return SystemError("cannot make the folders above this target", -made,
                     {.path = target.name, .line = 0, .item = {}});
}

}  // namespace ioflux
