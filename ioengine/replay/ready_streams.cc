// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/ready_streams.h"

#include <algorithm>
#include <functional>

namespace ioflux {

ReadyStreams::ReadyStreams(bool paced, std::size_t streams) : paced_(paced) {
  if (paced) {
    heap_.reserve(streams);
  } else {
    ring_.resize(std::max<std::size_t>(streams, 1));
  }
}

void ReadyStreams::Push(std::uint32_t stream, std::int64_t due_ns) {
  if (paced_) {
    heap_.emplace_back(due_ns, stream);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    return;
  }
  std::size_t end = head_ + size_;
  if (end >= ring_.size()) end -= ring_.size();
  ring_[end] = stream;
  ++size_;
}

std::int64_t ReadyStreams::front_due_ns() const {
  if (empty()) return INT64_MAX;
  return paced_ ? heap_.front().first : INT64_MIN;
}

void ReadyStreams::Pop() {
  if (paced_) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    return;
  }
  if (++head_ == ring_.size()) head_ = 0;
  --size_;
}

}  // namespace ioflux
