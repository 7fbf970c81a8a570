// SPDX-License-Identifier: GPL-2.0-only
//
// FileRoot: the folder that file operations start from, and whether they may leave it.
//
// Confined: opened once, every open goes through openat2(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS),
// so the kernel refuses `..`, absolute names and symbolic links that would lead outside, at the
// moment of the open. Unconfined: plain opens relative to the working directory.
//
// Threading: all calls may come from any thread. Errors are errno values, since these calls are on
// the data path; EXDEV means "would leave the root".
#pragma once

#include <linux/openat2.h>

#include <string>

#include "base/result.h"

namespace ioflux {

class FileRoot {
 public:
  /// No confinement: names as the process sees them.
  static FileRoot Unconfined();
  /// `path` must be a folder. With `create` it and its parents are made if missing.
  static Result<FileRoot> Confined(const std::string& path, bool create);

  /// Another handle on the same folder (or on none): never resolved by path again.
  Result<FileRoot> Clone() const;

  FileRoot(FileRoot&& other) noexcept;
  FileRoot& operator=(FileRoot&& other) noexcept;
  ~FileRoot();

  bool confined() const { return descriptor_ >= 0; }

  /// For an openat2 that somebody else submits: the folder, or AT_FDCWD, and how.
  int descriptor() const;
  open_how HowToOpen(int flags, unsigned mode) const;

  /// A descriptor, or -errno.
  int Open(const char* path, int flags, unsigned mode = 0) const;
  /// 0 or -errno. Follows links like stat(2), below the root.
  int StatSize(const char* path, std::int64_t* size_bytes) const;
  /// 0 or -errno, below the root in every path component.
  int Unlink(const std::string& path) const;
  int MakeParents(const std::string& path) const;
  /// The folder that `path` is in, as an O_PATH descriptor, and the last component of `path`; or
  /// -errno.
  int OpenFolderOf(const std::string& path, std::string* leaf) const;

 private:
  explicit FileRoot(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace ioflux
