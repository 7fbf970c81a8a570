// SPDX-License-Identifier: GPL-2.0-only
//
// SideFile: what the engine itself knows about a replay, one JSON document per process of a fio run
// (docs/side-file.md). The reader is strict: another artifact, another version, a missing member or
// a histogram that does not add up is an error with file and path.
//
// Units: nanoseconds and bytes. Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/engine_figures.h"
#include "analysis/error_details.h"
#include "analysis/json_fields.h"
#include "analysis/latency_curves.h"
#include "analysis/side_file_cache.h"
#include "analysis/side_file_parts.h"
#include "analysis/stream_outcome.h"
#include "base/result.h"

namespace ioflux {

inline constexpr std::int64_t kSideFileVersion = 2;

struct SideFile {
  std::string artifact = "ioflux-side-file";
  std::int64_t side_file_version = kSideFileVersion;
  std::string engine_version;
  std::string fio_version;
  std::string job_name;
  bool complete = false;
  std::string stop_reason;  ///< "" when complete, else terminated, runtime, error or lag
  std::map<std::string, std::string> settings;
  SideFileTrace trace;
  bool confined = false;
  std::string target_root;
  std::vector<std::string> limitations;
  std::vector<CountedLimitation> counted_limitations;
  std::int64_t merged_targets = 0;  ///< that the map sends to a name another target has too
  SideFilePrepare prepare;
  SideFileCache cache;
  std::int64_t start_ns = 0;       ///< CLOCK_MONOTONIC
  std::int64_t end_ns = 0;         ///< CLOCK_MONOTONIC
  std::int64_t start_unix_ns = 0;  ///< wall clock at start_ns
  SideFileCpu cpu;
  std::int64_t payload_ns = 0;
  EngineMemory memory;
  SideFileInflight inflight;
  PacingFigures pacing;
  std::optional<CausalFigures> causal_order;  ///< nothing with order=stream
  std::vector<StreamOutcome> streams;
  std::map<std::string, SideFileOp> ops;  ///< by kind: "READ"
  LatencyCurves curves;
  ErrorDetails errors;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("artifact", self.artifact);
    archive.Required("side_file_version", self.side_file_version);
    archive.Required("engine_version", self.engine_version);
    archive.Required("fio_version", self.fio_version);
    archive.Required("job_name", self.job_name);
    archive.Required("complete", self.complete);
    archive.Required("stop_reason", self.stop_reason);
    archive.Required("settings", self.settings);
    archive.Required("trace", self.trace);
    archive.Required("confined", self.confined);
    archive.Required("target_root", self.target_root);
    archive.Required("limitations", self.limitations);
    archive.Optional("counted_limitations", self.counted_limitations);
    archive.Optional("merged_targets", self.merged_targets);
    archive.Required("prepare", self.prepare);
    archive.Required("cache", self.cache);
    archive.Required("start_ns", self.start_ns);
    archive.Required("end_ns", self.end_ns);
    archive.Required("start_unix_ns", self.start_unix_ns);
    archive.Required("cpu", self.cpu);
    archive.Required("payload_ns", self.payload_ns);
    archive.Required("memory", self.memory);
    archive.Required("inflight", self.inflight);
    archive.Required("pacing", self.pacing);
    archive.Optional("causal_order", self.causal_order);
    archive.Required("streams", self.streams);
    archive.Required("ops", self.ops);
    archive.Required("curves", self.curves);
    archive.Required("errors", self.errors);
  }
};

Result<SideFile> DecodeSideFile(const JsonValue& document);
Result<SideFile> ReadSideFile(const std::string& path);

}  // namespace ioflux
