// SPDX-License-Identifier: GPL-2.0-only
//
// LocalBackend: files. One operation is one system call (pread, pwrite, fsync, close, openat2); a
// short transfer is an outcome, not a reason to call again, and only EINTR is retried.
// The exceptions are in docs/backends.md: STAT below a root, object verbs on files, and direct I/O
// that is not aligned.
//
// Threading: any thread; Limitations() when no op runs.
#pragma once

#include <linux/openat2.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ioengine/backend/backend.h"
#include "ioengine/backend/direct_io.h"
#include "ioengine/backend/direct_opens.h"
#include "ioengine/backend/file_root.h"

namespace ioflux {

struct LocalOptions {
  bool allow_direct = false;     ///< honour the OPEN flag `direct`; else such files are buffered
  bool direct_fallback = false;  ///< a file system that refuses O_DIRECT gets a buffered open
  std::uint32_t direct_align_bytes = 0;  ///< a power of two; 0 = what the file system says
};

class LocalBackend final : public Backend {
 public:
  explicit LocalBackend(FileRoot root, LocalOptions options = {})
      : root_(std::move(root)), options_(options), direct_opens_(options.direct_align_bytes) {}

  IoOutcome Open(const BackendTarget& target, OpenRequest request, BackendHandle* handle) override;
  IoOutcome Read(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                 char* buffer) override;
  IoOutcome Write(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes,
                  const char* buffer) override;
  IoOutcome Sync(BackendHandle handle) override;
  IoOutcome Close(BackendHandle handle) override;
  IoOutcome Stat(const BackendTarget& target, std::int64_t* size_bytes) override;
  IoOutcome Get(const BackendTarget& target, std::int64_t offset, std::int64_t length_bytes,
                char* buffer) override;
  IoOutcome Put(const BackendTarget& target, std::int64_t length_bytes,
                const char* buffer) override;
  IoOutcome Head(const BackendTarget& target) override;
  IoOutcome Delete(const BackendTarget& target) override;
  bool MovesData() const override { return true; }
  std::string OpenFlagLimitation(std::string_view word) const override;
  std::vector<Limitation> Limitations() const override;
  Result<void> MakeParents(const BackendTarget& target) override;

  Result<std::unique_ptr<OpQueue>> MakeQueue(std::uint32_t depth) override;

  /// The steps of Open() and Stat() around an open that a queue performs; its result is a
  /// descriptor or -errno. Where that open is not enough, Finish does the whole operation.
  open_how HowToOpen(OpenRequest request) const;
  open_how HowToStat() const;
  IoOutcome FinishOpen(const BackendTarget& target, OpenRequest request, int result,
                       BackendHandle* handle);
  IoOutcome FinishStat(const BackendTarget& target, int result);
  /// A direct operation that a queue performs.
  void NoteQueuedDirect() { direct_io_.NoteQueued(); }

  const FileRoot& root() const { return root_; }

 private:
  BackendHandle Adopt(int descriptor, OpenRequest request, bool is_direct);
  int OpenFile(const std::string& path, int flags) const;
  void Advise(int descriptor, int advice);

  FileRoot root_;
  LocalOptions options_;
  DirectOpens direct_opens_;
  DirectIo direct_io_;
  std::atomic<std::uint64_t> refused_advice_{0};
};

}  // namespace ioflux
