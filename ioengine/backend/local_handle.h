// SPDX-License-Identifier: GPL-2.0-only
//
// LocalHandle: what a BackendHandle of the local backend holds, so that no operation looks up a
// table.
//
// A buffered file is its descriptor and nothing else. A direct file (O_DIRECT, on a file system
// that honours it) carries the alignment that it needs above the descriptor:
//   bits 0-31 descriptor | bit 32 direct | bits 33-37 log2 of the offset alignment
//   | bits 38-42 log2 of the memory alignment
// Negative values are no open file. Immutable values; any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "ioengine/backend/backend.h"

namespace ioflux {

/// Powers of two, at most 2^31.
struct DirectAlignment {
  std::uint32_t offset_bytes = 4096;  ///< of offsets and lengths
  std::uint32_t memory_bytes = 4096;  ///< of buffer addresses
};

class LocalHandle {
 public:
  explicit LocalHandle(BackendHandle value) : value_(value) {}

  static LocalHandle Direct(int descriptor, DirectAlignment alignment) {
    return LocalHandle(BackendHandle{descriptor} | kDirectBit |
                       BackendHandle{std::countr_zero(alignment.offset_bytes)} << kOffsetShift |
                       BackendHandle{std::countr_zero(alignment.memory_bytes)} << kMemoryShift);
  }

  BackendHandle value() const { return value_; }
  int descriptor() const { return static_cast<int>(value_); }
  bool direct() const { return value_ > std::numeric_limits<int>::max(); }

  /// Of a direct file.
  DirectAlignment alignment() const {
    return {.offset_bytes = std::uint32_t{1} << (value_ >> kOffsetShift & kShiftMask),
            .memory_bytes = std::uint32_t{1} << (value_ >> kMemoryShift & kShiftMask)};
  }

 private:
  static constexpr BackendHandle kDirectBit = BackendHandle{1} << 32;
  static constexpr int kOffsetShift = 33;
  static constexpr int kMemoryShift = 38;
  static constexpr BackendHandle kShiftMask = 31;

  BackendHandle value_;
};

}  // namespace ioflux
