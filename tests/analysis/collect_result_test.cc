// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/collect_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/sample_run.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult Collect(const CollectInput& input) {
  const Result<RunResult> result = CollectResult(input);
  EXPECT_TRUE(result.ok()) << Describe(result.error());
  return result ? result.value() : RunResult{};
}

TEST(CollectResult, TotalsAreThoseOfTheEngine) {
  const RunResult result = Collect(SampleInput());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.ops_completed, 520);
  EXPECT_EQ(result.bytes_moved, 134'217'728);
  EXPECT_EQ(result.duration_ns, 430'000'000);
  EXPECT_EQ(result.cpu.wall_ns, result.duration_ns);
  EXPECT_EQ(result.errors, 0);
  EXPECT_EQ(result.fidelity.coverage.ops_in_trace, 520);
  EXPECT_EQ(result.fidelity.coverage.ops_skipped, 0);
  EXPECT_FALSE(result.fidelity.low_fidelity);
  EXPECT_TRUE(result.fio.cross_check.agrees);
}

TEST(CollectResult, PercentilesComeFromTheMergedHistograms) {
  const RunResult result = Collect(SampleInput());
  ASSERT_EQ(result.per_op_stats.size(), 3u);
  EXPECT_EQ(result.per_op_stats[0].op_type, "CLOSE");
  const OpLatency& reads = result.per_op_stats[2];
  EXPECT_EQ(reads.op_type, "READ");
  EXPECT_EQ(reads.count, 512);
  const LatencyHistogram histogram = SampleSideFile().ops.at("READ").service_time;
  EXPECT_EQ(reads.p50_ns, histogram.PercentileNs(50));
  EXPECT_EQ(reads.max_ns, 80'000 + 9 * 45'000);  // exact
  EXPECT_DOUBLE_EQ(reads.mean_ns, static_cast<double>(histogram.sum_ns()) / 512);
}

TEST(CollectResult, ASettingThatArrivedOtherwiseIsNamed) {
  CollectInput input = SampleInput();
  input.asked_settings = input.side_files[0].settings;
  EXPECT_TRUE(CollectResult(input));

  for (const auto& [name, value] : input.side_files[0].settings) {
    input.asked_settings = {{name, value + ";moved"}};
    const Result<RunResult> result = CollectResult(input);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().kind, ErrorKind::kFailed);
    EXPECT_THAT(result.error().what, HasSubstr("`" + name + "`"));
  }
}

TEST(CollectResult, SettingsThatNameTemporaryFilesAreNotRecorded) {
  CollectInput input = SampleInput();
  input.side_files[0].settings["side_file"] = "/dev/shm/x/side";
  input.temporary_settings = {"side_file", "progress_file"};

  const RunResult result = Collect(input);

  EXPECT_EQ(result.settings.count("side_file"), 0U);
  EXPECT_EQ(result.settings.count("mode"), 1U);
}

TEST(CollectResult, CountedLimitationsBecomeSentences) {
  CollectInput input = SampleInput();
  input.side_files[0].limitations = {"plain {}"};
  input.side_files[0].counted_limitations = {{"{} of {} op(s)", {2, 8}}};
  EXPECT_THAT(Collect(input).run_env.engine_limitations, ElementsAre("plain {}", "2 of 8 op(s)"));
}

TEST(CollectResult, TheLargestSeedStaysExact) {
  CollectInput input = SampleInput();
  input.side_files[0].settings["fill_seed"] = "18446744073709551615";

  const RunResult result = Collect(input);

  EXPECT_EQ(result.plan.fill_seed, UINT64_MAX);
  const std::string text = EncodeRunResult(result);
  EXPECT_THAT(text, HasSubstr("\"fill_seed\": 18446744073709551615"));
  const Result<RunResult> read = DecodeRunResult(JsonValue::Parse(text, "r.json").value());
  ASSERT_TRUE(read) << Describe(read.error());
  EXPECT_EQ(read.value().plan.fill_seed, UINT64_MAX);
}

TEST(CollectResult, LatencyIsServiceTimeInAsap) {
  const RunResult result = Collect(SampleInput());
  ASSERT_EQ(result.service_time_stats.size(), result.per_op_stats.size());
  EXPECT_EQ(result.service_time_stats[2].p99_ns, result.per_op_stats[2].p99_ns);
  EXPECT_EQ(result.histogram_snapshot.service_histograms, result.histogram_snapshot.histograms);
}

TEST(CollectResult, LatencyIsResponseTimeInPacedModes) {
  CollectInput input = SampleInput();
  SideFile& engine = input.side_files[0];
  engine.settings["mode"] = "timeline";
  SideFileOp& reads = engine.ops["READ"];
  for (auto& [kind, op] : engine.ops) {
    op.lag = LatencyHistogram();
    op.response_time = LatencyHistogram();
    for (std::int64_t i = 0; i < op.count; ++i) {
      op.lag->Add(3'000'000);
      op.response_time->Add(5'000'000);
    }
  }
  const RunResult result = Collect(input);

  EXPECT_EQ(result.histogram_snapshot.histograms.at("READ"), *reads.response_time);
  EXPECT_EQ(result.histogram_snapshot.service_histograms.at("READ"), reads.service_time);
  EXPECT_EQ(result.fidelity.schedule_drift.max_ns, 3'000'000);
  EXPECT_EQ(result.fidelity.completion_lag.max_ns, 5'000'000);
  EXPECT_EQ(result.schedule_drift.max_ns, 3'000'000);
  EXPECT_EQ(result.histogram_snapshot.drift_hist->count(),
            static_cast<std::uint64_t>(result.ops_completed));
  EXPECT_EQ(result.fidelity.low_fidelity_category, "behind_schedule");
}

// All times at -200 s: the ops run, but no histogram holds such a lag.
TEST(CollectResult, ALagBeyondTheScaleCountsAsOverflow) {
  CollectInput input = SampleInput();
  SideFileOp& reads = input.side_files[0].ops["READ"];
  reads.lag = LatencyHistogram();
  reads.response_time = LatencyHistogram();
  reads.lag->Add(200'000'000'000);
  reads.response_time->Add(200'000'000'000);
  EXPECT_EQ(Collect(input).histogram_overflows, 2);
}

TEST(CollectResult, FailuresKeepTheirParticulars) {
  const RunResult result = Collect(FailedInput());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.errors, 3);
  EXPECT_EQ(result.short_reads, 1);
  EXPECT_EQ(result.histogram_overflows, 1);
  EXPECT_EQ(result.error_details.first.at(0).target, "data/shard-02.bin");
  EXPECT_EQ(result.histogram_snapshot.errors, 3);
  EXPECT_EQ(result.op_totals.at(2).errors, 3);
  EXPECT_EQ(result.op_totals.at(2).requested_bytes - result.op_totals.at(2).bytes, 528'384);
}

TEST(CollectResult, AnInterruptedRunIsKeptAndMarked) {
  const RunResult result = Collect(InterruptedInput());
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.incomplete_reason,
            "the run was interrupted: 412 of 520 operations were replayed");
  EXPECT_EQ(result.ops_completed, 412);
  EXPECT_EQ(result.fidelity.coverage.ops_skipped, 108);
  EXPECT_EQ(result.fidelity.low_fidelity_category, "coverage_gap");
  EXPECT_FALSE(result.fio.cross_check.agrees);
  EXPECT_THAT(result.fio.cross_check.note, HasSubstr("in flight"));
}

TEST(CollectResult, AMissingProcessLeavesAGapEvenWhenTheOthersAreComplete) {
  CollectInput input = SampleInput();
  input.side_files[0].streams.pop_back();
  const RunResult result = Collect(input);
  EXPECT_FALSE(result.complete);
  EXPECT_THAT(result.incomplete_reason, HasSubstr("a process of the run left no side file"));
  EXPECT_EQ(result.fidelity.coverage.ops_skipped, 130);
}

TEST(CollectResult, RepetitionsDoNotMakeUpForGaps) {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files[0];
  file.complete = false;
  file.stop_reason = "runtime";
  file.streams[0].ops = 3 * 130;
  file.streams[1].ops = 100;
  const RunResult result = Collect(input);
  EXPECT_EQ(result.fidelity.coverage.ops_skipped, 30);
  EXPECT_EQ(result.incomplete_reason,
            "the runtime limit was reached: 490 of 520 operations were replayed");
}

TEST(CollectResult, WithoutFiosJsonSaysWhy) {
  CollectInput input = SampleInput();
  input.fio.reset();
  input.fio_missing_reason = "fio wrote nothing";
  const RunResult result = Collect(input);
  EXPECT_FALSE(result.fio.cross_check.agrees);
  EXPECT_EQ(result.fio.cross_check.not_compared, "fio wrote nothing");
  EXPECT_THAT(result.fio.cross_check.differences, IsEmpty());
  EXPECT_EQ(result.fio.version, "fio-3.33");  // the engine knows
}

TEST(CollectResult, ErrorsFioReportsCarryTheirText) {
  CollectInput input = SampleInput();
  input.fio->jobs[0].error = 28;
  const RunResult result = Collect(input);
  EXPECT_THAT(result.fio.job_errors, ElementsAre("job stream: error 28: No space left on device"));
}

TEST(CollectResult, PlanIsTakenFromHeaderAndSettings) {
  const RunResult result = Collect(SampleInput());
  EXPECT_EQ(result.plan.engine, "local");
  EXPECT_EQ(result.plan.max_inflight, 512);
  EXPECT_EQ(result.plan.prepare_mode, "materialize-synthetic");
  EXPECT_EQ(result.plan.fill_seed, 1U);
  EXPECT_EQ(result.plan.target_root, "/srv/replay");
  EXPECT_EQ(result.plan.trace_partial_reads, 3);
  EXPECT_EQ(result.run_env.cache_mode, "cold");
  EXPECT_EQ(result.trace_identity.inode, 4711);
  EXPECT_EQ(result.settings, SampleSideFile().settings);
}

TEST(CollectResult, TheTimeSeriesStartsWithTheRunAndEndsWithItsTotals) {
  for (const CollectInput& input : {SampleInput(), FailedInput(), InterruptedInput()}) {
    const RunResult result = Collect(input);
    ASSERT_FALSE(result.time_series.empty());
    EXPECT_GT(result.time_series.front().elapsed_ns, 0);
    EXPECT_EQ(result.time_series.back().elapsed_ns, result.duration_ns);
    EXPECT_EQ(result.time_series.back().ops, result.ops_completed);
    EXPECT_EQ(result.time_series.back().bytes, result.bytes_moved);
    TimePoint sum;
    for (const TimePoint& point : result.time_series) {
      EXPECT_GE(point.elapsed_ns, sum.elapsed_ns);
      sum.elapsed_ns = point.elapsed_ns;
      EXPECT_EQ(sum.ops += point.ops_delta, point.ops);
      EXPECT_EQ(sum.bytes += point.bytes_delta, point.bytes);
    }
  }
}

TEST(CollectResult, ARunWithoutSamplesHasOnePointOfTheTimeSeries) {
  CollectInput input = SampleInput();
  input.samples.clear();
  EXPECT_EQ(Collect(input).time_series.size(), 1u);
}

TEST(CollectResult, TimeSeriesGetsItsDifferences) {
  const RunResult result = Collect(SampleInput());
  ASSERT_EQ(result.time_series.size(), 2u);
  EXPECT_EQ(result.time_series[0].elapsed_ns, 200'000'000);
  EXPECT_EQ(result.time_series[0].ops_delta, 240);
  EXPECT_EQ(result.time_series[1].ops_delta, 280);
  EXPECT_EQ(result.time_series[1].bytes_delta, 134'217'728 - 62'914'560);
}

TEST(CollectResult, KindsThatNeverRanAreLeftOut) {
  CollectInput input = SampleInput();
  input.side_files[0].ops["WRITE"] = SideFileOp{};
  const RunResult result = Collect(input);
  EXPECT_EQ(result.per_op_stats.size(), 3u);
  EXPECT_EQ(result.histogram_snapshot.counts.count("WRITE"), 0u);
}

TEST(CollectResult, WithoutSideFilesIsAnError) {
  CollectInput input = SampleInput();
  input.side_files.clear();
  EXPECT_FALSE(CollectResult(input).ok());
}

TEST(CollectResult, OfNothingExecutedHasNoRows) {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files[0];
  file.ops.clear();
  file.streams.clear();
  file.complete = false;
  file.stop_reason = "terminated";
  input.interrupted = true;
  const RunResult result = Collect(input);
  EXPECT_THAT(result.per_op_stats, IsEmpty());
  EXPECT_EQ(result.fidelity.concurrency_check.max_per_stream_inflight, 0);
}

}  // namespace
}  // namespace ioflux
