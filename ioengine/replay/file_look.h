// SPDX-License-Identifier: GPL-2.0-only
//
// LookAt: what a path leads to right now, found out without opening it for reading or writing.
//
// Threading: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ioengine/backend/file_root.h"

namespace ioflux {

struct FileLook {
  bool exists = false;
  bool regular = false;
  bool folder = false;
  std::string_view kind{};  ///< FileKindText
  std::int64_t size_bytes = 0;
  std::int64_t allocated_bytes = 0;  ///< on the storage; less than the size when there are holes
  std::uint64_t device = 0;          ///< st_dev of its file system
  std::uint64_t inode = 0;           ///< st_ino
  int error = 0;                     ///< errno of a look that failed; ENOENT when it is not there
};

FileLook LookAt(const FileRoot& root, const std::string& path);

struct FreeSpace {
  std::uint64_t device = 0;     ///< st_dev
  std::int64_t free_bytes = 0;  ///< to this user
  std::int64_t free_files = 0;  ///< -1 where the file system has no such limit
};
/// Of the file system that the nearest existing folder at or above `path` is on. 0 or -errno.
int LookAtFreeSpace(const FileRoot& root, const std::string& path, FreeSpace* space);

}  // namespace ioflux
