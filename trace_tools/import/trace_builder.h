// SPDX-License-Identifier: GPL-2.0-only
//
// TraceBuilder: operations in the order in which an importer learns of them, made into a trace.
//
// It keeps each operation in a compact record (64 bytes, no strings). Finish() rebases the smallest
// time to 0, makes times rise inside each stream (counting what it had to move), merges all streams
// by (time, stream, arrival), numbers the operations, numbers the targets in the order of their
// first use, fills in the summary and the version, and validates the result. Nothing can be written
// that the validator refuses. The same calls always give the same bytes.
//
// Streams, targets and handles are numbers the builder hands out. A target or handle that ends up
// without an operation costs nothing in the trace.
//
// Threading: one thread. Units: nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "base/result.h"
#include "trace_tools/format/op.h"
#include "trace_tools/format/trace_header.h"
#include "trace_tools/import/op_record.h"

namespace ioflux {

/// What Finish() makes; owns nothing that the builder still needs.
class BuiltTrace {
 public:
  const TraceHeader& header() const { return header_; }
  std::uint64_t clamped() const { return clamped_; }

  /// The whole trace, canonical text.
  Result<void> Write(ByteSink& sink) const;

 private:
  friend class TraceBuilder;
  void Load(std::size_t position, Op& op) const;
  Result<void> Validate() const;

  TraceHeader header_;
  std::vector<OpRecord> records_;         // by arrival, times final
  std::vector<std::uint32_t> order_;      // of the operations that are in the trace
  std::vector<std::uint32_t> target_of_;  // builder's target -> index in the header
  std::uint64_t clamped_ = 0;
};

class TraceBuilder {
 public:
  /// A stream's number is its `s`; `label` tells where it comes from ("pid 41").
  StreamId AddStream(std::string label);
  TargetId AddTarget();
  void SetTarget(TargetId target, std::string name, std::int64_t size_bytes);

  /// A new handle of `target` in `stream`.
  HandleId Open(const OpOrigin& origin, StreamId stream, TargetId target, OpenMode mode,
                OpenFlags flags);
  /// `returned` < `length` makes it a partial read.
  void Read(const OpOrigin& origin, HandleId handle, std::uint64_t offset, std::uint64_t length,
            std::uint64_t returned);
  void Write(const OpOrigin& origin, HandleId handle, std::uint64_t offset, std::uint64_t length);
  void Sync(const OpOrigin& origin, HandleId handle);
  void Close(const OpOrigin& origin, HandleId handle);
  void Stat(const OpOrigin& origin, StreamId stream, TargetId target);

  /// Makes the OPEN of `handle` allow `mode` too.
  void WidenMode(HandleId handle, OpenMode mode);
  /// Replaces the advice (kOpenSequential, kOpenRandom or neither) in the OPEN of `handle`.
  void SetAdvice(HandleId handle, OpenFlags advice);
  /// Whether `handle` has moved data.
  bool has_moved_data(HandleId handle) const { return handles_[handle].moved_data; }

  /// Takes the operations out again for whose target `is_dropped` says so. `on_dropped` gets the
  /// call and the lines of each.
  void DropTargets(const std::function<bool(TargetId)>& is_dropped,
                   const std::function<void(TargetId, const OpRecord&)>& on_dropped);

  const std::vector<std::string>& stream_labels() const { return stream_labels_; }
  void SetStreamLabel(StreamId stream, std::string label) {
    stream_labels_[stream] = std::move(label);
  }
  std::uint64_t op_count() const { return records_.size(); }

  /// Takes the builder's content. `header` brings everything but targets, summary and version.
  /// kInput when the result breaks a rule of the format.
  Result<BuiltTrace> Finish(TraceHeader header);

 private:
  struct Handle {
    StreamId stream;
    TargetId target;
    std::uint32_t open_record;
    std::uint32_t last_record;
    bool moved_data;
  };

  OpRecord& Append(OpKind kind, const OpOrigin& origin, StreamId stream, std::uint32_t subject);
  OpRecord& AppendOnHandle(OpKind kind, const OpOrigin& origin, HandleId handle);
  std::uint64_t FixTimes();
  void SortByTime(BuiltTrace& trace) const;
  void NumberTargets(BuiltTrace& trace);
  static void Summarise(BuiltTrace& trace);

  std::vector<OpRecord> records_;
  std::vector<Handle> handles_;
  std::vector<Target> targets_;
  std::vector<std::string> stream_labels_;
  std::vector<std::int64_t> latest_use_ns_;  // by handle, while finishing
};

}  // namespace ioflux
