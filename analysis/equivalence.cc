// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/equivalence.h"

#include <fmt/format.h>

#include "analysis/report_format.h"
#include "analysis/run_result.h"
#include "base/duration_text.h"

namespace ioflux {
namespace {

EquivalenceGrade Exact() { return {.grade = "exact", .reason = {}}; }

std::string Rewrites(const RunResult& result) {
  std::string kinds;
  for (const TraceRewrite& rewrite : result.plan.trace_transformations) {
    kinds += (kinds.empty() ? "" : ", ") + rewrite.kind;
  }
  return kinds;
}

EquivalenceGrade Targets(const RunResult& result) {
  if (result.plan.engine == "mem")
    return {.grade = "not_kept", .reason = "the mem back end has no files"};
  if (result.plan.merged_targets == 0) return Exact();
  return {.grade = "altered",
          .reason = fmt::format("the map sends {} to a name that another has too",
                                Counted(result.plan.merged_targets, "target"))};
}

/// Offsets and requested lengths: whatever the trace says is asked for.
EquivalenceGrade AskedFor(const RunResult& result, bool lengths) {
  if (const std::string kinds = Rewrites(result); !kinds.empty())
    return {.grade = "altered", .reason = "the trace was rewritten: " + kinds};
  const bool captured = result.plan.trace_kind != "synthetic";
  if (lengths && captured && result.trace_identity.format_version < 2) {
    return {.grade = "not_measured",
            .reason = "a trace of version 1 does not hold what a short transfer asked for"};
  }
  return Exact();
}

EquivalenceGrade Returned(const RunResult& result) {
  if (result.plan.engine == "mem") {
    return {.grade = "not_measured",
            .reason = "the mem back end moves no data; the counts are those of the trace"};
  }
  if (result.errors == 0) return Exact();
  return {.grade = "altered",
          .reason = fmt::format("{} failed or moved another number of bytes than in the source",
                                Counted(result.errors, "op"))};
}

EquivalenceGrade Order(const RunResult& result) {
  if (result.plan.num_streams <= 1) return Exact();
  if (!result.causal_order) {
    return {.grade = "partial",
            .reason = "exact within each stream; streams did not wait for each other"};
  }
  if (result.causal_order->broken > 0) {
    return {.grade = "altered",
            .reason = fmt::format("{} of operations in different streams broken",
                                  Counted(result.causal_order->broken, "pair"))};
  }
  return {.grade = "partial",
          .reason =
              "exact within each stream; between streams what depends on each other on the "
              "same file"};
}

EquivalenceGrade Form(const RunResult& result) {
  if (result.plan.engine == "mem") return {.grade = "not_kept", .reason = "no calls are made"};
  const bool uring = result.Setting("io") == "uring";
  return {.grade = "altered",
          .reason = uring ? "positional operations through io_uring, whatever calls the source made"
                          : "pread, pwrite and calls by path, whatever calls the source made"};
}

EquivalenceGrade Depth(const RunResult& result) {
  if (result.trace_identity.num_groups > 1) {
    return {.grade = "altered",
            .reason = "the ops of a group run one after the other within their stream"};
  }
  const BacklogFigures& backlog = result.fidelity.backlog;
  if (backlog.total_events > 0) {
    return {.grade = "altered",
            .reason = fmt::format("{} waited for the limit of {} in flight",
                                  Counted(backlog.total_events, "op"), result.plan.max_inflight)};
  }
  return {.grade = "partial",
          .reason =
              "one op in flight per stream, as in the source; how streams overlap depends on "
              "the pacing and on the storage"};
}

EquivalenceGrade Pacing(const RunResult& result) {
  const std::string& mode = result.plan.mode;
  if (mode == "asap" || mode.empty())
    return {.grade = "not_kept", .reason = "asap: no operation waits for its time"};
  std::string reason = fmt::format("{}: 99 % of the operations started at most {} late", mode,
                                   FormatDuration(result.fidelity.schedule_drift.p99_ns));
  if (mode == "scaled")
    reason += fmt::format(", at {} times the speed", result.plan.speedup_factor);
  if (mode == "think" && result.pacing && result.pacing->known_gaps < result.pacing->gaps) {
    reason += fmt::format("; {} of {} gaps known, the others are 0", result.pacing->known_gaps,
                          result.pacing->gaps);
  }
  return {.grade = result.fidelity.low_fidelity || mode == "scaled" ? "altered" : "partial",
          .reason = reason};
}

}  // namespace

Equivalence GradeEquivalence(const RunResult& result) {
  return {{"targets", Targets(result)},
          {"offsets", AskedFor(result, /*lengths=*/false)},
          {"requested", AskedFor(result, /*lengths=*/true)},
          {"returned", Returned(result)},
          {"order", Order(result)},
          {"form", Form(result)},
          {"depth", Depth(result)},
          {"pacing", Pacing(result)}};
}

}  // namespace ioflux
