// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/run_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "analysis/plausibility.h"
#include "analysis/report_format.h"
#include "base/printable_text.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

void WarnOfFailures(const RunResult& result, std::vector<std::string>& warnings) {
  if (result.errors > 0) {
    warnings.push_back(
        fmt::format("{} of {} failed", result.errors, Counted(result.ops_completed, "operation")));
  }
  if (result.short_reads > 0) {
    warnings.push_back(
        fmt::format("{} moved another number of bytes than the trace says: the data replayed on is "
                    "not the data traced",
                    Counted(result.short_reads, "read")));
  }
  if (result.histogram_overflows > 0) {
    warnings.push_back(fmt::format(
        "{} of {} or more: beyond the scale, percentiles that fall there show the maximum",
        Counted(result.histogram_overflows, "latency sample"), "17.18 s"));
  }
}

bool IsMissingOrShort(const FailedOp& failure) {
  return failure.errno_value == ENOENT || failure.errno_value == 0;
}

void WarnOfRepetition(const RunResult& result, std::vector<std::string>& warnings) {
  std::int64_t repeated = 0;
  for (const StreamOutcome& stream : result.per_stream) {
    if (stream.ops > stream.ops_in_trace) ++repeated;
  }
  if (repeated == 0) return;
  warnings.push_back(fmt::format(
      "{} of {} ran more than once: counts, bytes and latencies are of all passes", repeated,
      Counted(static_cast<std::int64_t>(result.per_stream.size()), "stream")));
}

void WarnOfFio(const FioRun& fio, std::vector<std::string>& warnings) {
  for (const std::string& difference : fio.cross_check.differences) {
    warnings.push_back("fio counts differently: " + difference);
  }
  if (!fio.cross_check.not_compared.empty()) {
    warnings.push_back("fio " + CrossCheckWords(fio.cross_check));
  }
  if (!fio.cross_check.agrees && !fio.cross_check.note.empty()) {
    warnings.push_back(fio.cross_check.note);
  }
  for (const std::string& error : fio.job_errors) warnings.push_back("fio reports " + error);
  if (fio.exit_status != 0) {
    warnings.push_back(fmt::format("fio ended with status {}{}", fio.exit_status,
                                   fio.exit_status >= 128 ? " (stopped by a signal)" : ""));
  }
}

}  // namespace

std::vector<std::string> InvalidReasons(const RunResult& result) {
  std::vector<std::string> reasons;
  for (const std::string& doubt : Contradictions(result)) {
    reasons.push_back("its figures cannot be believed: " + doubt);
  }
  if (!reasons.empty()) return reasons;  // what follows would quote them
  if (result.errors > 0) {
    std::string reason = fmt::format("{} operation failure(s)", result.errors);
    if (result.short_reads > 0) {
      reason += fmt::format(
          ", including {} read(s) that moved another number of bytes than the trace says",
          result.short_reads);
    }
    reasons.push_back(std::move(reason));
  }
  if (result.histogram_overflows > 0) {
    reasons.push_back(fmt::format("{} latency sample(s) outside the range of the histogram",
                                  result.histogram_overflows));
  }
  return reasons;
}

std::string OrderHint(const RunResult& result) {
  if (result.Setting("order") != "stream") return {};
  if (result.plan.num_streams < 2) return {};
  const std::vector<FailedOp>& first = result.error_details.first;
  if (std::none_of(first.begin(), first.end(), IsMissingOrShort)) return {};
  return "where one stream makes what another uses, run with --order causal (order=causal): "
         "streams "
         "did not wait for each other";
}

std::vector<std::string> Warnings(const RunResult& result) {
  std::vector<std::string> warnings;
  for (const std::string& doubt : Contradictions(result)) {
    warnings.push_back("cannot be believed: " + doubt);
  }
  if (!warnings.empty()) return warnings;  // what follows would quote the figures
  WarnOfFailures(result, warnings);
  if (const std::string hint = OrderHint(result); !hint.empty()) warnings.push_back(hint);
  WarnOfRepetition(result, warnings);
  if (result.origin == FieldOrigin::kOwn) WarnOfFio(result.fio, warnings);
  if (!result.plan.confined && result.plan.engine == "local") {
    warnings.push_back("the replay was " + ConfinementWords(result.plan));
  }
  for (const std::string& text : result.run_env.engine_limitations) {
    warnings.push_back("engine: " + text);
  }
  for (const std::string& text : result.run_env.cache_limitations) {
    warnings.push_back("cache: " + text);
  }
  for (const std::string& text : result.notes) warnings.push_back("this file: " + text);
  return warnings;
}

std::string SettingWords(const RunResult& result, const std::string& option) {
  const std::string value = result.Setting(option);
  return value.empty() ? std::string() : "  " + option + ": " + Printable(value);
}

std::string ConfinementWords(const RunPlan& plan) {
  if (plan.engine == "mem") return "not needed: the mem back end touches no file";
  if (plan.engine == "s3") {
    return plan.target_root.empty() ? "to the bucket" : "to keys below " + plan.target_root;
  }
  if (plan.confined) return "confined to " + plan.target_root;
  return "UNCONFINED: no target root held it to one folder";
}

std::string CrossCheckWords(const CrossCheck& check) {
  if (!check.not_compared.empty()) return "COULD NOT BE COMPARED: " + check.not_compared;
  if (!check.agrees) {
    return fmt::format("DISAGREES: {}", fmt::join(check.differences, "; "));
  }
  std::vector<std::string> parts;
  for (const CrossCheckRow& row : check.rows) {
    if (row.engine_ops == 0 && row.engine_bytes == 0) continue;
    std::string part = Counted(row.engine_ops, row.name);
    if (row.name != "sync") {
      part += ", " + FormatSizeHuman(static_cast<std::uint64_t>(row.engine_bytes));
    }
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return "agrees: no reads, writes or syncs";
  return fmt::format("agrees: {}", fmt::join(parts, " · "));
}

std::int64_t OverflowCount(const RunResult& result, const std::string& op_type) {
  const auto found = result.histogram_snapshot.histograms.find(op_type);
  if (found == result.histogram_snapshot.histograms.end()) return 0;
  return static_cast<std::int64_t>(found->second.overflow());
}

}  // namespace ioflux
