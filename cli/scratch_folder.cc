// SPDX-License-Identifier: GPL-2.0-only
#include "cli/scratch_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/size_text.h"

namespace ioflux {
namespace {

std::string FallbackParent() {
  std::error_code fault;
  const std::string parent = std::filesystem::temp_directory_path(fault).string();
  return fault ? "/tmp" : parent;
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Create(std::int64_t room_bytes) {
  const std::string memory = "/dev/shm";
  std::vector<std::string> parents = {memory};
  if (const std::string other = FallbackParent(); other != memory) parents.push_back(other);
  std::string lacks;
  for (const std::string& parent : parents) {
    std::string path = parent + "/ioflux-XXXXXX";
    int error = mkdtemp(path.data()) == nullptr ? errno : 0;
    if (error == 0) {
      ScratchFolder folder(path);
      error = folder.TryRoom(room_bytes);
      if (error == 0) return folder;
    }
    const char* reason = strerrordesc_np(error);
    lacks += (lacks.empty() ? "" : "; ") + parent + ": " +
             (reason != nullptr ? reason : "error " + std::to_string(error));
  }
  return Error{.kind = ErrorKind::kIo,
               .what = "there is no room for the temporary files of a run, " +
                       FormatSizeHuman(static_cast<std::uint64_t>(room_bytes)) + ": " + lacks,
               .where = {},
               .mend = "free space there, or set TMPDIR to a folder that has some"};
}

int ScratchFolder::TryRoom(std::int64_t room_bytes) const {
  const std::string path = path_ + "/room";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  int fault = 0;
  do {
    fault = posix_fallocate(descriptor, 0, room_bytes);
  } while (fault == EINTR);
  close(descriptor);
  unlink(path.c_str());
  // Anything else (a limit on the size of one file) says nothing about the room.
  return fault == ENOSPC || fault == EDQUOT ? fault : 0;
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ioflux
