// SPDX-License-Identifier: GPL-2.0-only
//
// RunPlan: what was replayed and how, under the key names of IOFlux. Passive data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/trace_rewrite.h"

namespace ioflux {

struct RunPlan {
  std::string trace_path;
  std::string trace_digest;  ///< "sha256:…" over the bytes of the trace file
  std::string engine;        ///< back end: mem, local, s3
  std::string mode;          ///< asap, think, timeline, scaled
  std::int64_t max_inflight = 0;
  double speedup_factor = 0;
  std::string trace_kind;
  std::string profile;
  std::string capture_method;
  std::string capture_limitations;
  std::int64_t num_streams = 0;
  std::int64_t num_ops = 0;
  std::int64_t total_bytes = 0;
  std::string target_root;  ///< empty = unconfined
  std::string bucket;
  std::string endpoint;
  std::int64_t trace_partial_reads = 0;
  std::string prepare_mode;
  std::string prepare_scope;
  std::string fill_mode;
  std::uint64_t fill_seed = 0;
  bool prepare_touched_same_data = false;
  std::int64_t prepare_verified = 0;
  std::int64_t prepare_created = 0;
  std::int64_t prepare_copied = 0;
  std::int64_t prepare_skipped_size_unknown = 0;
  std::int64_t prepare_derived_size_from_ops = 0;
  std::int64_t prepare_left_to_trace = 0;
  std::int64_t prepare_left_over = 0;
  std::int64_t prepare_created_empty = 0;
  std::int64_t prepare_kept = 0;
  std::vector<TraceRewrite> trace_transformations;
  std::int64_t merged_targets = 0;  ///< that the map sends to a name another target has too
  std::string replay_equivalence;   ///< syscall-level or object-level
  bool confined = false;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("trace_path", self.trace_path);
    archive.Optional("trace_digest", self.trace_digest);
    archive.Required("engine", self.engine);
    archive.Required("mode", self.mode);
    archive.Required("max_inflight", self.max_inflight);
    archive.Optional("speedup_factor", self.speedup_factor);
    archive.Required("trace_kind", self.trace_kind);
    archive.Optional("profile", self.profile);
    archive.Optional("capture_method", self.capture_method);
    archive.Optional("capture_limitations", self.capture_limitations);
    archive.Required("num_streams", self.num_streams);
    archive.Required("num_ops", self.num_ops);
    archive.Required("total_bytes", self.total_bytes);
    archive.Optional("target_root", self.target_root);
    archive.Optional("bucket", self.bucket);
    archive.Optional("endpoint", self.endpoint);
    archive.Optional("trace_partial_reads", self.trace_partial_reads);
    archive.Optional("prepare_mode", self.prepare_mode);
    archive.Optional("prepare_scope", self.prepare_scope);
    archive.Optional("fill_mode", self.fill_mode);
    archive.Optional("fill_seed", self.fill_seed);
    archive.Optional("prepare_touched_same_data", self.prepare_touched_same_data);
    archive.Optional("prepare_verified", self.prepare_verified);
    archive.Optional("prepare_created", self.prepare_created);
    archive.Optional("prepare_copied", self.prepare_copied);
    archive.Optional("prepare_skipped_size_unknown", self.prepare_skipped_size_unknown);
    archive.Optional("prepare_derived_size_from_ops", self.prepare_derived_size_from_ops);
    archive.Optional("trace_transformations", self.trace_transformations);
    archive.Optional("merged_targets", self.merged_targets);
    archive.Optional("replay_equivalence", self.replay_equivalence);
    archive.Own("confined", self.confined);
    archive.Optional("prepare_left_to_trace", self.prepare_left_to_trace);
    archive.Optional("prepare_left_over", self.prepare_left_over);
    archive.Optional("prepare_created_empty", self.prepare_created_empty);
    archive.Optional("prepare_kept", self.prepare_kept);
  }
};

}  // namespace ioflux
