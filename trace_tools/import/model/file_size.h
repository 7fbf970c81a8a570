// SPDX-License-Identifier: GPL-2.0-only
//
// FileSize: what a source tells about the size of one file, and the size its target gets.
//
// The rule: the bytes the file had before the source changed it; or, when the source made it or
// emptied it before reading from it, the bytes it has in the end. Evidence in order of trust: a
// size that was reported (st_size, SEEK_END, a truncation), a read that hit the end of the file,
// the furthest byte that was moved.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <optional>

namespace ioflux {

class FileSize {
 public:
  /// The file was reported to have `size` bytes now.
  void OnReported(std::uint64_t size);
  /// The file did not exist until now, or lost its content now.
  void OnEmptied();
  void OnResized(std::uint64_t size);
  /// Space up to `end` was added to the file.
  void OnExtended(std::uint64_t end);
  void OnRead(std::uint64_t offset, std::uint64_t requested, std::uint64_t moved);
  void OnWritten(std::uint64_t offset, std::uint64_t moved);

  /// Where an append would land now; nothing when the source does not tell.
  std::optional<std::uint64_t> end() const { return now_; }

  /// The target's size by the rule above; 0 when nothing is known.
  std::uint64_t TargetSize() const;

 private:
  void LearnNow(std::uint64_t size);

  std::optional<std::uint64_t> before_;  // before the source changed anything
  std::optional<std::uint64_t> now_;
  std::uint64_t extent_ = 0;  // furthest byte moved
  bool changed_ = false;
  bool emptied_ = false;
  bool read_before_change_ = false;
};

}  // namespace ioflux
