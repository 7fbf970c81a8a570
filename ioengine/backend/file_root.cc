// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/file_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace ioflux {
namespace {

constexpr unsigned kFolderMode = 0755;

open_how HowTo(int flags, unsigned mode, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode : 0;
  how.resolve = resolve;
  return how;
}

constexpr std::uint64_t kBeneath = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;

int OpenBeneath(int root, const char* path, int flags, unsigned mode) {
  open_how how = HowTo(flags, mode, kBeneath);
  long descriptor = 0;
  do {
    descriptor = syscall(SYS_openat2, root, path, &how, sizeof how);
    // EAGAIN: a rename elsewhere raced with the walk; the kernel asks to try again.
  } while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  return descriptor < 0 ? -errno : static_cast<int>(descriptor);
}

int OpenPlain(const char* path, int flags, unsigned mode) {
  int descriptor = 0;
  do {
    descriptor = openat(AT_FDCWD, path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

}  // namespace

FileRoot FileRoot::Unconfined() { return FileRoot(-1); }

Result<FileRoot> FileRoot::Confined(const std::string& path, bool create) {
  if (create) {
    std::error_code fault;
    std::filesystem::create_directories(path, fault);
    if (fault) {
      return SystemError("cannot create the target root", fault.value(),
                         {.path = path, .line = 0, .item = {}},
                         "give a folder that you may write to");
    }
  }
  const int descriptor = OpenPlain(path.c_str(), O_PATH | O_DIRECTORY, 0);
  if (descriptor < 0) {
    return SystemError(
        "cannot open the target root", -descriptor, {.path = path, .line = 0, .item = {}},
        "create the folder first, or use --prepare materialize-synthetic, which creates it");
  }
  const int probe = OpenBeneath(descriptor, ".", O_PATH, 0);
  if (probe == -ENOSYS) {
    close(descriptor);
    return Error{.kind = ErrorKind::kUnsupported,
                 .what = "this kernel has no openat2, which confinement needs",
                 .where = {.path = path, .line = 0, .item = {}},
                 .mend = "use Linux 5.6 or newer"};
  }
  if (probe >= 0) close(probe);
  return FileRoot(descriptor);
}

Result<FileRoot> FileRoot::Clone() const {
  if (!confined()) return Unconfined();
  const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return SystemError("cannot keep the target root open", errno);
  return FileRoot(descriptor);
}

FileRoot::FileRoot(FileRoot&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileRoot& FileRoot::operator=(FileRoot&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileRoot::~FileRoot() {
  if (descriptor_ >= 0) close(descriptor_);
}

int FileRoot::Open(const char* path, int flags, unsigned mode) const {
  return confined() ? OpenBeneath(descriptor_, path, flags, mode) : OpenPlain(path, flags, mode);
}

int FileRoot::descriptor() const { return confined() ? descriptor_ : AT_FDCWD; }

open_how FileRoot::HowToOpen(int flags, unsigned mode) const {
  return HowTo(flags, mode, confined() ? kBeneath : 0);
}

int FileRoot::StatSize(const char* path, std::int64_t* size_bytes) const {
  struct stat status {};
  if (!confined()) {
    if (fstatat(AT_FDCWD, path, &status, 0) != 0) return -errno;
    *size_bytes = status.st_size;
    return 0;
  }
  // There is no fstatat that stays below a folder: so three calls, which cost three times as much.
  const int descriptor = Open(path, O_PATH);
  if (descriptor < 0) return descriptor;
  const int result = fstat(descriptor, &status) == 0 ? 0 : -errno;
  close(descriptor);
  *size_bytes = status.st_size;
  return result;
}

int FileRoot::OpenFolderOf(const std::string& path, std::string* leaf) const {
  const std::size_t slash = path.rfind('/');
  *leaf = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string parent =
      slash == std::string::npos ? "." : (slash == 0 ? "/" : path.substr(0, slash));
  return Open(parent.c_str(), O_PATH | O_DIRECTORY);
}

int FileRoot::Unlink(const std::string& path) const {
  std::string leaf;
  const int parent = OpenFolderOf(path, &leaf);
  if (parent < 0) return parent;
  const int result = unlinkat(parent, leaf.c_str(), 0) == 0 ? 0 : -errno;
  close(parent);
  return result;
}

int FileRoot::MakeParents(const std::string& path) const {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    const int existing = Open(folder.c_str(), O_PATH | O_DIRECTORY);
    if (existing >= 0) {
      close(existing);
      continue;
    }
    if (existing != -ENOENT) return existing;
    std::string leaf;
    const int parent = OpenFolderOf(folder, &leaf);
    if (parent < 0) return parent;
    // Another stream may make the same folder at this moment.
    const int result =
        mkdirat(parent, leaf.c_str(), kFolderMode) == 0 || errno == EEXIST ? 0 : -errno;
    close(parent);
    if (result != 0) return result;
  }
  return 0;
}

}  // namespace ioflux
