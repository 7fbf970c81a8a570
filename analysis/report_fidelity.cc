// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/report_fidelity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/report_format.h"
#include "base/duration_text.h"

namespace ioflux {
namespace {

void RenderLag(std::string_view title, const LagStats& lag, Page& page) {
  if (lag.p99_ns <= 0 && lag.max_ns <= 0) return;
  page.Line("  {}: p99 {}  p999 {}  max {}  mean {}", title, FormatDuration(lag.p99_ns),
            FormatDuration(lag.p999_ns), FormatDuration(lag.max_ns),
            FormatDuration(static_cast<std::int64_t>(lag.mean_ns)));
}

/// The dimensions that are exact on one line, each of the others with its reason.
void RenderEquivalence(const Equivalence& equivalence, Page& page) {
  if (equivalence.empty()) return;
  std::string exact;
  for (const char* dimension : kEquivalenceDimensions) {
    const auto found = equivalence.find(dimension);
    if (found != equivalence.end() && found->second.grade == "exact")
      exact += (exact.empty() ? "" : ", ") + std::string(dimension);
  }
  page.Line("Equivalence: {}", exact.empty() ? "nothing is exact" : "exact in " + exact);
  for (const char* dimension : kEquivalenceDimensions) {
    const auto found = equivalence.find(dimension);
    if (found == equivalence.end() || found->second.grade == "exact") continue;
    std::string grade = found->second.grade;
    std::replace(grade.begin(), grade.end(), '_', ' ');
    page.Line("  {} {}: {}", dimension, grade, found->second.reason);
  }
}

void RenderPacing(const RunResult& result, Page& page) {
  if (result.plan.mode == "think" && result.pacing) {
    page.Line("  think gaps: {} of {} gaps known, the others are 0", result.pacing->known_gaps,
              result.pacing->gaps);
  }
  const auto latest = std::max_element(
      result.per_stream.begin(), result.per_stream.end(),
      [](const auto& a, const auto& b) { return a.worst_lag_ns < b.worst_lag_ns; });
  if (latest == result.per_stream.end() || latest->worst_lag_ns == 0) return;
  page.Line("  latest stream: {}, worst lag {}{}", latest->stream,
            FormatDuration(latest->worst_lag_ns),
            latest->late_ops == 0
                ? std::string()
                : fmt::format(
                      ", {} of its ops later than max_lag",
                      FormatPercent(100.0 * static_cast<double>(latest->late_ops) /
                                    static_cast<double>(std::max<std::int64_t>(latest->ops, 1)))));
}

void RenderCausalOrder(const CausalFigures& order, Page& page) {
  std::int64_t all = 0;
  std::string rules;
  for (const auto& [rule, count] : order.pairs) {
    all += count;
    if (count == 0) continue;
    std::string words = rule;
    std::replace(words.begin(), words.end(), '_', ' ');
    rules += (rules.empty() ? ": " : ", ") + std::to_string(count) + " " + words;
  }
  page.Line("  order: causal, {} of operations in different streams kept{}; {}, {} in all",
            Counted(all, "pair"), rules, Counted(order.waits, "wait"),
            FormatDuration(order.waited_ns));
  if (order.broken == 0) return;
  page.Line("  order: {} broken, since the stream waited for had ended",
            Counted(order.broken, "pair"));
}

void RenderMeasures(const Fidelity& fidelity, Page& page) {
  const CoverageFigures& coverage = fidelity.coverage;
  const std::int64_t covered = coverage.ops_in_trace - coverage.ops_skipped;
  page.Line("Fidelity:");
  page.Line("  coverage: {}/{} ops ({})", covered, coverage.ops_in_trace,
            FormatPercent(coverage.ops_in_trace > 0 ? 100.0 * static_cast<double>(covered) /
                                                          static_cast<double>(coverage.ops_in_trace)
                                                    : 0));
  const ConcurrencyCheck& check = fidelity.concurrency_check;
  page.Line("  concurrency: at most {} in flight per stream{}",
            Counted(check.max_per_stream_inflight, "op"),
            check.violations.empty()
                ? std::string()
                : fmt::format("; more than one in streams {}", fmt::join(check.violations, " ")));
  page.Line("  backlog: {}, blocked {}, {} of ops, peak depth {}",
            Counted(fidelity.backlog.total_events, "event"),
            FormatDuration(fidelity.backlog.total_blocked_ns),
            FormatPercent(100 * fidelity.backlog.fraction_ops_backlogged),
            Counted(fidelity.backlog.peak_inflight_depth, "op"));
  RenderLag("schedule drift", fidelity.schedule_drift, page);
  RenderLag("completion lag", fidelity.completion_lag, page);
  if (!fidelity.low_fidelity) {
    page.Line("  low-fidelity: no");
  } else {
    page.Line("  low-fidelity: YES [{}] — {}", Printable(fidelity.low_fidelity_category),
              Printable(fidelity.low_fidelity_reason));
  }
}

}  // namespace

void RenderFidelity(const RunResult& result, Page& page) {
  RenderMeasures(result.fidelity, page);
  RenderPacing(result, page);
  if (result.causal_order) RenderCausalOrder(*result.causal_order, page);
  RenderEquivalence(result.equivalence, page);
}

}  // namespace ioflux
