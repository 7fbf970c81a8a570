// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/file_size.h"

#include <algorithm>

namespace ioflux {

void FileSize::LearnNow(std::uint64_t size) {
  now_ = size;
  if (!changed_ && !before_) before_ = size;
}

void FileSize::OnReported(std::uint64_t size) { LearnNow(size); }

void FileSize::OnEmptied() {
  if (read_before_change_ && !before_) before_ = extent_;
  changed_ = true;
  emptied_ = true;
  now_ = 0;
}

void FileSize::OnResized(std::uint64_t size) {
  changed_ = true;
  now_ = size;
}

void FileSize::OnExtended(std::uint64_t end) {
  changed_ = true;
  if (now_) now_ = std::max(*now_, end);
  extent_ = std::max(extent_, end);
}

void FileSize::OnRead(std::uint64_t offset, std::uint64_t requested, std::uint64_t moved) {
  if (!changed_ && moved > 0) read_before_change_ = true;
  const bool hit_end = moved < requested;
  // A read of nothing proves the end only where known data stops; further out it may lie beyond.
  const bool proves_end = hit_end && (moved > 0 || offset == extent_);
  extent_ = moved > 0 ? std::max(extent_, offset + moved) : extent_;
  if (proves_end && !now_) LearnNow(offset + moved);
}

void FileSize::OnWritten(std::uint64_t offset, std::uint64_t moved) {
  if (moved == 0) return;
  changed_ = true;
  extent_ = std::max(extent_, offset + moved);
  if (now_) now_ = std::max(*now_, offset + moved);
}

std::uint64_t FileSize::TargetSize() const {
  const bool own_content = emptied_ && !read_before_change_;
  if (before_ && *before_ > 0 && !own_content) {
    return changed_ ? *before_ : std::max(*before_, extent_);
  }
  return now_ ? *now_ : extent_;
}

}  // namespace ioflux
