// SPDX-License-Identifier: GPL-2.0-only
//
// LineBuffer: the bytes of a source as lines, without copying a line that lies whole in the buffer.
//
// Two ways in: scan unread() directly and Consume() what was understood, or let NextLine() find the
// next LF. Past the unread bytes lie kPaddingBytes zero bytes, so that a scanner which stops at a
// byte it does not expect needs no bound.
//
// Cost: `first_bytes`, or as much as the longest line (at most 16 MiB). Threading: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"

namespace ioflux {

class LineBuffer {
 public:
  static constexpr std::size_t kPaddingBytes = 64;

  LineBuffer(ByteSource source, std::size_t first_bytes);

  /// Start of the unread bytes in the buffer.
  const char* unread() const { return begin_; }
  /// Takes everything before `next`, which lies in the unread bytes or at their end.
  void Consume(const char* next) { begin_ = next; }

  enum class Outcome : std::uint8_t {
    kLine,      ///< `line` was found, and is still unread
    kRefilled,  ///< the buffer ended inside the line; there are more unread bytes now
    kEnd,       ///< nothing is left
    kTooLong,   ///< the line is longer than kMaxLineBytes
  };
  struct Line {
    Outcome outcome = Outcome::kEnd;
    std::string_view text;       ///< without its LF
    const char* next = nullptr;  ///< behind it, for Consume()
  };
  /// Looks for the end of the line that starts at unread(). Call again after kRefilled.
  Result<Line> FindLine();

  /// Bytes of the (decompressed) input before unread().
  std::uint64_t offset() const {
    return base_offset_ + static_cast<std::uint64_t>(begin_ - buffer_.get());
  }
  const ByteSource& source() const { return source_; }

 private:
  Result<void> Refill();
  void Grow(std::size_t capacity);

  ByteSource source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t base_offset_ = 0;         // of buffer_ in the input
  std::uint64_t searched_to_offset_ = 0;  // no LF between unread() and there
  bool source_ended_ = false;
};

}  // namespace ioflux
