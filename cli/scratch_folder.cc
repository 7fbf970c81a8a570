// SPDX-License-Identifier: GPL-2.0-only
#include "cli/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace ioflux {

Result<ScratchFolder> ScratchFolder::Create() {
  std::error_code ignored;
  const std::string fallback = std::filesystem::temp_directory_path(ignored).string();
  int error = 0;
  for (const std::string& parent : {std::string("/dev/shm"), fallback}) {
    std::string path = parent + "/ioflux-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) return ScratchFolder(path);
    error = errno;
  }
  return SystemError("cannot make a temporary folder", error,
                     {.path = fallback, .line = 0, .item = {}},
                     "set TMPDIR to a folder that you may write to");
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ioflux
