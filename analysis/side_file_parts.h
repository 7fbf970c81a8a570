// SPDX-License-Identifier: GPL-2.0-only
//
// The blocks a side file is made of (docs/side-file.md). Passive data; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/trace_rewrite.h"
#include "base/latency_histogram.h"

namespace ioflux {

/// The trace that was replayed: which file it was, and what its header says.
struct SideFileTrace {
  std::string path;
  std::int64_t file_bytes = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t inode = 0;
  std::int64_t device = 0;
  std::int64_t version = 0;
  std::string kind;
  std::string profile;
  std::string capture_method;
  std::string capture_limitations;
  std::int64_t num_ops = 0;
  std::int64_t num_streams = 0;
  std::int64_t num_groups = 0;
  std::int64_t total_bytes = 0;
  std::int64_t duration_ns = 0;
  std::int64_t num_partial_reads = 0;
  std::vector<TraceRewrite> transformations;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("path", self.path);
    archive.Required("file_bytes", self.file_bytes);
    archive.Required("mtime_ns", self.mtime_ns);
    archive.Required("inode", self.inode);
    archive.Required("device", self.device);
    archive.Required("version", self.version);
    archive.Required("kind", self.kind);
    archive.Required("profile", self.profile);
    archive.Required("capture_method", self.capture_method);
    archive.Required("capture_limitations", self.capture_limitations);
    archive.Required("num_ops", self.num_ops);
    archive.Required("num_streams", self.num_streams);
    archive.Required("num_groups", self.num_groups);
    archive.Required("total_bytes", self.total_bytes);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("num_partial_reads", self.num_partial_reads);
    archive.Required("transformations", self.transformations);
  }
};

/// A sentence with a `{}` for each count; processes of a run add their counts.
struct CountedLimitation {
  std::string text;
  std::vector<std::uint64_t> counts;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("text", self.text);
    archive.Required("counts", self.counts);
  }
};

/// What preparation did to the targets before the replay; counts are targets.
struct SideFilePrepare {
  std::int64_t verified = 0;
  std::int64_t kept = 0;  ///< were already what preparation would make
  std::int64_t created = 0;
  std::int64_t copied = 0;
  std::int64_t left_to_trace = 0;  ///< the trace itself creates them
  std::int64_t left_over = 0;      ///< of these, there before the run
  std::int64_t skipped_size_unknown = 0;
  std::int64_t derived_size_from_ops = 0;
  std::int64_t created_empty = 0;  ///< for want of a known size
  std::int64_t bytes_written = 0;
  std::int64_t duration_ns = 0;
  bool touched_same_data = false;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("verified", self.verified);
    archive.Required("kept", self.kept);
    archive.Required("created", self.created);
    archive.Required("copied", self.copied);
    archive.Required("left_to_trace", self.left_to_trace);
    archive.Required("left_over", self.left_over);
    archive.Required("skipped_size_unknown", self.skipped_size_unknown);
    archive.Required("derived_size_from_ops", self.derived_size_from_ops);
    archive.Required("created_empty", self.created_empty);
    archive.Required("bytes_written", self.bytes_written);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("touched_same_data", self.touched_same_data);
  }
};

struct SideFileCpu {
  std::int64_t user_ns = 0;
  std::int64_t sys_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("user_ns", self.user_ns);
    archive.Required("sys_ns", self.sys_ns);
  }
};

/// All operations of one kind.
struct SideFileOp {
  std::int64_t count = 0;  ///< executed, failed ones included
  std::int64_t errors = 0;
  std::int64_t short_reads = 0;
  std::int64_t bytes = 0;            ///< moved
  std::int64_t requested_bytes = 0;  ///< asked for
  LatencyHistogram service_time;
  std::optional<LatencyHistogram> lag;            ///< paced modes: due to start
  std::optional<LatencyHistogram> response_time;  ///< paced modes: due to end

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("count", self.count);
    archive.Required("errors", self.errors);
    archive.Required("short_reads", self.short_reads);
    archive.Required("bytes", self.bytes);
    archive.Required("requested_bytes", self.requested_bytes);
    archive.Required("service_time", self.service_time);
    archive.Optional("lag", self.lag);
    archive.Optional("response_time", self.response_time);
  }
};

/// The limit on operations in flight, and what it held back.
struct SideFileInflight {
  std::int64_t limit = 0;
  std::int64_t peak = 0;
  bool peak_is_counted = false;  ///< else: streams active at once, the most there can have been
  std::int64_t backlog_events = 0;
  std::int64_t backlog_blocked_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("limit", self.limit);
    archive.Required("peak", self.peak);
    archive.Required("peak_is_counted", self.peak_is_counted);
    archive.Required("backlog_events", self.backlog_events);
    archive.Required("backlog_blocked_ns", self.backlog_blocked_ns);
  }
};

}  // namespace ioflux
