// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/result_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "analysis/derived_values.h"

namespace ioflux {
namespace {

/// Zeros when there is no such operation.
OpLatency LatencyOf(const RunResult& result, const std::string& kind) {
  for (const OpLatency& op : result.per_op_stats) {
    if (op.op_type == kind) return op;
  }
  return {};
}

}  // namespace

std::string_view CsvHeader() {
  return "timestamp,trace_path,trace_kind,trace_profile,engine,mode,num_streams,num_ops,"
         "max_inflight,cache_mode,prepare_mode,replay_equivalence,duration_ns,ops_completed,"
         "bytes_moved,errors,read_p50_ns,read_p99_ns,read_p999_ns,data_op,data_op_p50_ns,"
         "data_op_p99_ns,data_op_p999_ns,ops_per_sec,gib_per_sec,cpu_user_ns,cpu_sys_ns,"
         "backlog_events,schedule_drift_p99_ns,low_fidelity\n";
}

std::string CsvField(std::string_view text) {
  const bool starts_blank = !text.empty() && (text.front() == ' ' || text.front() == '\t');
  if (!starts_blank && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string CsvRow(const RunResult& result) {
  const RunPlan& plan = result.plan;
  const OpLatency read = LatencyOf(result, "READ");
  const std::string data_op = DominantDataOp(result.per_op_stats);
  const OpLatency data = LatencyOf(result, data_op);
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const std::vector<std::string> fields{
      CsvField(result.generated_at),
      CsvField(plan.trace_path),
      CsvField(plan.trace_kind),
      CsvField(plan.profile),
      CsvField(plan.engine),
      CsvField(plan.mode),
      number(plan.num_streams),
      number(plan.num_ops),
      number(plan.max_inflight),
      CsvField(result.run_env.cache_mode),
      CsvField(plan.prepare_mode),
      CsvField(plan.replay_equivalence),
      number(result.duration_ns),
      number(result.ops_completed),
      number(result.bytes_moved),
      number(result.errors),
      number(read.p50_ns),
      number(read.p99_ns),
      number(read.p999_ns),
      data_op,
      number(data.p50_ns),
      number(data.p99_ns),
      number(data.p999_ns),
      fmt::format("{:.3f}", OpsPerSecond(result.ops_completed, result.duration_ns)),
      fmt::format("{:.3f}", GibPerSecond(result.bytes_moved, result.duration_ns)),
      number(result.cpu.user_ns),
      number(result.cpu.sys_ns),
      number(result.backlog_events),
      number(result.schedule_drift.p99_ns),
      result.fidelity.low_fidelity ? "true" : "false"};
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace ioflux
