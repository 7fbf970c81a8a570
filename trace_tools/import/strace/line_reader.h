// SPDX-License-Identifier: GPL-2.0-only
//
// LineReader: a ByteSource as lines.
//
// Cost: one buffer of 256 KiB, more while a line is longer. Threading: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"

namespace ioflux::strace {

class LineReader {
 public:
  explicit LineReader(ByteSource source) : source_(std::move(source)) {}

  /// The next line without its LF, valid until the next call; false at the end. A line that is
  /// longer than kMaxLineBytes is read past and given as an empty one that is_overlong().
  Result<bool> Next(std::string_view& line);

  bool is_overlong() const { return is_overlong_; }

  std::uint64_t line_number() const { return line_number_; }
  const std::string& name() const { return source_.name(); }

 private:
  Result<bool> Fill();
  bool Take(std::string_view text, std::string_view& line);

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  bool is_overlong_ = false;
  std::uint64_t line_number_ = 0;
};

}  // namespace ioflux::strace
