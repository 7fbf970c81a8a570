// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/file_look.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "base/regular_file.h"

namespace ioflux {
namespace {

constexpr std::int64_t kStatBlockBytes = 512;

FileLook LookThrough(int descriptor) {
  FileLook look;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) {
    look.error = errno;
    return look;
  }
  look.exists = true;
  look.regular = S_ISREG(status.st_mode);
  look.folder = S_ISDIR(status.st_mode);
  look.kind = FileKindText(status.st_mode);
  look.size_bytes = status.st_size;
  look.allocated_bytes = status.st_blocks * kStatBlockBytes;
  look.device = status.st_dev;
  look.inode = status.st_ino;
  return look;
}

std::string FolderAbove(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A descriptor of the nearest folder at or above `path`, or -errno.
int OpenNearestFolder(const FileRoot& root, std::string path) {
  for (;;) {
    const int descriptor = root.Open(path.c_str(), O_PATH | O_DIRECTORY);
    const bool go_on = descriptor == -ENOENT || descriptor == -ENOTDIR;
    if (!go_on || path == "." || path == "/") return descriptor;
    path = FolderAbove(path);
  }
}

}  // namespace

FileLook LookAt(const FileRoot& root, const std::string& path) {
  const int descriptor = root.Open(path.c_str(), O_PATH);
  if (descriptor < 0) {
    FileLook look;
    look.error = -descriptor;
    return look;
  }
  const FileLook look = LookThrough(descriptor);
  close(descriptor);
  return look;
}

int LookAtFreeSpace(const FileRoot& root, const std::string& path, FreeSpace* space) {
  const int descriptor = OpenNearestFolder(root, path);
  if (descriptor < 0) return descriptor;
  struct statvfs figures {};
  struct stat status {};
  int error = 0;
  if (fstatvfs(descriptor, &figures) != 0 || fstat(descriptor, &status) != 0) error = -errno;
  close(descriptor);
  if (error != 0) return error;
  space->device = status.st_dev;
  space->free_bytes = static_cast<std::int64_t>(figures.f_bavail * figures.f_frsize);
  // btrfs and some network file systems have no fixed number of files and say 0 of 0.
  space->free_files = figures.f_files == 0 ? -1 : static_cast<std::int64_t>(figures.f_favail);
  return 0;
}

}  // namespace ioflux
