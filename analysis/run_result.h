// SPDX-License-Identifier: GPL-2.0-only
//
// RunResult: the result of one replay, as results.json holds it (docs/results.md). Keys and their
// order are those of IOFlux's single result, with ours added; results of IOFlux are read too.
//
// Reading is strict: another artifact, another schema version or a missing member is an error. The
// latency histograms of IOFlux (HdrHistogram layout) are not read; `notes` then says so.
//
// Units: nanoseconds and bytes. Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cross_check.h"
#include "analysis/engine_figures.h"
#include "analysis/equivalence.h"
#include "analysis/error_details.h"
#include "analysis/fidelity.h"
#include "analysis/histogram_snapshot.h"
#include "analysis/json_fields.h"
#include "analysis/latency_curves.h"
#include "analysis/latency_stats.h"
#include "analysis/provenance.h"
#include "analysis/run_plan.h"
#include "analysis/run_progress.h"
#include "analysis/stream_outcome.h"
#include "base/result.h"

namespace ioflux {

inline constexpr std::int64_t kResultSchemaVersion = 2;

/// schedule_drift at the top level; repeats part of fidelity.schedule_drift for IOFlux's readers.
struct DriftSummary {
  std::int64_t p99_ns = 0;
  std::int64_t p999_ns = 0;
  std::int64_t max_ns = 0;
  double mean_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("p99_ns", self.p99_ns);
    archive.Required("p999_ns", self.p999_ns);
    archive.Required("max_ns", self.max_ns);
    archive.Required("mean_ns", self.mean_ns);
  }
};

struct RunResult {
  std::string artifact = "result";
  std::int64_t result_schema_version = kResultSchemaVersion;
  bool complete = true;  ///< every operation of the trace ran
  std::string incomplete_reason;
  std::string generated_at;  ///< RFC 3339, UTC, whole seconds
  ToolIdentity tool;
  HostIdentity host;
  RunPlan plan;
  RunEnvironment run_env;
  std::int64_t duration_ns = 0;  ///< of the measured phase: no preparation, no cache recipe
  std::int64_t ops_completed = 0;
  std::int64_t bytes_moved = 0;
  std::int64_t errors = 0;
  std::int64_t short_reads = 0;
  std::int64_t histogram_overflows = 0;
  std::vector<OpLatency> per_op_stats;
  std::vector<OpLatency> service_time_stats;
  std::int64_t backlog_events = 0;
  std::int64_t backlog_blocked_ns = 0;
  std::int64_t max_backlog_depth = 0;
  DriftSummary schedule_drift;
  CpuTime cpu;
  Fidelity fidelity;
  HistogramSnapshot histogram_snapshot;
  std::vector<TimePoint> time_series;
  std::vector<HostShare> hosts;
  std::optional<Straggler> straggler;
  std::int64_t go_delivery_skew_ns = 0;

  std::int64_t prepare_duration_ns = 0;
  std::int64_t prepare_bytes_written = 0;
  std::int64_t payload_ns = 0;
  std::map<std::string, std::string> settings;
  TraceIdentity trace_identity;
  FioRun fio;
  HostEnvironment environment;
  ErrorDetails error_details;
  std::vector<OpTotals> op_totals;
  std::vector<StreamOutcome> per_stream;
  bool inflight_peak_is_counted =
      false;  ///< else max_backlog_depth is the most there can have been
  std::optional<PacingFigures> pacing;
  std::optional<CausalFigures> causal_order;  ///< nothing with order=stream
  std::optional<EngineMemory> memory;
  Equivalence equivalence;
  std::optional<LatencyCurves> latency_curves;

  /// Remarks on reading the file; not written.
  std::vector<std::string> notes;
  FieldOrigin origin = FieldOrigin::kOwn;  ///< who wrote the file

  /// As recorded, by option; "" for one that was not.
  std::string Setting(const std::string& option) const {
    const auto found = settings.find(option);
    return found == settings.end() ? std::string() : found->second;
  }

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Own("artifact", self.artifact);
    archive.Required("result_schema_version", self.result_schema_version);
    archive.Own("complete", self.complete);
    archive.Optional("incomplete_reason", self.incomplete_reason);
    archive.Required("generated_at", self.generated_at);
    archive.Required("tool", self.tool);
    archive.Required("host", self.host);
    archive.Required("plan", self.plan);
    archive.Required("run_env", self.run_env);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("ops_completed", self.ops_completed);
    archive.Required("bytes_moved", self.bytes_moved);
    archive.Required("errors", self.errors);
    archive.Optional("short_reads", self.short_reads);
    archive.Optional("histogram_overflows", self.histogram_overflows);
    archive.Required("per_op_stats", self.per_op_stats);
    archive.Optional("service_time_stats", self.service_time_stats);
    archive.Required("backlog_events", self.backlog_events);
    archive.Required("backlog_blocked_ns", self.backlog_blocked_ns);
    archive.Required("max_backlog_depth", self.max_backlog_depth);
    archive.Required("schedule_drift", self.schedule_drift);
    archive.Required("cpu", self.cpu);
    archive.Required("fidelity", self.fidelity);
    archive.Required("histogram_snapshot", self.histogram_snapshot);
    archive.Optional("time_series", self.time_series);
    archive.Optional("hosts", self.hosts);
    archive.Optional("straggler", self.straggler);
    archive.Optional("go_delivery_skew_ns", self.go_delivery_skew_ns);
    archive.Own("prepare_duration_ns", self.prepare_duration_ns);
    archive.Own("prepare_bytes_written", self.prepare_bytes_written);
    archive.Own("payload_ns", self.payload_ns);
    archive.Own("settings", self.settings);
    archive.Own("trace_identity", self.trace_identity);
    archive.Own("fio", self.fio);
    archive.Own("environment", self.environment);
    archive.Own("error_details", self.error_details);
    archive.Own("op_totals", self.op_totals);
    archive.Own("per_stream", self.per_stream);
    archive.Optional("inflight_peak_is_counted", self.inflight_peak_is_counted);
    archive.Optional("pacing", self.pacing);
    archive.Optional("causal_order", self.causal_order);
    archive.Optional("memory", self.memory);
    archive.Optional("equivalence", self.equivalence);
    archive.Optional("latency_curves", self.latency_curves);
  }
};

/// kUnsupported when `document` is of another schema version.
Result<void> CheckResultSchema(const JsonValue& document);

/// The document as it is written: two-space indent, trailing newline.
std::string EncodeRunResult(const RunResult& result);
JsonValue RunResultToJson(const RunResult& result);

Result<RunResult> DecodeRunResult(const JsonValue& document);
/// `name` is the file name for errors.
Result<RunResult> ParseRunResult(std::string_view text, const std::string& name);

}  // namespace ioflux
