// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/report_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "analysis/cache_words.h"
#include "analysis/derived_values.h"
#include "analysis/plausibility.h"
#include "analysis/report_fidelity.h"
#include "analysis/report_format.h"
#include "analysis/report_page.h"
#include "analysis/run_verdict.h"
#include "base/duration_text.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

constexpr std::size_t kOpWidth = 8;
constexpr std::size_t kNumberWidth = 10;
constexpr std::size_t kFailuresShown = 10;

std::string Bytes(std::int64_t bytes) { return FormatSizeHuman(static_cast<std::uint64_t>(bytes)); }

void RenderTrace(const RunPlan& plan, Page& page) {
  page.Line("Trace: {}", Printable(plan.trace_path));
  std::string kind = Printable(plan.trace_kind);
  if (!plan.profile.empty()) kind += "/" + Printable(plan.profile);
  page.Line("       [{} · {} · {} · {}]", kind, Counted(plan.num_streams, "stream"),
            Counted(plan.num_ops, "op"), Bytes(plan.total_bytes));
  if (!plan.trace_digest.empty()) page.Line("       [{}]", Printable(plan.trace_digest));
  for (const TraceRewrite& rewrite : plan.trace_transformations) {
    std::string words = rewrite.kind;
    for (const auto& [key, value] : rewrite.params) words += " " + key + "=" + value;
    page.Line("       [rewritten: {}]", Printable(words));
  }
  if (!plan.capture_method.empty()) page.Line("Source: {}", Printable(plan.capture_method));
  if (plan.trace_partial_reads > 0) {
    page.Line("        [{} of the source returned less than asked for; replayed as it was]",
              Counted(plan.trace_partial_reads, "read"));
  }
  if (!plan.capture_limitations.empty()) {
    page.Line("Capture limitations: {}", Printable(plan.capture_limitations));
  }
}

void RenderPrepare(const RunResult& result, Page& page) {
  const RunPlan& plan = result.plan;
  if (plan.prepare_mode.empty() || plan.prepare_mode == "none") return;
  std::string line = "Prepare: " + Printable(plan.prepare_mode);
  if (result.prepare_duration_ns > 0) line += ", " + FormatDuration(result.prepare_duration_ns);
  if (result.prepare_bytes_written > 0) {
    line += ", " + Bytes(result.prepare_bytes_written) + " written";
  }
  page.Line("{}", line);
  std::vector<std::string> targets;
  const auto count = [&targets](std::int64_t number, std::string_view what) {
    if (number > 0) targets.push_back(fmt::format("{} {}", number, what));
  };
  count(plan.prepare_verified, "verified");
  count(plan.prepare_kept, "kept as they were");
  count(plan.prepare_created, "created");
  count(plan.prepare_copied, "copied");
  count(plan.prepare_created_empty, "empty (size unknown)");
  count(plan.prepare_left_to_trace, "left to the trace");
  count(plan.prepare_skipped_size_unknown, "skipped (size unknown)");
  count(plan.prepare_derived_size_from_ops, "sized by their operations");
  if (!targets.empty()) page.Line("         [targets: {}]", fmt::join(targets, ", "));
  if (plan.prepare_touched_same_data) page.Line("         [it touched the data replayed on]");
}

void RenderEnvironment(const RunResult& result, Page& page) {
  std::vector<std::string> parts;
  const HostEnvironment& environment = result.environment;
  const auto add = [&parts](const std::string& text) {
    if (!text.empty()) parts.push_back(Printable(text));
  };
  add(result.host.hostname);
  add(environment.kernel);
  if (result.host.cpus > 0) parts.push_back(Counted(result.host.cpus, "CPU"));
  if (environment.memory_bytes > 0) parts.push_back(Bytes(environment.memory_bytes) + " memory");
  if (!environment.filesystem_type.empty()) {
    add(environment.filesystem_type +
        (environment.device.empty() ? "" : " on " + environment.device));
  }
  if (!parts.empty()) page.Line("Host: {}", fmt::join(parts, " · "));
}

void RenderSetup(const RunResult& result, Page& page) {
  const RunPlan& plan = result.plan;
  std::string engine = Printable(plan.engine);
  if (plan.engine == "s3") {
    engine += fmt::format(" ({} at {})", Printable(plan.bucket), Printable(plan.endpoint));
  }
  const std::string inflight =
      plan.max_inflight > 0 ? Counted(plan.max_inflight, "op") : std::string("no limit");
  const std::string speedup =
      plan.mode == "scaled" ? fmt::format("  speedup: {}x", plan.speedup_factor) : std::string();
  page.Line("Engine: {}{}  mode: {}{}{}  max-inflight: {}", engine, SettingWords(result, "io"),
            Printable(plan.mode), speedup, SettingWords(result, "order"), inflight);
  page.Line("Confinement: {}", Printable(ConfinementWords(plan)));
  RenderEnvironment(result, page);
  if (const std::string words = CacheWords(result.run_env); !words.empty())
    page.Line("Cache: {}", words);
  RenderPrepare(result, page);
}

void RenderExecution(const RunResult& result, Page& page) {
  page.Line("Run: {}  duration: {}", Printable(result.generated_at),
            FormatDuration(result.duration_ns));
  const std::vector<std::string> reasons = InvalidReasons(result);
  std::string execution = reasons.empty() ? std::string("no operation is known to have failed")
                                          : fmt::format("INVALID — {}", fmt::join(reasons, "; "));
  if (!result.complete) execution += "; INCOMPLETE — " + Printable(result.incomplete_reason);
  page.Line("Execution: {}", execution);
  if (result.origin != FieldOrigin::kOwn) return;
  const CrossCheck& check = result.fio.cross_check;
  const auto differences = static_cast<std::int64_t>(check.differences.size());
  const std::string words = differences == 0 ? CrossCheckWords(check)
                                             : fmt::format("DISAGREES: {}, listed in the warnings",
                                                           Counted(differences, "difference"));
  page.Line("fio {} ({})", Printable(words), Printable(result.fio.version));
}

void RenderThroughput(const RunResult& result, Page& page) {
  page.Line("Throughput: {:.1f} ops/s  {:.3f} GiB/s",
            OpsPerSecond(result.ops_completed, result.duration_ns),
            GibPerSecond(result.bytes_moved, result.duration_ns));
  page.Line("  {} completed  {} moved", Counted(result.ops_completed, "op"),
            Bytes(result.bytes_moved));
}

/// One table row; the first cell is left-aligned.
std::string Row(const std::vector<std::string>& cells) {
  std::string row = "  " + PadRight(cells.front(), kOpWidth);
  for (std::size_t i = 1; i < cells.size(); ++i) row += PadLeft(cells[i], kNumberWidth);
  return row;
}

void RenderLatencyRows(const RunResult& result, const std::vector<OpLatency>& rows, Page& page) {
  page.Line("{}", Row({"Op", "Count", "p50", "p90", "p99", "p999", "max"}));
  for (const OpLatency& op : rows) {
    page.Line("{}",
              Row({Printable(op.op_type), std::to_string(op.count), FormatMicroseconds(op.p50_ns),
                   FormatMicroseconds(op.p90_ns), FormatMicroseconds(op.p99_ns),
                   FormatMicroseconds(op.p999_ns), FormatMicroseconds(op.max_ns)}));
  }
  for (const OpLatency& op : rows) {
    const std::int64_t overflow = OverflowCount(result, op.op_type);
    if (overflow == 0) continue;
    page.Line("  {}: {} of 17.18 s or more, beyond the histogram; max is exact",
              Printable(op.op_type), Counted(overflow, "sample"));
  }
}

/// Which operations the table is about, and how fine its percentiles are.
std::string Population(const RunResult& result) {
  if (result.origin != FieldOrigin::kOwn) {
    return fmt::format("{}, failed ones included", Counted(result.ops_completed, "op"));
  }
  std::uint64_t samples = 0;
  for (const auto& [kind, histogram] : result.histogram_snapshot.histograms) {
    samples += histogram.count();
  }
  return fmt::format("{} of {}; percentiles at most 1.6% high, max exact",
                     Counted(static_cast<std::int64_t>(samples), "sample"),
                     Counted(result.ops_completed, "op"));
}

void RenderLatency(const RunResult& result, Page& page) {
  const bool follows_clock = result.plan.mode == "timeline" || result.plan.mode == "scaled";
  const bool from_due_time = follows_clock || result.plan.mode == "think";
  page.Line("Latency (µs): {} to completion, {}", from_due_time ? "due time" : "issue",
            Population(result));
  RenderLatencyRows(result, result.per_op_stats, page);
  if (from_due_time && !result.service_time_stats.empty()) {
    page.Blank();
    page.Line("Service time (µs): issue to completion");
    RenderLatencyRows(result, result.service_time_stats, page);
  }
}

void RenderErrors(const RunResult& result, Page& page) {
  const ErrorDetails& details = result.error_details;
  if (details.count == 0) return;
  page.Blank();
  page.Line("Errors: {}", Counted(details.count, "failed op"));
  for (const ErrorKindCount& kind : details.by_kind) {
    page.Line("  {} {}  {}{}", PadRight(Printable(kind.op), kOpWidth),
              PadLeft(Counted(kind.count, "time"), kNumberWidth),
              Printable(kind.error.empty() && kind.errno_value == 0
                            ? "moved another number of bytes than the trace says"
                            : kind.error),
              kind.errno_value == 0 ? "" : fmt::format(" (errno {})", kind.errno_value));
  }
  const std::size_t shown = std::min(details.first.size(), kFailuresShown);
  if (shown == 0) return;
  page.Line("  First failures:");
  for (std::size_t i = 0; i < shown; ++i) {
    const FailedOp& op = details.first[i];
    page.Line("    op {} (stream {}, at {}): {} {}, offset {} B, {} of {} B moved{}", op.op_id,
              op.stream, FormatDuration(op.start_ns), Printable(op.op), Printable(op.target),
              op.offset_bytes, op.moved_bytes, op.expected_bytes,
              op.errno_value == 0 ? "" : ": " + Printable(op.error));
  }
  if (details.first.size() > shown) {
    page.Line("    … {} more in the result file", details.first.size() - shown);
  }
}

void RenderStreams(const RunResult& result, Page& page) {
  if (result.per_stream.size() < 2) return;
  const auto [first, last] = std::minmax_element(
      result.per_stream.begin(), result.per_stream.end(),
      [](const auto& a, const auto& b) { return a.last_end_ns < b.last_end_ns; });
  page.Line("Streams: {}, the first done after {} (stream {}), the last after {} (stream {})",
            result.per_stream.size(), FormatDuration(first->last_end_ns), first->stream,
            FormatDuration(last->last_end_ns), last->stream);
}

void RenderHosts(const RunResult& result, Page& page) {
  if (result.hosts.size() < 2) return;
  page.Line("Hosts ({}):", result.hosts.size());
  const auto row = [](const auto& host, const auto& ops, const auto& bytes, const auto& first,
                      const auto& last) {
    return "  " + PadRight(host, 20) + PadLeft(ops, 10) + PadLeft(bytes, 12) + PadLeft(first, 10) +
           PadLeft(last, 10);
  };
  page.Line("{}", row("Host", "Ops", "Bytes", "1st-done", "last-done"));
  for (const HostShare& host : result.hosts) {
    page.Line("{}", row(Printable(host.hostname), std::to_string(host.ops_completed),
                        Bytes(host.bytes_moved), FormatDuration(host.first_done_ns),
                        FormatDuration(host.last_done_ns)));
  }
  if (!result.straggler) return;
  const Straggler& straggler = *result.straggler;
  page.Line("  until the first host was done ({}): {:.1f} ops/s  {:.3f} GiB/s",
            FormatDuration(straggler.first_done_ns), straggler.first_done_ops_per_sec,
            straggler.first_done_gib_per_sec);
  page.Line("  until the last host was done ({}): {:.1f} ops/s  {:.3f} GiB/s, skew {}",
            FormatDuration(straggler.last_done_ns), straggler.last_done_ops_per_sec,
            straggler.last_done_gib_per_sec, FormatDuration(straggler.skew_ns));
}

void RenderCost(const RunResult& result, Page& page) {
  page.Line("CPU: user {}  sys {}  wall {}", FormatDuration(result.cpu.user_ns),
            FormatDuration(result.cpu.sys_ns), FormatDuration(result.cpu.wall_ns));
  if (result.payload_ns > 0) {
    page.Line("Payload: {} spent filling write buffers, in no latency",
              FormatDuration(result.payload_ns));
  }
}

void RenderWarnings(const RunResult& result, Page& page) {
  const std::vector<std::string> warnings = Warnings(result);
  if (warnings.empty()) {
    page.Line("Warnings: none");
    return;
  }
  page.Line("Warnings:");
  for (const std::string& warning : warnings) page.Line("  ! {}", Printable(warning));
}

/// What is left to say of a result whose figures contradict each other.
std::string RenderUnbelievable(const RunResult& result, const std::vector<std::string>& doubts) {
  Page page;
  page.Line("CANNOT BE BELIEVED — no run has such figures, so none of them are shown");
  page.Blank();
  page.Line("Trace: {}", Printable(result.plan.trace_path));
  page.Line("Run: {}", Printable(result.generated_at));
  for (const std::string& doubt : doubts) page.Line("  ! cannot be believed: {}", Printable(doubt));
  return page.Take();
}

}  // namespace

std::string RenderResultText(const RunResult& result) {
  if (const std::vector<std::string> doubts = Contradictions(result); !doubts.empty())
    return RenderUnbelievable(result, doubts);
  Page page;
  if (!result.complete) {
    page.Line("INCOMPLETE — {}", Printable(result.incomplete_reason));
    page.Blank();
  }
  RenderTrace(result.plan, page);
  RenderSetup(result, page);
  RenderExecution(result, page);
  page.Blank();
  RenderThroughput(result, page);
  page.Blank();
  RenderLatency(result, page);
  RenderErrors(result, page);
  page.Blank();
  RenderCost(result, page);
  RenderStreams(result, page);
  RenderHosts(result, page);
  RenderFidelity(result, page);
  RenderWarnings(result, page);
  return page.Take();
}

}  // namespace ioflux
