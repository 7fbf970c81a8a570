// SPDX-License-Identifier: GPL-2.0-only
#include "base/regular_file.h"

#include <sys/stat.h>

#include <cerrno>

namespace ioflux {

std::string_view FileKindText(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "a regular file";
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a named pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
      return "a character device";
    case S_IFBLK:
      return "a block device";
    default:
      return "something unknown";
  }
}

Result<void> CheckRegularFile(const std::string& path, std::string_view input) {
  std::string_view kind = "standard input";
  if (path != "-") {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      return SystemError("cannot open " + std::string(input), errno, {.path = path});
    }
    if (S_ISREG(status.st_mode)) return {};
    kind = FileKindText(status.st_mode);
  }
  return Error{.kind = ErrorKind::kIo,
               .what = std::string(input) + " cannot be " + std::string(kind) +
                       ": it is read more than once, so it must be a regular file",
               .where = {.path = path},
               .mend = "save it to a file and give that"};
}

}  // namespace ioflux
