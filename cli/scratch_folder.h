// SPDX-License-Identifier: GPL-2.0-only
//
// ScratchFolder: a private folder for what a run needs only while it lasts. In memory (/dev/shm)
// where there is room, so that it is not on the storage that is measured; else in TMPDIR or /tmp.
// Removed with its content.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ioflux {

class ScratchFolder {
 public:
  /// In the first of these places that has `room_bytes` free now. kIo, saying what each lacks, when
  /// none has.
  static Result<ScratchFolder> Create(std::int64_t room_bytes);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  /// 0 or the errno that says that there is no room.
  int TryRoom(std::int64_t room_bytes) const;

  std::string path_;
};

}  // namespace ioflux
