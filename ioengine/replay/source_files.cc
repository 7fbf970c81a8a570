// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/source_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ioflux {
namespace {

Error Refused(std::string what, std::string path, std::string mend) {
  return Error{.kind = ErrorKind::kRefused,
               .what = std::move(what),
               .where = {.path = std::move(path), .line = 0, .item = {}},
               .mend = std::move(mend)};
}

std::string ErrnoText(int error) {
  const char* text = strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

bool HasDotDot(const std::string& name) {
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t slash = std::min(name.find('/', start), name.size());
    if (name.compare(start, slash - start, "..") == 0) return true;
    start = slash + 1;
  }
  return false;
}

}  // namespace

SourceFile::SourceFile(SourceFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_),
      is_folder_(other.is_folder_) {}

SourceFile& SourceFile::operator=(SourceFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  size_bytes_ = other.size_bytes_;
  is_folder_ = other.is_folder_;
  return *this;
}

SourceFile::~SourceFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<SourceFiles> SourceFiles::At(const std::string& path) {
  const int descriptor = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return Refused("cannot open the source root: " + ErrnoText(errno), path,
                   "give the folder that the recorded names are below, / for this machine itself");
  }
  return SourceFiles(path, descriptor);
}

SourceFiles::SourceFiles(SourceFiles&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

SourceFiles& SourceFiles::operator=(SourceFiles&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SourceFiles::~SourceFiles() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<SourceFile> SourceFiles::Open(const std::string& name) const {
  const std::size_t start = name.find_first_not_of('/');
  const std::string relative = start == std::string::npos ? std::string() : name.substr(start);
  const std::string shown = path_ + (path_.ends_with('/') ? "" : "/") + relative;
  if (relative.empty() || HasDotDot(relative)) {
    return Refused("a source name must be a path without '..'", name,
                   "import or generate the trace with names of files");
  }
  open_how how{};
  // Not to wait for the other end of a FIFO.
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  long descriptor = 0;
  do {
    descriptor = syscall(SYS_openat2, descriptor_, relative.c_str(), &how, sizeof how);
  } while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  if (descriptor < 0) {
    return Refused("the source of a target cannot be read: " + ErrnoText(errno), shown,
                   "mend --source-root, or use --prepare materialize-synthetic");
  }
  struct stat status {};
  const bool looked = fstat(static_cast<int>(descriptor), &status) == 0;
  SourceFile file(static_cast<int>(descriptor), status.st_size, S_ISDIR(status.st_mode));
  if (!looked || (!S_ISREG(status.st_mode) && !file.is_folder())) {
    return Refused("the source of a target is neither a file nor a folder", shown,
                   "leave it out with a target map, or use --prepare materialize-synthetic");
  }
  return file;
}

}  // namespace ioflux
