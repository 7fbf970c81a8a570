// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/local_backend.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ioengine/backend/file_put.h"
#include "ioengine/backend/system_call.h"
#include "ioengine/backend/uring_queue.h"

namespace ioflux {
namespace {

constexpr unsigned kFileMode = 0644;

/// `append` is not among them: with O_APPEND Linux ignores the offset of a pwrite.
int OpenFlags(OpenRequest request) {
  int flags = request.read && request.write ? O_RDWR : request.write ? O_WRONLY : O_RDONLY;
  if (request.create) flags |= O_CREAT;
  if (request.truncate) flags |= O_TRUNC;
  if (request.sync) flags |= O_SYNC;
  return flags;
}

}  // namespace

int LocalBackend::OpenFile(const std::string& path, int flags) const {
  const int descriptor = root_.Open(path.c_str(), flags, kFileMode);
  if (descriptor != -ENOENT || (flags & O_CREAT) == 0) return descriptor;
  // The source had this folder; a run without preparation gets it here.
  const int made = root_.MakeParents(path);
  return made < 0 ? made : root_.Open(path.c_str(), flags, kFileMode);
}

IoOutcome LocalBackend::Open(const BackendTarget& target, OpenRequest request,
                             BackendHandle* handle) {
  *handle = kNoHandle;
  const int flags = OpenFlags(request);
  const bool direct = request.direct && options_.allow_direct;
  int descriptor = OpenFile(target.path, direct ? flags | O_DIRECT : flags);
  const bool refused = direct && descriptor == -EINVAL;
  if (refused && options_.direct_fallback) descriptor = OpenFile(target.path, flags);
  if (refused) direct_opens_.NoteRefused(target.name, /*fell_back=*/descriptor >= 0);
  if (descriptor < 0) return OutcomeOf(descriptor);
  *handle = Adopt(descriptor, request, direct && !refused);
  return {};
}

BackendHandle LocalBackend::Adopt(int descriptor, OpenRequest request, bool is_direct) {
  if (request.sequential) Advise(descriptor, POSIX_FADV_SEQUENTIAL);
  if (request.random) Advise(descriptor, POSIX_FADV_RANDOM);
  return is_direct ? direct_opens_.HandleOf(descriptor) : descriptor;
}

open_how LocalBackend::HowToOpen(OpenRequest request) const {
  const bool direct = request.direct && options_.allow_direct;
  return root_.HowToOpen(direct ? OpenFlags(request) | O_DIRECT : OpenFlags(request), kFileMode);
}

IoOutcome LocalBackend::FinishOpen(const BackendTarget& target, OpenRequest request, int result,
                                   BackendHandle* handle) {
  *handle = kNoHandle;
  const bool direct = request.direct && options_.allow_direct;
  const bool folder_is_missing = result == -ENOENT && request.create;
  const bool direct_is_refused = result == -EINVAL && direct;
  const bool again = result == -EINTR || result == -EAGAIN;
  if (folder_is_missing || direct_is_refused || again) return Open(target, request, handle);
  if (result < 0) return OutcomeOf(result);
  *handle = Adopt(result, request, direct);
  return {};
}

open_how LocalBackend::HowToStat() const { return root_.HowToOpen(O_PATH, 0); }

IoOutcome LocalBackend::FinishStat(const BackendTarget& target, int result) {
  std::int64_t size_bytes = 0;
  if (result == -EINTR || result == -EAGAIN) return Stat(target, &size_bytes);
  if (result < 0) return OutcomeOf(result);
  struct stat status {};
  const IoOutcome outcome = OutcomeOf(fstat(result, &status) == 0 ? 0 : -errno);
  close(result);
  return outcome;
}

Result<std::unique_ptr<OpQueue>> LocalBackend::MakeQueue(std::uint32_t depth) {
  IOFLUX_ASSIGN_OR_RETURN(std::unique_ptr<UringQueue> queue, UringQueue::Create(*this, depth));
  return std::unique_ptr<OpQueue>(std::move(queue));
}

void LocalBackend::Advise(int descriptor, int advice) {
  if (posix_fadvise(descriptor, 0, 0, advice) != 0) {
    refused_advice_.fetch_add(1, std::memory_order_relaxed);
  }
}

IoOutcome LocalBackend::Read(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                             char* buffer) {
  const LocalHandle file(handle);
  if (file.direct()) [[unlikely]]
    return direct_io_.Read(file, offset, length_bytes, buffer);
  return CallOnce([&] {
    return pread(file.descriptor(), buffer, static_cast<std::size_t>(length_bytes), offset);
  });
}

IoOutcome LocalBackend::Write(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                              const char* buffer) {
  const LocalHandle file(handle);
  if (file.direct()) [[unlikely]]
    return direct_io_.Write(file, offset, length_bytes, buffer);
  return CallOnce([&] {
    return pwrite(file.descriptor(), buffer, static_cast<std::size_t>(length_bytes), offset);
  });
}

IoOutcome LocalBackend::Sync(BackendHandle handle) {
  const int descriptor = LocalHandle(handle).descriptor();
  return CallOnce([&] { return static_cast<ssize_t>(fsync(descriptor)); });
}

IoOutcome LocalBackend::Close(BackendHandle handle) {
  // Never twice: Linux frees the descriptor even when close reports EINTR or EIO.
  return {0, close(LocalHandle(handle).descriptor()) == 0 || errno == EINTR ? 0 : errno};
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
  return PutFile(root_, target.path, length_bytes, buffer);
}

IoOutcome LocalBackend::Head(const BackendTarget& target) {
  std::int64_t size_bytes = 0;
  return Stat(target, &size_bytes);
}

IoOutcome LocalBackend::Delete(const BackendTarget& target) {
  return OutcomeOf(root_.Unlink(target.path));
}

std::string LocalBackend::OpenFlagLimitation(std::string_view word) const {
  if (word == "append") {
    return "written at the recorded offsets, where the source's appends landed; the kernel is not "
           "asked for the end of the file";
  }
  if (word == "direct" && !options_.allow_direct) {
    return "opened buffered, since direct I/O is not allowed (--allow-direct)";
  }
  for (const std::string_view honoured : {"create", "trunc", "sync", "direct", "seq", "rand"}) {
    if (word == honoured) return {};
  }
  return "no effect, a replay does not know the word";
}

std::vector<Limitation> LocalBackend::Limitations() const {
  std::vector<Limitation> all = {
      {"replay is positional: reads and writes of the source are made at their offsets "
       "(pread, pwrite, or the same through io_uring), stat by descriptor becomes stat by path"},
      {root_.confined()
           ? "the target root is enforced by the kernel; bind mounts and hard links inside "
             "it lead to whatever they were made for, device nodes and pipes that are "
             "put there during the run can be opened"
           : "no target root: nothing keeps the operations inside a folder"}};
  for (const std::vector<Limitation>& more :
       {direct_opens_.Limitations(), direct_io_.Limitations()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  if (const std::uint64_t count = refused_advice_.load(std::memory_order_relaxed); count != 0) {
    all.push_back({"the file system refused the advice (seq, rand) of {} OPEN op(s)", {count}});
  }
  return all;
}

Result<void> LocalBackend::MakeParents(const BackendTarget& target) {
  const int made = root_.MakeParents(target.path);
  if (made == 0) return {};
  return SystemError("cannot make the folders above this target", -made,
                     {.path = target.name, .line = 0, .item = {}});
}

}  // namespace ioflux
