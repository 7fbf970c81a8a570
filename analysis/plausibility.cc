// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/plausibility.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/saturating_math.h"

namespace ioflux {
namespace {

/// The histograms of IOFlux round a percentile up by as much as this, also above the maximum.
constexpr double kForeignRounding = 1.01;

class Doubts {
 public:
  explicit Doubts(const RunResult& result) : result_(result) {}

  std::vector<std::string> Find() {
    CheckSigns();
    for (const OpLatency& op : result_.per_op_stats) CheckLatency("per_op_stats", op);
    for (const OpLatency& op : result_.service_time_stats) CheckLatency("service_time_stats", op);
    CheckReals();
    CheckCoverage();
    if (result_.origin == FieldOrigin::kOwn) CheckSums();
    for (const StreamOutcome& stream : result_.per_stream) CheckStream(stream);
    return std::move(doubts_);
  }

 private:
  template <typename... Args>
  void Doubt(fmt::format_string<Args...> format, Args&&... args) {
    doubts_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void CheckSigns() {
    const struct {
      std::string_view name;
      std::int64_t value;
    } counts[] = {{"plan.num_streams", result_.plan.num_streams},
                  {"plan.num_ops", result_.plan.num_ops},
                  {"plan.total_bytes", result_.plan.total_bytes},
                  {"duration_ns", result_.duration_ns},
                  {"ops_completed", result_.ops_completed},
                  {"bytes_moved", result_.bytes_moved},
                  {"errors", result_.errors},
                  {"short_reads", result_.short_reads},
                  {"histogram_overflows", result_.histogram_overflows},
                  {"backlog_events", result_.backlog_events},
                  {"backlog_blocked_ns", result_.backlog_blocked_ns},
                  {"max_backlog_depth", result_.max_backlog_depth},
                  {"cpu.user_ns", result_.cpu.user_ns},
                  {"cpu.sys_ns", result_.cpu.sys_ns},
                  {"cpu.wall_ns", result_.cpu.wall_ns},
                  {"prepare_duration_ns", result_.prepare_duration_ns},
                  {"prepare_bytes_written", result_.prepare_bytes_written},
                  {"payload_ns", result_.payload_ns},
                  {"error_details.count", result_.error_details.count},
                  {"fidelity.coverage.ops_in_trace", result_.fidelity.coverage.ops_in_trace},
                  {"fidelity.coverage.ops_issued", result_.fidelity.coverage.ops_issued},
                  {"fidelity.coverage.ops_skipped", result_.fidelity.coverage.ops_skipped}};
    for (const auto& count : counts) {
      if (count.value < 0) Doubt("{} is {}, below 0", count.name, count.value);
    }
  }

  void CheckReals() {
    const Fidelity& fidelity = result_.fidelity;
    const struct {
      std::string_view name;
      double value;
    } reals[] = {
        {"plan.speedup_factor", result_.plan.speedup_factor},
        {"fidelity.backlog.fraction_ops_backlogged", fidelity.backlog.fraction_ops_backlogged},
        {"fidelity.schedule_drift.mean_ns", fidelity.schedule_drift.mean_ns},
        {"fidelity.completion_lag.mean_ns", fidelity.completion_lag.mean_ns},
        {"schedule_drift.mean_ns", result_.schedule_drift.mean_ns}};
    for (const auto& real : reals) {
      if (!std::isfinite(real.value)) Doubt("{} is {}, no number", real.name, real.value);
    }
  }

  void CheckLatency(std::string_view list, const OpLatency& op) {
    const double slack = result_.origin == FieldOrigin::kOwn ? 1 : kForeignRounding;
    if (op.count < 0) Doubt("{} of {}: count is {}, below 0", list, op.op_type, op.count);
    const struct {
      std::string_view name;
      std::int64_t value;
    } rising[] = {{"0", 0},
                  {"p50_ns", op.p50_ns},
                  {"p90_ns", op.p90_ns},
                  {"p99_ns", op.p99_ns},
                  {"p999_ns", op.p999_ns},
                  {"max_ns", op.max_ns}};
    for (std::size_t i = 1; i < std::size(rising); ++i) {
      const bool is_last = i + 1 == std::size(rising);
      const double limit = static_cast<double>(rising[i].value) * (is_last ? slack : 1);
      if (static_cast<double>(rising[i - 1].value) <= limit) continue;
      Doubt("{} of {}: {} is {}, below {} ({})", list, op.op_type, rising[i].name, rising[i].value,
            rising[i - 1].name, rising[i - 1].value);
    }
    if (!std::isfinite(op.mean_ns) || op.mean_ns < 0 ||
        op.mean_ns > static_cast<double>(op.max_ns) * slack + 1) {
      Doubt("{} of {}: mean_ns is {}, not between 0 and max_ns ({})", list, op.op_type, op.mean_ns,
            op.max_ns);
    }
  }

  void CheckCoverage() {
    const CoverageFigures& coverage = result_.fidelity.coverage;
    if (coverage.ops_skipped > coverage.ops_in_trace) {
      Doubt("{} operations were skipped of a trace that has {}", coverage.ops_skipped,
            coverage.ops_in_trace);
    }
    if (result_.origin == FieldOrigin::kOwn && result_.complete && coverage.ops_skipped > 0) {
      Doubt("it is complete and lacks {} operations", coverage.ops_skipped);
    }
    if (result_.errors > result_.ops_completed) {
      Doubt("{} operations failed of {} that ran", result_.errors, result_.ops_completed);
    }
    if (result_.short_reads > result_.errors && result_.origin == FieldOrigin::kOwn) {
      Doubt("{} reads failed by their count of bytes, and {} operations failed in all",
            result_.short_reads, result_.errors);
    }
    // A trace that loops says so by its streams.
    if (result_.per_stream.empty() && result_.ops_completed > result_.plan.num_ops) {
      Doubt("{} operations ran of a trace that has {}", result_.ops_completed,
            result_.plan.num_ops);
    }
  }

  void CheckSums() {
    std::int64_t ops = 0;
    std::int64_t bytes = 0;
    for (const OpTotals& kind : result_.op_totals) {
      ops = SaturatingAdd(ops, kind.count);
      bytes = SaturatingAdd(bytes, kind.bytes);
      if (kind.count < 0 || kind.bytes < 0 || kind.errors < 0) {
        Doubt("op_totals of {}: a count is below 0", kind.op_type);
      }
    }
    CheckSum("operations", "op_totals", ops, result_.ops_completed);
    CheckSum("bytes", "op_totals", bytes, result_.bytes_moved);
    ops = 0;
    for (const OpLatency& kind : result_.per_op_stats) ops = SaturatingAdd(ops, kind.count);
    CheckSum("operations", "per_op_stats", ops, result_.ops_completed);
    ops = 0;
    for (const StreamOutcome& stream : result_.per_stream) ops = SaturatingAdd(ops, stream.ops);
    if (!result_.per_stream.empty())
      CheckSum("operations", "per_stream", ops, result_.ops_completed);
  }

  void CheckSum(std::string_view what, std::string_view list, std::int64_t parts,
                std::int64_t whole) {
    if (parts == whole) return;
    Doubt("the {} of {} add up to {}, and the total is {}", what, list, parts, whole);
  }

  void CheckStream(const StreamOutcome& stream) {
    if (stream.ops < 0 || stream.ops_in_trace < 0 || stream.passes < 0 || stream.bytes < 0 ||
        stream.errors < 0) {
      Doubt("stream {}: a count is below 0", stream.stream);
      return;
    }
    // Complete passes and at most one more.
    const std::int64_t most =
        SaturatingMultiply(stream.ops_in_trace, SaturatingAdd(stream.passes, 1));
    if (stream.ops > most) {
      Doubt("stream {} ran {} operations in {} passes over {}", stream.stream, stream.ops,
            stream.passes, stream.ops_in_trace);
    }
  }

  const RunResult& result_;
  std::vector<std::string> doubts_;
};

}  // namespace

std::vector<std::string> Contradictions(const RunResult& result) { return Doubts(result).Find(); }

}  // namespace ioflux
