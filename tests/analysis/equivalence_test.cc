// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/equivalence.h"

#include <gtest/gtest.h>

#include "analysis/run_result.h"

namespace ioflux {
namespace {

/// A run on files in which everything went well.
RunResult GoodRun() {
  RunResult result;
  result.plan.engine = "local";
  result.plan.mode = "asap";
  result.plan.trace_kind = "imported";
  result.plan.num_streams = 4;
  result.trace_identity.format_version = 2;
  return result;
}

std::string Grade(const RunResult& result, const std::string& dimension) {
  const Equivalence equivalence = GradeEquivalence(result);
  const EquivalenceGrade& grade = equivalence.at(dimension);
  EXPECT_EQ(grade.grade == "exact", grade.reason.empty()) << "a reason for all that is not exact";
  return grade.grade;
}

TEST(Equivalence, GradesEveryDimensionAndNoOther) {
  const Equivalence equivalence = GradeEquivalence(GoodRun());
  EXPECT_EQ(equivalence.size(), std::size(kEquivalenceDimensions));
  for (const char* dimension : kEquivalenceDimensions) EXPECT_TRUE(equivalence.count(dimension));
}

TEST(Equivalence, AGoodRunOnFilesIsExactInWhatIsAskedForAndReturned) {
  for (const char* dimension : {"targets", "offsets", "requested", "returned"})
    EXPECT_EQ(Grade(GoodRun(), dimension), "exact") << dimension;
  EXPECT_EQ(Grade(GoodRun(), "form"), "altered");
  EXPECT_EQ(Grade(GoodRun(), "pacing"), "not_kept");
}

TEST(Equivalence, FailuresAlterWhatIsReturnedAlone) {
  RunResult result = GoodRun();
  result.errors = 3;
  EXPECT_EQ(Grade(result, "returned"), "altered");
  EXPECT_EQ(Grade(result, "requested"), "exact");
}

TEST(Equivalence, AMapThatMergesTargetsAltersThem) {
  RunResult result = GoodRun();
  result.plan.merged_targets = 1;
  EXPECT_EQ(Grade(result, "targets"), "altered");
}

TEST(Equivalence, WithoutFilesNothingIsReturned) {
  RunResult result = GoodRun();
  result.plan.engine = "mem";
  EXPECT_EQ(Grade(result, "targets"), "not_kept");
  EXPECT_EQ(Grade(result, "returned"), "not_measured");
}

TEST(Equivalence, ACaptureOfVersionOneCannotTellWhatWasAskedFor) {
  RunResult result = GoodRun();
  result.trace_identity.format_version = 1;
  EXPECT_EQ(Grade(result, "requested"), "not_measured");
  result.plan.trace_kind = "synthetic";
  EXPECT_EQ(Grade(result, "requested"), "exact");
}

TEST(Equivalence, ARewrittenTraceIsNoLongerTheSource) {
  RunResult result = GoodRun();
  TraceRewrite rewrite;
  rewrite.kind = "split-reads";
  result.plan.trace_transformations.push_back(rewrite);
  EXPECT_EQ(Grade(result, "requested"), "altered");
  EXPECT_NE(GradeEquivalence(result).at("requested").reason.find("split-reads"), std::string::npos);
}

TEST(Equivalence, OrderHoldsWithinStreamsAndInCausalOrderBetweenThem) {
  RunResult result = GoodRun();
  EXPECT_EQ(Grade(result, "order"), "partial");
  result.causal_order = CausalFigures{};
  EXPECT_EQ(Grade(result, "order"), "partial");
  result.causal_order->broken = 1;
  EXPECT_EQ(Grade(result, "order"), "altered");
  result.plan.num_streams = 1;
  EXPECT_EQ(Grade(result, "order"), "exact");
}

TEST(Equivalence, TheLimiterAltersTheDepth) {
  RunResult result = GoodRun();
  EXPECT_EQ(Grade(result, "depth"), "partial");
  result.fidelity.backlog.total_events = 5;
  EXPECT_EQ(Grade(result, "depth"), "altered");
}

TEST(Equivalence, PacingSaysHowLateAndHowManyGapsWereUnknown) {
  RunResult result = GoodRun();
  result.plan.mode = "think";
  result.fidelity.schedule_drift.p99_ns = 12'000;
  result.pacing = PacingFigures{.gaps = 10, .known_gaps = 4};
  EXPECT_EQ(Grade(result, "pacing"), "partial");
  const std::string reason = GradeEquivalence(result).at("pacing").reason;
  EXPECT_NE(reason.find("4 of 10 gaps known"), std::string::npos) << reason;
  result.fidelity.low_fidelity = true;
  EXPECT_EQ(Grade(result, "pacing"), "altered");
}

}  // namespace
}  // namespace ioflux
