// SPDX-License-Identifier: GPL-2.0-only
#include "base/file_identity.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/regular_file.h"

namespace ioflux {

Result<FileIdentity> IdentifyFile(const std::string& path, std::string_view input) {
  IOFLUX_RETURN_IF_ERROR(CheckRegularFile(path, input));
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return SystemError("cannot open " + std::string(input), errno,
                       {.path = path, .line = 0, .item = {}});
  }
  return FileIdentity{
      .file_bytes = static_cast<std::uint64_t>(status.st_size),
      .mtime_ns = status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec,
      .inode = status.st_ino,
      .device = status.st_dev};
}

}  // namespace ioflux
