// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/side_file.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <set>
#include <utility>
#include <vector>

#include "base/histogram_json.h"
#include "base/json_value.h"
#include "ioengine/replay/cache_json.h"

namespace ioflux {
namespace {

constexpr int kSideFileVersion = 2;
constexpr std::string_view kEngineVersion = "0.1.0";

std::int64_t ClockNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::string ErrorText(int error) {
  if (error == 0) return "moved another number of bytes than the source";
  const char* text = strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

JsonValue EncodeSettings(const ReplaySettings& settings) {
  JsonValue json = JsonValue::Object();
  for (const SettingInfo& info : AllSettings()) json.Set(info.option, settings.text(info.id));
  return json;
}

/// Those with counts of this process apart from those that every process has the same of.
void EncodeLimitations(const std::vector<Limitation>& limitations, JsonValue& json) {
  JsonValue of_run = JsonValue::Array();
  JsonValue counted = JsonValue::Array();
  for (const Limitation& limitation : limitations) {
    if (limitation.counts.empty()) {
      of_run.Append(JsonValue::String(limitation.text));
      continue;
    }
    JsonValue counts = JsonValue::Array();
    for (const std::uint64_t count : limitation.counts) counts.Append(JsonValue::Uint(count));
    JsonValue item = JsonValue::Object();
    item.Set("text", limitation.text).Set("counts", counts);
    counted.Append(item);
  }
  json.Set("limitations", of_run).Set("counted_limitations", counted);
}

JsonValue EncodeLedger(const std::vector<LedgerEntry>& ledger) {
  JsonValue json = JsonValue::Array();
  for (const LedgerEntry& entry : ledger) {
    JsonValue item = JsonValue::Object();
    item.Set("kind", entry.kind);
    JsonValue params = JsonValue::Object();
    for (const auto& [key, value] : entry.params) params.Set(key, value);
    if (params.size() > 0) item.Set("params", params);
    if (!entry.source_digest.empty()) item.Set("source_digest", entry.source_digest);
    if (!entry.applied_utc.empty()) item.Set("applied_utc", entry.applied_utc);
    if (!entry.note.empty()) item.Set("note", entry.note);
    json.Append(item);
  }
  return json;
}

JsonValue EncodeTrace(const LoadedTrace& trace, const std::string& path) {
  const TraceHeader& header = trace.header;
  JsonValue json = JsonValue::Object();
  json.Set("path", path)
      .Set("file_bytes", trace.identity.file_bytes)
      .Set("mtime_ns", trace.identity.mtime_ns);
  json.Set("inode", trace.identity.inode).Set("device", trace.identity.device);
  json.Set("version", header.version).Set("kind", header.kind).Set("profile", header.profile);
  json.Set("capture_method", header.capture_method)
      .Set("capture_limitations", header.capture_limitations);
  json.Set("num_ops", header.summary.num_ops).Set("num_streams", header.summary.num_streams);
  json.Set("num_groups", header.summary.num_groups).Set("total_bytes", header.summary.total_bytes);
  json.Set("duration_ns", header.summary.duration_ns)
      .Set("num_partial_reads", header.summary.num_partial_reads);
  json.Set("transformations", EncodeLedger(header.transformations));
  return json;
}

JsonValue EncodePrepare(const PrepareReport& report) {
  JsonValue json = JsonValue::Object();
  json.Set("verified", report.verified)
      .Set("kept", report.kept)
      .Set("created", report.created)
      .Set("copied", report.copied)
      .Set("left_to_trace", report.left_to_trace)
      .Set("left_over", report.left_over);
  json.Set("skipped_size_unknown", report.skipped_size_unknown);
  json.Set("derived_size_from_ops", report.derived_size_from_ops)
      .Set("created_empty", report.created_empty);
  json.Set("bytes_written", report.bytes_written).Set("duration_ns", report.duration_ns);
  json.Set("touched_same_data", report.touched_same_data());
  return json;
}

/// A stream and the job that replayed it.
struct JobStream {
  const StreamReplayer* stream;
  std::uint32_t job_number;
};

std::vector<JobStream> StreamsOf(const std::vector<const ReplayJob*>& jobs) {
  std::vector<JobStream> all;
  for (const ReplayJob* job : jobs) {
    for (const StreamReplayer* stream : job->streams()) all.push_back({stream, job->job_number()});
  }
  return all;
}

/// Stamps of the host's clock on the axes that other processes know.
struct Axis {
  std::int64_t origin_ns = 0;  ///< host clock of the common start
  std::int64_t last_ns = 0;    ///< host clock of the last completion
  std::int64_t to_monotonic_ns = 0;
  std::int64_t to_unix_ns = 0;
};

Axis AxisOf(const SideFileInput& input) {
  Axis axis;
  const std::int64_t host_now_ns = input.session->host().clock.now_ns();
  axis.to_monotonic_ns = ClockNs(CLOCK_MONOTONIC) - host_now_ns;
  axis.to_unix_ns = ClockNs(CLOCK_REALTIME) - host_now_ns;
  axis.origin_ns = host_now_ns;
  for (const ReplayJob* job : input.jobs) {
    axis.origin_ns = std::min(axis.origin_ns, job->start_ns());
  }
  axis.last_ns = axis.origin_ns;
  for (const JobStream& item : StreamsOf(input.jobs)) {
    axis.last_ns = std::max(axis.last_ns, item.stream->figures().last_end_ns);
  }
  return axis;
}

bool Complete(const StreamReplayer& stream) { return stream.figures().passes > 0; }

JsonValue EncodeStream(const JobStream& of_job, const Axis& axis) {
  const StreamReplayer& stream = *of_job.stream;
  const StreamFigures& figures = stream.figures();
  const auto since_start = [&](std::int64_t stamp_ns) {
    return stamp_ns < 0 ? std::int64_t{0} : stamp_ns - axis.origin_ns;
  };
  JsonValue item = JsonValue::Object();
  item.Set("stream", stream.ops().stream).Set("job", std::int64_t{of_job.job_number});
  item.Set("ops_in_trace", stream.ops().ops.size())
      .Set("ops", figures.ops)
      .Set("bytes", figures.bytes);
  item.Set("errors", figures.errors).Set("passes", figures.passes);
  item.Set("first_start_ns", since_start(figures.first_start_ns));
  item.Set("first_end_ns", since_start(figures.first_end_ns));
  item.Set("last_end_ns", since_start(figures.last_end_ns));
  item.Set("worst_lag_ns", figures.worst_lag_ns).Set("late_ops", figures.late_ops);
  item.Set("complete", Complete(stream));
  return item;
}

JsonValue EncodeStreams(const std::vector<const ReplayJob*>& jobs, const Axis& axis) {
  std::vector<JobStream> sorted = StreamsOf(jobs);
  std::sort(sorted.begin(), sorted.end(), [](const JobStream& a, const JobStream& b) {
    return a.stream->ops().stream < b.stream->ops().stream;
  });
  JsonValue json = JsonValue::Array();
  for (const JobStream& item : sorted) json.Append(EncodeStream(item, axis));
  return json;
}

/// The largest number of streams that were between their first start and their last end at the same
/// time. A stream has at most one op in flight, so no more ops can have been.
std::int64_t PeakActive(const std::vector<const ReplayJob*>& jobs) {
  std::vector<std::pair<std::int64_t, int>> edges;
  for (const JobStream& item : StreamsOf(jobs)) {
    const StreamFigures& figures = item.stream->figures();
    if (figures.ops == 0) continue;
    edges.emplace_back(figures.first_start_ns, 1);
    edges.emplace_back(figures.last_end_ns, -1);
  }
  std::sort(edges.begin(), edges.end());
  std::int64_t active = 0;
  std::int64_t peak = 0;
  for (const auto& [time_ns, change] : edges) peak = std::max(peak, active += change);
  return std::max<std::int64_t>(peak, edges.empty() ? 0 : 1);
}

JsonValue EncodeInflight(const ReplaySession& session, const std::vector<const ReplayJob*>& jobs) {
  const RunControl& control = session.control();
  const bool counted = session.shared().limited;
  JsonValue json = JsonValue::Object();
  json.Set("limit", session.settings().number(Setting::kMaxInflight));
  json.Set("peak", counted ? std::int64_t{control.peak_inflight()} : PeakActive(jobs));
  json.Set("peak_is_counted", counted);
  json.Set("backlog_events", control.backlog_events())
      .Set("backlog_blocked_ns", control.backlog_blocked_ns());
  return json;
}

JsonValue EncodePacing(const ReplaySession& session) {
  const LoadedTrace& trace = session.trace();
  JsonValue json = JsonValue::Object();
  json.Set("gaps", trace.gaps).Set("known_gaps", trace.known_gaps);
  json.Set("spin_ns", session.shared().spin_ns);
  return json;
}

JsonValue EncodeOrder(const CausalGate& causal) {
  JsonValue pairs = JsonValue::Object();
  for (std::size_t rule = 0; rule < kCausalRules; ++rule) {
    pairs.Set(NameOf(static_cast<CausalRule>(rule)), causal.order().pairs[rule]);
  }
  JsonValue json = JsonValue::Object();
  json.Set("pairs", pairs).Set("waits", causal.waits()).Set("waited_ns", causal.waited_ns());
  json.Set("broken", causal.broken());
  return json;
}

JsonValue EncodeMemory(const ReplaySession& session) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  JsonValue json = JsonValue::Object();
  json.Set("trace_bytes", session.trace().resident_bytes());
  json.Set("peak_rss_bytes", std::int64_t{usage.ru_maxrss} * 1024);
  return json;
}

JsonValue EncodeOps(const OpStats& stats) {
  JsonValue json = JsonValue::Object();
  for (int i = 0; i < kOpKinds; ++i) {
    const KindStats* kind = stats.find(static_cast<OpKind>(i));
    if (kind == nullptr) continue;
    const LatencyHistogram service_time = kind->service_time.Total();
    if (service_time.count() == 0) continue;
    JsonValue item = JsonValue::Object();
    item.Set("count", service_time.count())
        .Set("errors", kind->errors)
        .Set("short_reads", kind->short_reads);
    item.Set("bytes", kind->moved_bytes).Set("requested_bytes", kind->requested_bytes);
    item.Set("service_time", HistogramToJson(service_time));
    if (kind->lag != nullptr) {
      item.Set("lag", HistogramToJson(kind->lag->Total()));
      item.Set("response_time", HistogramToJson(kind->response_time->Total()));
    }
    json.Set(NameOf(static_cast<OpKind>(i)), item);
  }
  return json;
}

JsonValue EncodePoints(const LatencyCurve& curve) {
  JsonValue points = JsonValue::Array();
  for (const LatencyCurve::Point& point : curve.points()) {
    JsonValue item = JsonValue::Object();
    item.Set("interval", std::int64_t{point.interval});
    item.Set("samples", PackedHistogramToJson(point.samples));
    points.Append(std::move(item));
  }
  return points;
}

JsonValue EncodeCurves(const OpStats& stats) {
  JsonValue kinds = JsonValue::Object();
  for (int i = 0; i < kOpKinds; ++i) {
    const KindStats* kind = stats.find(static_cast<OpKind>(i));
    if (kind == nullptr || kind->service_time.points().empty()) continue;
    JsonValue item = JsonValue::Object();
    item.Set("service_time", EncodePoints(kind->service_time));
    if (kind->lag != nullptr) {
      item.Set("lag", EncodePoints(*kind->lag));
      item.Set("response_time", EncodePoints(*kind->response_time));
    }
    kinds.Set(NameOf(static_cast<OpKind>(i)), item);
  }
  JsonValue json = JsonValue::Object();
  json.Set("interval_ns", stats.interval_ns()).Set("ops", kinds);
  return json;
}

JsonValue EncodeErrors(const OpStats& stats, const std::vector<BackendTarget>& targets,
                       std::int64_t origin_ns) {
  std::uint64_t count = 0;
  JsonValue by_kind = JsonValue::Array();
  for (const auto& [key, number] : stats.failure_counts()) {
    count += number;
    JsonValue item = JsonValue::Object();
    item.Set("op", NameOf(key.first))
        .Set("errno", key.second)
        .Set("error", ErrorText(key.second))
        .Set("count", number);
    by_kind.Append(item);
  }
  JsonValue first = JsonValue::Array();
  for (const Failure& failure : stats.failures()) {
    JsonValue item = JsonValue::Object();
    item.Set("op_id", failure.op_id).Set("stream", failure.stream).Set("op", NameOf(failure.kind));
    item.Set("target", targets[failure.target].name).Set("start_ns", failure.start_ns - origin_ns);
    item.Set("offset", failure.offset).Set("length", failure.length_bytes);
    item.Set("moved", failure.moved_bytes).Set("expected", failure.expected_bytes);
    item.Set("errno", failure.error).Set("error", ErrorText(failure.error));
    first.Append(item);
  }
  JsonValue json = JsonValue::Object();
  json.Set("count", count).Set("by_kind", by_kind).Set("first", first);
  return json;
}

/// Those of jobs that say the same are said once, with their counts added.
std::vector<Limitation> LimitationsOf(const SideFileInput& input) {
  std::vector<Limitation> all = input.session->limitations();
  for (const ReplayJob* job : input.jobs) {
    for (const Limitation& limitation : job->limitations()) AddLimitation(all, limitation);
  }
  return all;
}

}  // namespace

std::string SideFilePath(const std::string& prefix, const std::vector<const ReplayJob*>& jobs) {
  std::uint32_t lowest = UINT32_MAX;
  for (const ReplayJob* job : jobs) lowest = std::min(lowest, job->job_number());
  return prefix + "." + std::to_string(lowest) + ".json";
}

std::string EncodeSideFile(const SideFileInput& input) {
  const ReplaySession& session = *input.session;
  const Axis axis = AxisOf(input);
  OpStats stats(0, session.shared().pacing.paced());
  std::int64_t payload_ns = 0;
  bool complete = true;
  std::set<StatsShard*> shards;
  for (const ReplayJob* job : input.jobs) {
    if (shards.insert(&job->shard()).second) stats.Merge(job->shard().stats);
    payload_ns += job->payload_ns();
    for (const StreamReplayer* stream : job->streams()) complete = complete && Complete(*stream);
  }
  JsonValue cpu = JsonValue::Object();
  cpu.Set("user_ns", input.cpu_user_ns).Set("sys_ns", input.cpu_sys_ns);

  JsonValue json = JsonValue::Object();
  json.Set("artifact", "ioflux-side-file").Set("side_file_version", kSideFileVersion);
  json.Set("engine_version", kEngineVersion).Set("fio_version", session.host().fio_version);
  json.Set("job_name", session.host().job_name);
  json.Set("complete", complete).Set("stop_reason", complete ? std::string() : input.stop_reason);
  json.Set("settings", EncodeSettings(session.settings()));
  json.Set("trace", EncodeTrace(session.trace(), session.settings().text(Setting::kTrace)));
  json.Set("confined", !session.root_path().empty()).Set("target_root", session.root_path());
  EncodeLimitations(LimitationsOf(input), json);
  json.Set("prepare", EncodePrepare(session.prepare_report()));
  json.Set("merged_targets", session.merged_targets());
  json.Set("cache", EncodeCache(session.cache_state(), session.device_bytes()));
  json.Set("start_ns", axis.origin_ns + axis.to_monotonic_ns)
      .Set("end_ns", axis.last_ns + axis.to_monotonic_ns);
  json.Set("start_unix_ns", axis.origin_ns + axis.to_unix_ns);
  json.Set("cpu", cpu).Set("payload_ns", payload_ns);
  json.Set("memory", EncodeMemory(session));
  json.Set("inflight", EncodeInflight(session, input.jobs)).Set("pacing", EncodePacing(session));
  if (session.causal()) json.Set("causal_order", EncodeOrder(*session.causal()));
  json.Set("streams", EncodeStreams(input.jobs, axis)).Set("ops", EncodeOps(stats));
  json.Set("curves", EncodeCurves(stats));
  json.Set("errors", EncodeErrors(stats, session.targets(), axis.origin_ns));
  return json.Dump(/*escape_html=*/false);
}

}  // namespace ioflux
