// SPDX-License-Identifier: GPL-2.0-only
//
// ReadyStreams: the streams of a job whose next operation may be started, in the order in which it
// should be: by due time in the paced modes, by arrival in asap.
//
// Threading: one thread. Nothing is allocated after construction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ioflux {

class ReadyStreams {
 public:
  ReadyStreams(bool paced, std::size_t streams);

  /// `due_ns` counts in the paced modes only. A stream is in at most once.
  void Push(std::uint32_t stream, std::int64_t due_ns);
  bool empty() const { return paced_ ? heap_.empty() : size_ == 0; }
  /// The first; only when not empty.
  std::uint32_t front() const { return paced_ ? heap_.front().second : ring_[head_]; }
  /// When the first is due; INT64_MIN in asap, INT64_MAX when there is none.
  std::int64_t front_due_ns() const;
  void Pop();

 private:
  using Due = std::pair<std::int64_t, std::uint32_t>;  // ns, stream

  bool paced_;
  std::vector<Due> heap_;
  std::vector<std::uint32_t> ring_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace ioflux
