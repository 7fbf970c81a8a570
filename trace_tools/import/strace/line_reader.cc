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
  while (true) {
    const std::string_view unread(buffer_.data() + begin_, end_ - begin_);
    const std::size_t lf = unread.find('\n', searched);
    const bool ends_here = lf != std::string_view::npos;
    if ((ends_here ? lf : unread.size()) > kMaxLineBytes) {
      return Error{.kind = ErrorKind::kInput,
                   .what = "a line of more than " + std::to_string(kMaxLineBytes) + " bytes",
                   .where = {.path = name(), .line = line_number_ + 1, .item = {}},
                   .mend = "capture with -s 0, which leaves the data out"};
    }
    if (ends_here) {
      line = unread.substr(0, lf);
      begin_ += lf + 1;
      ++line_number_;
      return true;
    }
    searched = unread.size();
    IOFLUX_ASSIGN_OR_RETURN(const bool more, Fill());
    if (more) continue;
    if (begin_ == end_) return false;
    line = std::string_view(buffer_.data() + begin_, end_ - begin_);
    begin_ = end_;
    ++line_number_;
    return true;
  }
}

}  // namespace ioflux::strace
