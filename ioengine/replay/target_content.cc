// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/target_content.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace ioflux {
namespace {

constexpr std::int64_t kComparedBytes = 4096;
constexpr std::int64_t kComparedBlocks = 5;  // start, end and three between

/// 0 or errno; EIO at an early end of file.
int ReadWhole(int descriptor, std::int64_t offset, std::span<char> buffer) {
  while (!buffer.empty()) {
    const ssize_t count = pread(descriptor, buffer.data(), buffer.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    buffer = buffer.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
  return 0;
}

bool BlocksAgree(int descriptor, std::int64_t size_bytes, const TargetContent& content) {
  std::array<char, kComparedBytes> found{};
  std::array<char, kComparedBytes> wanted{};
  const auto length = static_cast<std::size_t>(std::min(size_bytes, kComparedBytes));
  for (std::int64_t block = 0; block < kComparedBlocks; ++block) {
    const std::int64_t last = size_bytes - static_cast<std::int64_t>(length);
    const std::int64_t offset =
        block == kComparedBlocks - 1 ? last : last / (kComparedBlocks - 1) * block;
    if (ReadWhole(descriptor, offset, {found.data(), length}) != 0) return false;
    if (content.Read(offset, {wanted.data(), length}) != 0) return false;
    if (std::memcmp(found.data(), wanted.data(), length) != 0) return false;
  }
  return true;
}

}  // namespace

int TargetContent::Read(std::int64_t offset, std::span<char> buffer) const {
  if (source_) return ReadWhole(source_->descriptor(), offset, buffer);
  payload_->Fill(/*op_id=*/0, hash_, static_cast<std::uint64_t>(offset), buffer);
  return 0;
}

bool HoldsContent(const FileRoot& root, const std::string& path, std::int64_t size_bytes,
                  const TargetContent& content) {
  const int descriptor = root.Open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return false;
  // File systems without holes report the only one at the end of the file.
  const bool whole = size_bytes == 0 || lseek(descriptor, 0, SEEK_HOLE) >= size_bytes;
  const bool holds = whole && (size_bytes == 0 || BlocksAgree(descriptor, size_bytes, content));
  close(descriptor);
  return holds;
}

}  // namespace ioflux
