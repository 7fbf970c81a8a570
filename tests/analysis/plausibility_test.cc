// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/plausibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <ostream>

#include "analysis/report_json.h"
#include "analysis/report_text.h"
#include "analysis/run_verdict.h"
#include "tests/analysis/sample_run.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RunResult Sound() { return CollectResult(SampleInput()).value(); }

struct Damage {
  const char* name;
  std::function<void(RunResult&)> apply;
  const char* words;  ///< among the reasons
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, IsRemarkedUponAndNeverShownAsAMeasurement) {
  RunResult result = Sound();
  GetParam().apply(result);

  EXPECT_THAT(Contradictions(result), Contains(HasSubstr(GetParam().words)));
  EXPECT_THAT(InvalidReasons(result), Contains(HasSubstr("cannot be believed: ")));
  const std::string text = RenderResultText(result);
  EXPECT_THAT(text, HasSubstr("cannot be believed: "));
  for (const char* figures : {"Throughput", "Latency", "CPU:", "ops/s"}) {
    EXPECT_THAT(text, Not(HasSubstr(figures)));
  }
  const JsonValue report = JsonValue::Parse(RenderResultJson(result), "report").value();
  EXPECT_FALSE(report.GetBool("valid").value());
  EXPECT_FALSE(report.Has("ops_per_sec"));
  EXPECT_FALSE(report.Has("gib_per_sec"));
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    Kinds, Damaged,
    testing::Values(
        Damage{"NegativeOps", [](auto& r) { r.ops_completed = -1; }, "ops_completed is -1"},
        Damage{"NegativeBytes", [](auto& r) { r.bytes_moved = -4; }, "bytes_moved is -4"},
        Damage{"NegativeDuration", [](auto& r) { r.duration_ns = -1; }, "duration_ns is -1"},
        Damage{"NegativeErrors", [](auto& r) { r.errors = -1; }, "errors is -1"},
        Damage{"NegativeCpu", [](auto& r) { r.cpu.user_ns = -1; }, "cpu.user_ns is -1"},
        Damage{"NegativePlan", [](auto& r) { r.plan.num_ops = -1; }, "plan.num_ops is -1"},
        Damage{"NegativeCount", [](auto& r) { r.per_op_stats[2].count = -1; }, "READ: count is -1"},
        Damage{"InfiniteMean", [](auto& r) { r.per_op_stats[2].mean_ns = kInfinite; },
               "mean_ns is inf"},
        Damage{"NoMean", [](auto& r) { r.service_time_stats[2].mean_ns = kNoNumber; },
               "service_time_stats of READ: mean_ns is nan"},
        Damage{"NoSpeedup", [](auto& r) { r.plan.speedup_factor = kNoNumber; },
               "plan.speedup_factor is nan"},
        Damage{"InfiniteDrift", [](auto& r) { r.fidelity.schedule_drift.mean_ns = kInfinite; },
               "schedule_drift.mean_ns is inf"},
        Damage{"MeanAboveMaximum",
               [](auto& r) {
                 r.per_op_stats[2].mean_ns = 2.0 * static_cast<double>(r.per_op_stats[2].max_ns);
               },
               "not between 0 and max_ns"},
        Damage{"NegativePercentile", [](auto& r) { r.per_op_stats[2].p50_ns = -1; },
               "p50_ns is -1, below 0"},
        Damage{"PercentilesOutOfOrder", [](auto& r) { r.per_op_stats[2].p90_ns = 1; },
               "p90_ns is 1, below p50_ns"},
        Damage{"MaximumBelowPercentile", [](auto& r) { r.per_op_stats[2].max_ns = 1; },
               "max_ns is 1, below p999_ns"},
        Damage{"MoreOpsThanTheirKinds", [](auto& r) { r.ops_completed += 1; },
               "the operations of op_totals add up to 520, and the total is 521"},
        Damage{"FewerBytesThanTheirKinds", [](auto& r) { r.bytes_moved = 7; },
               "the bytes of op_totals add up to"},
        Damage{"StreamsOfAnotherRun", [](auto& r) { r.per_stream.pop_back(); },
               "the operations of per_stream add up to"},
        Damage{"MoreThanPlannedInOnePass",
               [](auto& r) {
                 r.per_stream[0].ops_in_trace = 1;
                 r.per_stream[0].passes = 0;
               },
               "operations in 0 passes over 1"},
        Damage{"MoreThanPlannedWithoutStreams",
               [](auto& r) {
                 r.per_stream.clear();
                 r.plan.num_ops = 519;
               },
               "520 operations ran of a trace that has 519"},
        Damage{"CompleteWithGaps", [](auto& r) { r.fidelity.coverage.ops_skipped = 3; },
               "it is complete and lacks 3 operations"},
        Damage{"MoreFailuresThanOps", [](auto& r) { r.errors = 521; },
               "521 operations failed of 520 that ran"}),
    [](const auto& damage) { return std::string(damage.param.name); });

TEST(Contradictions, OfWhatWasMeasuredAreNone) {
  for (const CollectInput& input : {SampleInput(), FailedInput(), InterruptedInput()}) {
    EXPECT_THAT(Contradictions(CollectResult(input).value()), IsEmpty());
  }
  for (const char* name :
       {"complete", "failed", "incomplete", "unconfined", "disagreeing", "mem"}) {
    const std::string path = std::string("/analysis/reports/") + name + ".json";
    const Result<RunResult> result = ParseRunResult(ReadFileForTest(IOFLUX_TEST_DATA + path), path);
    ASSERT_TRUE(result.ok()) << Describe(result.error());
    EXPECT_THAT(Contradictions(result.value()), IsEmpty()) << name;
  }
}

TEST(Contradictions, OfAResultOfIofluxAreJudgedByWhatItHas) {
  const std::string path = IOFLUX_TEST_DATA "/analysis/upstream_result.json";
  RunResult result = ParseRunResult(ReadFileForTest(path), path).value();
  EXPECT_THAT(Contradictions(result), IsEmpty());
  result.ops_completed = result.plan.num_ops + 1;
  EXPECT_THAT(Contradictions(result), ElementsAre(HasSubstr("operations ran of a trace")));
}

}  // namespace
}  // namespace ioflux
