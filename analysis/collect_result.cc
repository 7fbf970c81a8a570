// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/collect_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "analysis/side_file_merge.h"
#include "base/counted_text.h"
#include "base/utf8.h"

namespace ioflux {
namespace {

std::string Setting(const SideFile& engine, const std::string& name) {
  const auto found = engine.settings.find(name);
  return found == engine.settings.end() ? std::string() : found->second;
}

/// A setting as a number; 0 when it is absent or none ("auto").
template <typename Number>
Number NumericSetting(const SideFile& engine, const std::string& name) {
  const std::string text = Setting(engine, name);
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Between the caller and the engine stands fio's option parser, which changes some texts silently.
Result<void> CheckSettingsArrived(const SideFile& engine,
                                  const std::map<std::string, std::string>& asked) {
  for (const auto& [name, text] : asked) {
    const std::string arrived = Setting(engine, name);
    const std::string value = ReplaceInvalidUtf8(text);  // as every JSON document holds it
    if (arrived == value) continue;
    return Error{.kind = ErrorKind::kFailed,
                 .what = "the setting `" + name + "` was to be \"" + value +
                         "\", but the engine got \"" + arrived +
                         "\": the replay was not the one asked for",
                 .where = {},
                 .mend = "use another value; what was replayed is of no use"};
  }
  return {};
}

RunPlan PlanOf(const SideFile& engine, const std::string& trace_digest) {
  const SideFileTrace& trace = engine.trace;
  RunPlan plan;
  plan.trace_path = trace.path;
  plan.trace_digest = trace_digest;
  plan.engine = Setting(engine, "backend");
  plan.mode = Setting(engine, "mode");
  plan.max_inflight = NumericSetting<std::int64_t>(engine, "max_inflight");
  plan.speedup_factor = NumericSetting<double>(engine, "speedup");
  plan.trace_kind = trace.kind;
  plan.profile = trace.profile;
  plan.capture_method = trace.capture_method;
  plan.capture_limitations = trace.capture_limitations;
  plan.num_streams = trace.num_streams;
  plan.num_ops = trace.num_ops;
  plan.total_bytes = trace.total_bytes;
  plan.target_root = engine.target_root;
  plan.bucket = Setting(engine, "bucket");
  plan.endpoint = Setting(engine, "endpoint");
  plan.trace_partial_reads = trace.num_partial_reads;
  plan.prepare_mode = Setting(engine, "prepare");
  plan.prepare_scope = Setting(engine, "prepare_scope");
  plan.fill_mode = Setting(engine, "fill");
  plan.fill_seed =
      Setting(engine, "fill_seed") == "0" ? 1 : NumericSetting<std::uint64_t>(engine, "fill_seed");
  plan.prepare_touched_same_data = engine.prepare.touched_same_data || engine.cache.primed > 0;
  plan.prepare_verified = engine.prepare.verified;
  plan.prepare_kept = engine.prepare.kept;
  plan.prepare_created = engine.prepare.created;
  plan.prepare_copied = engine.prepare.copied;
  plan.prepare_skipped_size_unknown = engine.prepare.skipped_size_unknown;
  plan.prepare_derived_size_from_ops = engine.prepare.derived_size_from_ops;
  plan.prepare_left_to_trace = engine.prepare.left_to_trace;
  plan.prepare_left_over = engine.prepare.left_over;
  plan.prepare_created_empty = engine.prepare.created_empty;
  plan.trace_transformations = trace.transformations;
  plan.merged_targets = engine.merged_targets;
  plan.replay_equivalence = "syscall-level";
  plan.confined = engine.confined;
  return plan;
}

RunEnvironment EnvironmentOf(const SideFile& engine) {
  RunEnvironment environment{.cache_mode = engine.cache.mode == "none" ? "" : engine.cache.mode,
                             .cache_actions = engine.cache.actions,
                             .cache_limitations = engine.cache.limitations,
                             .engine_limitations = engine.limitations,
                             .cache_evidence = EvidenceOf(engine.cache)};
  for (const CountedLimitation& counted : engine.counted_limitations) {
    environment.engine_limitations.push_back(WithCounts(counted.text, counted.counts));
  }
  return environment;
}

/// Operations of the trace that ran at least once. Repetitions (loops) do not make up for gaps.
std::int64_t OpsCovered(const SideFile& engine) {
  std::map<std::int64_t, std::int64_t> by_stream;
  for (const StreamOutcome& stream : engine.streams) {
    std::int64_t& covered = by_stream[stream.stream];
    covered = std::max(covered, std::min(stream.ops, stream.ops_in_trace));
  }
  std::int64_t sum = 0;
  for (const auto& [stream, covered] : by_stream) sum += covered;
  return sum;
}

std::string StopWords(const CollectInput& input, const std::string& stop_reason) {
  if (stop_reason == "runtime") return "the runtime limit was reached";
  if (stop_reason == "error") return "an operation failed and the run was set to stop at the first";
  if (stop_reason == "lag") return "an operation started later than max_lag allows";
  if (stop_reason == "terminated") {
    return input.interrupted ? "the run was interrupted" : "fio ended the run";
  }
  return input.interrupted ? "the run was interrupted"
                           : "streams are missing: a process of the run left no side file";
}

void FillCompleteness(const CollectInput& input, const SideFile& engine, RunResult& result) {
  const std::int64_t covered = OpsCovered(engine);
  result.fidelity.coverage.ops_skipped = std::max<std::int64_t>(0, engine.trace.num_ops - covered);
  result.complete = engine.complete && result.fidelity.coverage.ops_skipped == 0;
  if (result.complete) return;
  result.incomplete_reason =
      fmt::format("{}: {} of {} operations were replayed", StopWords(input, engine.stop_reason),
                  std::min(covered, engine.trace.num_ops), engine.trace.num_ops);
}

void FillCounts(const SideFile& engine, RunResult& result) {
  for (const auto& [kind, op] : engine.ops) {
    if (op.count == 0) continue;
    result.ops_completed += op.count;
    result.bytes_moved += op.bytes;
    result.short_reads += op.short_reads;
    result.op_totals.push_back(OpTotals{.op_type = kind,
                                        .count = op.count,
                                        .errors = op.errors,
                                        .short_reads = op.short_reads,
                                        .bytes = op.bytes,
                                        .requested_bytes = op.requested_bytes});
    result.histogram_snapshot.counts[kind] = op.count;
  }
  result.errors = engine.errors.count;
  result.error_details = engine.errors;
  result.backlog_events = engine.inflight.backlog_events;
  result.backlog_blocked_ns = engine.inflight.backlog_blocked_ns;
  result.max_backlog_depth = engine.inflight.peak;
}

std::int64_t OverflowOf(const std::optional<LatencyHistogram>& histogram) {
  return histogram ? static_cast<std::int64_t>(histogram->overflow()) : 0;
}

/// Latency is the response time, from when the operation was due; in asap, where it is due the
/// moment it is issued, the service time.
void FillLatencies(const SideFile& engine, RunResult& result) {
  HistogramSnapshot& snapshot = result.histogram_snapshot;
  for (const auto& [kind, op] : engine.ops) {
    if (op.count == 0) continue;
    const LatencyHistogram& latency = op.response_time ? *op.response_time : op.service_time;
    result.per_op_stats.push_back(SummariseLatency(kind, op.count, latency));
    result.service_time_stats.push_back(SummariseLatency(kind, op.count, op.service_time));
    snapshot.histograms[kind] = latency;
    snapshot.service_histograms[kind] = op.service_time;
    result.histogram_overflows += static_cast<std::int64_t>(op.service_time.overflow()) +
                                  OverflowOf(op.lag) + OverflowOf(op.response_time);
    if (!op.lag || !op.response_time) continue;
    if (!snapshot.drift_hist) snapshot.drift_hist.emplace();
    if (!snapshot.completion_lag_hist) snapshot.completion_lag_hist.emplace();
    snapshot.drift_hist->Merge(*op.lag);
    snapshot.completion_lag_hist->Merge(*op.response_time);
  }
  if (!snapshot.drift_hist) return;
  result.fidelity.schedule_drift = SummariseLag(*snapshot.drift_hist);
  result.fidelity.completion_lag = SummariseLag(*snapshot.completion_lag_hist);
  const LagStats& drift = result.fidelity.schedule_drift;
  result.schedule_drift = {.p99_ns = drift.p99_ns,
                           .p999_ns = drift.p999_ns,
                           .max_ns = drift.max_ns,
                           .mean_ns = drift.mean_ns};
}

void FillSnapshot(RunResult& result) {
  HistogramSnapshot& snapshot = result.histogram_snapshot;
  snapshot.bytes = result.bytes_moved;
  snapshot.errors = result.errors;
  snapshot.short_reads = result.short_reads;
  snapshot.histogram_overflows = result.histogram_overflows;
  snapshot.backlog_events = result.backlog_events;
  snapshot.backlog_blocked_ns = result.backlog_blocked_ns;
  snapshot.max_inflight_depth = result.max_backlog_depth;
  snapshot.peak_inflight = result.ops_completed > 0 ? 1 : 0;
}

void FillFidelity(const CollectInput& input, const SideFile& engine, RunResult& result) {
  Fidelity& fidelity = result.fidelity;
  fidelity.backlog.total_events = result.backlog_events;
  fidelity.backlog.total_blocked_ns = result.backlog_blocked_ns;
  fidelity.backlog.peak_inflight_depth = engine.inflight.peak;
  fidelity.coverage.ops_in_trace = engine.trace.num_ops;
  fidelity.coverage.ops_issued = result.ops_completed;
  fidelity.concurrency_check.max_per_stream_inflight = result.ops_completed > 0 ? 1 : 0;
  FillCompleteness(input, engine, result);
  JudgeFidelity(fidelity, result.plan.mode,
                MeanInterarrivalNs(engine.trace.duration_ns, engine.trace.num_ops, result.plan.mode,
                                   result.plan.speedup_factor));
}

FioRun FioRunOf(const CollectInput& input, const SideFile& engine) {
  FioRun run;
  run.version = input.fio ? input.fio->version : engine.fio_version;
  run.command = input.fio_command;
  run.exit_status = input.fio_exit_status;
  run.job_file = input.fio_job_file;
  if (!input.fio) {
    run.cross_check = NothingToCompare(input.fio_missing_reason);
    return run;
  }
  run.cross_check = CompareCounts(engine, *input.fio);
  for (const FioJob& job : input.fio->jobs) {
    if (job.error == 0) continue;
    run.job_errors.push_back(fmt::format(
        "job {}: {}", job.name,
        SystemError("error " + std::to_string(job.error), static_cast<int>(job.error)).what));
  }
  return run;
}

/// The samples that fall into the run, and its end with the final totals.
std::vector<TimePoint> TimeSeriesOf(const std::vector<ProgressSample>& samples,
                                    std::int64_t start_ns, const RunResult& result) {
  std::vector<TimePoint> series;
  TimePoint before;
  const auto add = [&](std::int64_t elapsed_ns, std::int64_t ops, std::int64_t bytes) {
    before = TimePoint{.elapsed_ns = elapsed_ns,
                       .ops = ops,
                       .bytes = bytes,
                       .ops_delta = ops - before.ops,
                       .bytes_delta = bytes - before.bytes};
    series.push_back(before);
  };
  for (const ProgressSample& sample : samples) {
    const std::int64_t elapsed_ns = sample.time_ns - start_ns;
    if (elapsed_ns > 0 && elapsed_ns < result.duration_ns)
      add(elapsed_ns, sample.ops, sample.bytes);
  }
  add(result.duration_ns, result.ops_completed, result.bytes_moved);
  return series;
}

TraceIdentity IdentityOf(const SideFileTrace& trace) {
  return TraceIdentity{.format_version = trace.version,
                       .file_bytes = trace.file_bytes,
                       .mtime_ns = trace.mtime_ns,
                       .inode = trace.inode,
                       .device = trace.device,
                       .num_groups = trace.num_groups,
                       .duration_ns = trace.duration_ns};
}

}  // namespace

Result<RunResult> CollectResult(const CollectInput& input) {
  IOFLUX_ASSIGN_OR_RETURN(const SideFile engine,
                          MergeSideFiles(input.side_files, input.side_file_names));
  IOFLUX_RETURN_IF_ERROR(CheckEachStreamOnce(engine));
  IOFLUX_RETURN_IF_ERROR(CheckSettingsArrived(engine, input.asked_settings));
  RunResult result;
  result.plan = PlanOf(engine, input.trace_digest);
  result.generated_at = input.generated_at;
  result.tool = input.tool;
  result.host = input.host;
  result.run_env = EnvironmentOf(engine);
  result.duration_ns = engine.end_ns - engine.start_ns;
  result.cpu = CpuTime{
      .user_ns = engine.cpu.user_ns, .sys_ns = engine.cpu.sys_ns, .wall_ns = result.duration_ns};
  FillCounts(engine, result);
  FillLatencies(engine, result);
  FillSnapshot(result);
  FillFidelity(input, engine, result);
  result.time_series = TimeSeriesOf(input.samples, engine.start_ns, result);
  result.prepare_duration_ns = engine.prepare.duration_ns;
  result.prepare_bytes_written = engine.prepare.bytes_written;
  result.payload_ns = engine.payload_ns;
  result.settings = engine.settings;
  for (const std::string& name : input.temporary_settings) result.settings.erase(name);
  result.trace_identity = IdentityOf(engine.trace);
  result.fio = FioRunOf(input, engine);
  result.environment = input.environment;
  result.per_stream = engine.streams;
  result.inflight_peak_is_counted = engine.inflight.peak_is_counted;
  result.pacing = engine.pacing;
  result.causal_order = engine.causal_order;
  result.memory = engine.memory;
  if (!engine.curves.empty()) result.latency_curves = engine.curves;
  result.equivalence = GradeEquivalence(result);
  return result;
}

}  // namespace ioflux
