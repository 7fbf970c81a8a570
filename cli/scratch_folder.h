// SPDX-License-Identifier: GPL-2.0-only
//
// ScratchFolder: a private folder for what a run needs only while it lasts. In memory (/dev/shm)
// where possible, so that it is not on the storage that is measured. Removed with its content.
#pragma once

#include <string>

#include "base/result.h"

namespace ioflux {

class ScratchFolder {
 public:
  static Result<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ioflux
