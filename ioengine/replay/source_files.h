// SPDX-License-Identifier: GPL-2.0-only
//
// SourceFiles: the folder that original target names are looked up in, for copying.
//
// Names lose their leading slashes: "/data/a" is ROOT/data/a. The kernel keeps the walk below ROOT
// as chroot(2) would: absolute symbolic links start again at ROOT, `..` stops there. A name that
// itself has a `..` is refused.
//
// Threading: any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ioflux {

/// A file or folder open for reading, closed with the object.
class SourceFile {
 public:
  SourceFile(int descriptor, std::int64_t size_bytes, bool is_folder)
      : descriptor_(descriptor), size_bytes_(size_bytes), is_folder_(is_folder) {}
  SourceFile(SourceFile&& other) noexcept;
  SourceFile& operator=(SourceFile&& other) noexcept;
  ~SourceFile();

  int descriptor() const { return descriptor_; }
  std::int64_t size_bytes() const { return size_bytes_; }
  bool is_folder() const { return is_folder_; }

 private:
  int descriptor_ = -1;
  std::int64_t size_bytes_ = 0;
  bool is_folder_ = false;
};

class SourceFiles {
 public:
  /// kRefused when `path` is no folder that can be opened.
  static Result<SourceFiles> At(const std::string& path);

  SourceFiles(SourceFiles&& other) noexcept;
  SourceFiles& operator=(SourceFiles&& other) noexcept;
  ~SourceFiles();

  /// kRefused, naming ROOT/name, when it is not there, or neither file nor folder.
  Result<SourceFile> Open(const std::string& name) const;

 private:
  SourceFiles(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace ioflux
