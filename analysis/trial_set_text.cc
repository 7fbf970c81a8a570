// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_set_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string_view>
#include <vector>

#include "analysis/report_format.h"
#include "analysis/report_page.h"
#include "analysis/run_verdict.h"
#include "analysis/trial_remarks.h"
#include "base/duration_text.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

constexpr std::size_t kOpWidth = 8;
constexpr std::size_t kNumberWidth = 10;
constexpr std::size_t kRangeWidth = 26;
constexpr std::size_t kDigestDigits = 12;
constexpr std::size_t kTrialsShown = 30;
constexpr std::string_view kNone = "-";

std::string ShortDigest(const std::string& digest) {
  const std::size_t colon = digest.find(':');
  if (colon == std::string::npos) return digest;
  return digest.substr(0, colon + 1 + kDigestDigits);
}

using Format = std::function<std::string(double)>;

std::string Duration(double duration_ns) {
  return FormatDuration(static_cast<std::int64_t>(duration_ns));
}

std::string Microseconds(double latency_ns) {
  return FormatMicroseconds(static_cast<std::int64_t>(latency_ns));
}

std::string Rate(double gib_per_sec) { return fmt::format("{:.3f} GiB/s", gib_per_sec); }
std::string OpRate(double ops_per_sec) { return FormatCount(ops_per_sec) + " ops/s"; }

/// The value as text, or why there is none.
std::string Shown(const std::optional<double>& value, const TrialMetric& metric,
                  const std::string& key, const Format& format) {
  if (value) return format(*value);
  const auto found = metric.not_computed.find(key);
  return found == metric.not_computed.end() ? std::string(kNone)
                                            : fmt::format("none ({})", found->second);
}

void RenderRun(const RunRecord& run, std::string_view name, Page& page) {
  page.Line("        [{}: {}, {}, {} moved, {}]", name,
            run.complete ? "complete" : Printable("incomplete: " + run.incomplete_reason),
            Counted(run.ops_completed, "op"),
            FormatSizeHuman(static_cast<std::uint64_t>(run.bytes_moved)),
            Counted(run.errors, "error"));
}

void RenderHeader(const TrialSet& set, Page& page) {
  const RunResult& first = set.trials.front();
  const RunPlan& plan = first.plan;
  page.Line("Trace: {} [{}]", Printable(plan.trace_path),
            plan.trace_digest.empty() ? "digest not recorded"
                                      : Printable(ShortDigest(plan.trace_digest)));
  const std::string& cache = first.run_env.cache_mode;
  page.Line("Engine: {}{}  mode: {}{}  cache: {}", Printable(plan.engine),
            SettingWords(first, "io"), Printable(plan.mode), SettingWords(first, "order"),
            cache.empty() ? "as it was" : Printable(cache));
  page.Line("Confinement: {}", Printable(ConfinementWords(plan)));
  std::string counts = std::to_string(set.trials.size());
  if (static_cast<std::int64_t>(set.trials.size()) < set.planned_trials)
    counts += fmt::format(" of {}", set.planned_trials);
  counts += " measured";
  if (set.warmup_trials > 0)
    counts += fmt::format(", {} (discarded)", Counted(set.warmup_trials, "warm-up"));
  page.Line("Trials: {}", counts);
  for (std::size_t i = 0; i < set.warmups.size(); ++i)
    RenderRun(set.warmups[i], fmt::format("warm-up {}", i + 1), page);
  if (set.unfinished_trial) RenderRun(*set.unfinished_trial, "stopped, in no figure", page);
}

void RenderExecution(const TrialSet& set, Page& page) {
  const TrialSummary& summary = set.summary;
  if (summary.failed_trials == 0) {
    page.Line("Execution: no operation is known to have failed");
    return;
  }
  page.Line("Execution: INVALID — {} of {} failed: {}", summary.failed_trials,
            Counted(summary.trials, "trial"), PositionsText(summary.failed_positions));
  for (const std::string& words : FailedTrialWords(set)) page.Line("  ! {}", Printable(words));
}

void RenderMetric(std::string_view title, const TrialMetric& metric, const Format& format,
                  Page& page) {
  page.Line("{}:", title);
  page.Line("  median: {}", Shown(metric.median, metric, "median", format));
  page.Line("  mean: {}  stddev: {}  CV: {}", Shown(metric.mean, metric, "mean", format),
            Shown(metric.stddev, metric, "stddev", format),
            Shown(metric.cv_percent, metric, "cv_percent", FormatPercent));
  page.Line("  range: {} … {}", Shown(metric.min, metric, "min", format),
            Shown(metric.max, metric, "max", format));
  if (metric.ci95_available) {
    page.Line("  95% CI: {} … {} (on the median)", format(*metric.ci95_lo),
              format(*metric.ci95_hi));
  } else {
    page.Line("  95% CI: unavailable, {}", metric.not_computed.at("ci95"));
  }
}

/// Every trial's duration, in the order of execution.
void RenderEach(const TrialSet& set, Page& page) {
  std::vector<std::string> each;
  for (const RunResult& trial : set.trials) {
    if (each.size() == kTrialsShown) break;
    const std::string text = FormatDuration(trial.duration_ns);
    each.push_back(TrialFailures(trial).empty() ? text : "(" + text + ", failed)");
  }
  const std::size_t more = set.trials.size() - each.size();
  page.Line("  in order: {}{}", fmt::join(each, " "),
            more > 0 ? fmt::format(" … {} more in the file", more) : std::string());
}

std::string Row(const std::vector<std::string>& cells, std::size_t width) {
  std::string row = "  " + PadRight(cells.front(), kOpWidth);
  for (std::size_t i = 1; i < cells.size(); ++i) row += PadLeft(cells[i], width);
  return row;
}

void RenderMerged(const TrialSummary& summary, Page& page) {
  page.Line(
      "Latency (µs): all operations of the valid trials together; percentiles at most 1.6% high, "
      "max "
      "exact");
  page.Line("{}", Row({"Op", "Count", "p50", "p90", "p99", "p999", "max"}, kNumberWidth));
  for (const OpTrials& op : summary.latency) {
    if (!op.merged) {
      page.Line("  {} its histograms are not in the file", PadRight(op.op_type, kOpWidth));
      continue;
    }
    const OpLatency& all = *op.merged;
    page.Line("{}",
              Row({Printable(op.op_type), std::to_string(all.count), FormatMicroseconds(all.p50_ns),
                   FormatMicroseconds(all.p90_ns), FormatMicroseconds(all.p99_ns),
                   FormatMicroseconds(all.p999_ns), FormatMicroseconds(all.max_ns)},
                  kNumberWidth));
  }
}

std::string SpreadCell(const TrialMetric& metric) {
  if (!metric.median) return std::string(kNone);
  return fmt::format("{} ({}…{})", Microseconds(*metric.median), Microseconds(*metric.min),
                     Microseconds(*metric.max));
}

void RenderSpread(const TrialSummary& summary, Page& page) {
  page.Line("Spread of each trial's own percentiles (µs): median (lowest…highest)");
  page.Line("{}", Row({"Op", "p50", "p99", "p999"}, kRangeWidth));
  for (const OpTrials& op : summary.latency) {
    page.Line("{}", Row({Printable(op.op_type), SpreadCell(op.p50_ns), SpreadCell(op.p99_ns),
                         SpreadCell(op.p999_ns)},
                        kRangeWidth));
  }
}

void RenderList(std::string_view title, const std::vector<std::string>& sentences, Page& page) {
  if (sentences.empty()) {
    page.Line("{}: none", title);
    return;
  }
  page.Line("{}:", title);
  for (const std::string& sentence : sentences) page.Line("  ! {}", Printable(sentence));
}

}  // namespace

std::string RenderTrialSetText(const TrialSet& set) {
  Page page;
  if (!set.complete) {
    page.Line("INCOMPLETE — {}", Printable(set.incomplete_reason));
    page.Blank();
  }
  RenderHeader(set, page);
  RenderExecution(set, page);
  if (set.summary.valid_trials == 0) {
    page.Line("Nothing to summarise: no trial is valid");
    return page.Take();
  }
  page.Blank();
  RenderMetric("Duration", set.summary.duration_ns, Duration, page);
  RenderEach(set, page);
  RenderMetric("Throughput", set.summary.gib_per_sec, Rate, page);
  RenderMetric("Operations", set.summary.ops_per_sec, OpRate, page);
  if (const std::string words = StabilityWords(set.summary); !words.empty())
    page.Line("Stability: {}", words);
  page.Blank();
  RenderMerged(set.summary, page);
  RenderSpread(set.summary, page);
  page.Blank();
  RenderList("Remarks", TrialRemarks(set), page);
  RenderList("Warnings", TrialWarnings(set), page);
  return page.Take();
}

std::string TrialSetLine(const TrialSet& set) {
  const TrialSummary& summary = set.summary;
  std::string line = fmt::format("{} valid, {} failed", Counted(summary.valid_trials, "trial"),
                                 summary.failed_trials);
  const TrialMetric& duration = summary.duration_ns;
  if (!duration.median) return line;
  line += fmt::format("; duration: median {}", Duration(*duration.median));
  if (duration.cv_percent) line += fmt::format(", CV {}", FormatPercent(*duration.cv_percent));
  return line + fmt::format(", {} … {}", Duration(*duration.min), Duration(*duration.max));
}

}  // namespace ioflux
