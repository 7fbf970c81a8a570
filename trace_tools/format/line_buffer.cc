// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/line_buffer.h"

#include <algorithm>
#include <cstring>

#include "trace_tools/format/trace_header.h"

namespace ioflux {
namespace {

// One byte more than a line with its LF: then a full buffer without an LF is a line too long.
constexpr std::size_t kLargestBytes = kMaxLineBytes + 1;

}  // namespace

LineBuffer::LineBuffer(ByteSource source, std::size_t first_bytes) : source_(std::move(source)) {
  Grow(std::clamp<std::size_t>(first_bytes, 1, kLargestBytes));
}

void LineBuffer::Grow(std::size_t capacity) {
  const auto unread_bytes = static_cast<std::size_t>(end_ - begin_);
  std::unique_ptr<char[]> buffer(new char[capacity + kPaddingBytes]);
  if (unread_bytes != 0) std::memcpy(buffer.get(), begin_, unread_bytes);
  if (buffer_ != nullptr) base_offset_ = offset();
  buffer_ = std::move(buffer);
  capacity_ = capacity;
  begin_ = buffer_.get();
  end_ = begin_ + unread_bytes;
  std::memset(buffer_.get() + unread_bytes, 0, kPaddingBytes);
}

Result<void> LineBuffer::Refill() {
  auto unread_bytes = static_cast<std::size_t>(end_ - begin_);
  if (unread_bytes == capacity_) {
    Grow(std::min(2 * capacity_, kLargestBytes));
  } else if (begin_ != buffer_.get()) {
    base_offset_ = offset();
    std::memmove(buffer_.get(), begin_, unread_bytes);
    begin_ = buffer_.get();
  }
  char* const free_space = buffer_.get() + unread_bytes;
  IOFLUX_ASSIGN_OR_RETURN(const std::size_t got,
                          source_.Read(free_space, capacity_ - unread_bytes));
  source_ended_ = got == 0;
  end_ = free_space + got;
  std::memset(free_space + got, 0, kPaddingBytes);
  return {};
}

Result<LineBuffer::Line> LineBuffer::FindLine() {
  const auto unread_bytes = static_cast<std::size_t>(end_ - begin_);
  const std::uint64_t start = offset();
  const std::uint64_t from = searched_to_offset_ > start ? searched_to_offset_ - start : 0;
  const void* const lf = std::memchr(begin_ + from, '\n', unread_bytes - from);
  if (lf != nullptr) {
    const char* const line_end = static_cast<const char*>(lf);
    return Line{.outcome = Outcome::kLine,
                .text = {begin_, static_cast<std::size_t>(line_end - begin_)},
                .next = line_end + 1};
  }
  if (unread_bytes > kMaxLineBytes) return Line{.outcome = Outcome::kTooLong, .text = {}};
  if (source_ended_) {
    if (unread_bytes == 0) return Line{};
    return Line{.outcome = Outcome::kLine, .text = {begin_, unread_bytes}, .next = end_};
  }
  searched_to_offset_ = start + unread_bytes;
  IOFLUX_RETURN_IF_ERROR(Refill());
  return Line{.outcome = Outcome::kRefilled, .text = {}};
}

}  // namespace ioflux
