// SPDX-License-Identifier: GPL-2.0-only
//
// LocalBackend: files. One operation is one system call (pread, pwrite, fsync, close, openat2,
// fstatat); a short transfer is an outcome, not a reason to call again, and only EINTR is retried.
//
// The object verbs map to files so that object traces can go to a file system: PUT writes a
// temporary file beside the target and renames it over it, GET is open + pread + close, HEAD is
// STAT, DELETE is unlink.
//
// Threading: stateless but for the root; any thread.
#pragma once

#include <utility>

#include "ioengine/backend/backend.h"
#include "ioengine/backend/file_root.h"

namespace ioflux {

class LocalBackend final : public Backend {
 public:
  explicit LocalBackend(FileRoot root) : root_(std::move(root)) {}

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
  Result<void> MakeParents(const BackendTarget& target) override;

  const FileRoot& root() const { return root_; }

 private:
  FileRoot root_;
};

}  // namespace ioflux
