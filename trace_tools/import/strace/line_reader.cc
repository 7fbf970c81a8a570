// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/line_reader.h"

#include <algorithm>
#include <cstring>

#include "trace_tools/format/trace_header.h"

namespace ioflux::strace {
namespace {

constexpr std::size_t kBlockBytes = 1 << 18;

}  // namespace

// Makes room and reads on; false at the end of the source.
Result<bool> LineReader::Fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kBlockBytes / 2) {
    buffer_.resize(std::max(buffer_.size() * 2, kBlockBytes));
  }
  IOFLUX_ASSIGN_OR_RETURN(const std::size_t bytes,
                          source_.Read(buffer_.data() + end_, buffer_.size() - end_));
  end_ += bytes;
  at_end_ = bytes == 0;
  return !at_end_;
}

Result<bool> LineReader::Next(std::string_view& line) {
  std::size_t searched = 0;
  is_overlong_ = false;
  while (true) {
    const std::string_view unread(buffer_.data() + begin_, end_ - begin_);
    const std::size_t lf = unread.find('\n', searched);
    const bool ends_here = lf != std::string_view::npos;
    const std::size_t bytes = ends_here ? lf : unread.size();
    is_overlong_ |= bytes > kMaxLineBytes;
    if (ends_here) {
      begin_ += lf + 1;
      return Take(unread.substr(0, lf), line);
    }
    searched = unread.size();
    if (is_overlong_) {
      begin_ = end_;
      searched = 0;
    }
    IOFLUX_ASSIGN_OR_RETURN(const bool more, Fill());
    if (more) continue;
    if (begin_ == end_ && !is_overlong_) return false;
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    begin_ = end_;
    return Take(rest, line);
  }
}

bool LineReader::Take(std::string_view text, std::string_view& line) {
  line = is_overlong_ ? std::string_view() : text;
  ++line_number_;
  return true;
}

}  // namespace ioflux::strace
