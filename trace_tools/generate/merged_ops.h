// SPDX-License-Identifier: GPL-2.0-only
//
// The ops of several streams, each in its own order, merged into the order of a file: time, then
// stream, then position in the stream.
//
// Memory: what the streams keep; ops are made one at a time. Threading: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "trace_tools/format/op.h"

namespace ioflux {

/// The ops of one stream, one after the other, with times that never fall.
class StreamOps {
 public:
  virtual ~StreamOps() = default;

  /// Time of the next op; nothing at the end.
  virtual std::optional<std::int64_t> NextTimeNs() const = 0;

  /// Fills everything but `op_id` and `stream` of a fresh op. Only when there is a next one.
  virtual void Next(Op& op) = 0;
};

class MergedOps {
 public:
  /// Stream i of the trace is `streams[i]`.
  explicit MergedOps(std::vector<std::unique_ptr<StreamOps>> streams);

  /// The next op of the file, with its op_id; false at the end.
  bool Next(Op& op);

 private:
  using Due = std::pair<std::int64_t, std::size_t>;  // time, stream

  void Schedule(std::size_t stream);

  std::vector<std::unique_ptr<StreamOps>> streams_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::int64_t next_op_id_ = 0;
};

}  // namespace ioflux
