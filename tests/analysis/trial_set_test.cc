// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/trial_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/report_json.h"
#include "analysis/trial_remarks.h"
#include "analysis/trial_set_text.h"
#include "tests/analysis/sample_run.h"
#include "tests/analysis/sample_trials.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Result<TrialSet> Parse(const std::string& text) {
  Result<JsonValue> document = JsonValue::Parse(text, "set.json");
  EXPECT_TRUE(document) << Describe(document.error());
  return DecodeTrialSet(document.value());
}

std::string ErrorOf(const std::string& text) {
  const Result<TrialSet> set = Parse(text);
  return set ? "" : Describe(set.error());
}

std::string With(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// A warm-up, six trials of which one failed, and a seventh that was stopped; eight were planned.
TrialSet StoppedSet() {
  TrialSet set = SampleTrials({100'000'000, 101'000'000, 99'000'000, 100'500'000});
  AddTrial(FailedTrial(900'000'000, 3), set);
  AddTrial(SampleTrial(250'000'000), set);
  set.planned_trials = 8;
  set.planned_warmups = set.warmup_trials = 1;
  set.warmups.push_back(RecordOf(SampleTrial(150'000'000)));
  RunResult stopped = SampleTrial(20'000'000);
  stopped.complete = false;
  stopped.incomplete_reason = "the run was interrupted: 412 of 520 operations were replayed";
  set.unfinished_trial = RecordOf(stopped);
  set.complete = false;
  set.incomplete_reason = "trial 7 of 8 was interrupted";
  return set;
}

TEST(TrialSet, SurvivesWritingAndReading) {
  for (const TrialSet& set : {SampleTrials(SteadyDurations()), StoppedSet(), SampleTrials({5})}) {
    const std::string text = EncodeTrialSet(set);
    const Result<TrialSet> back = Parse(text);
    ASSERT_TRUE(back) << Describe(back.error());
    EXPECT_EQ(EncodeTrialSet(back.value()), text);
    EXPECT_EQ(RenderTrialSetText(back.value()), RenderTrialSetText(set));
  }
}

TEST(TrialSet, KeysAreThoseOfIofluxWithOursAround) {
  EXPECT_THAT(
      TrialSetToJson(StoppedSet()).Keys(),
      ElementsAre("artifact", "result_schema_version", "complete", "incomplete_reason",
                  "generated_at", "tool", "host", "planned_trials", "planned_warmups",
                  "warmup_trials", "warmups", "unfinished_trial", "shared", "trials", "summary"));
}

TEST(TrialSet, SaysOnceWhatAllTrialsShare) {
  TrialSet set = SampleTrials({1'000'000, 2'000'000});
  set.trials[1].settings["side_file"] = "/dev/shm/other/side";
  const JsonValue document = TrialSetToJson(set);
  const JsonValue shared = document.Find("shared").Find("settings");
  EXPECT_TRUE(shared.Has("mode"));
  EXPECT_FALSE(shared.Has("side_file"));
  EXPECT_THAT(document.Find("trials").At(1).Find("settings").Keys(), ElementsAre("side_file"));
  const Result<TrialSet> back = Parse(EncodeTrialSet(set));
  ASSERT_TRUE(back) << Describe(back.error());
  EXPECT_EQ(back.value().trials[0].settings, set.trials[0].settings);
  EXPECT_EQ(back.value().trials[1].settings, set.trials[1].settings);
}

TEST(TrialSet, AFailedTrialIsKeptAndEntersNoFigure) {
  TrialSet set = SampleTrials({100, 100, 100, 100, 100, 100});
  AddTrial(FailedTrial(999'999, 3), set);
  EXPECT_EQ(set.trials.size(), 7u);
  EXPECT_EQ(set.summary.trials, 7);
  EXPECT_EQ(set.summary.valid_trials, 6);
  EXPECT_EQ(set.summary.failed_trials, 1);
  EXPECT_THAT(set.summary.failed_positions, ElementsAre(7));
  EXPECT_EQ(set.summary.duration_ns.median, 100);
  EXPECT_EQ(set.summary.duration_ns.max, 100);
  EXPECT_EQ(set.summary.latency.front().merged->count,
            6 * set.trials.front().per_op_stats.front().count);
}

TEST(TrialSet, ATrialThatDidNotRunToItsEndEntersNoFigure) {
  TrialSet set = SampleTrials({100, 200});
  RunResult cut = SampleTrial(1);
  cut.complete = false;
  cut.incomplete_reason = "an operation started later than max_lag allows: 1 of 520";
  AddTrial(cut, set);
  EXPECT_THAT(set.summary.failed_positions, ElementsAre(3));
  EXPECT_EQ(set.summary.duration_ns.min, 100);
  EXPECT_THAT(FailedTrialWords(set), ElementsAre(HasSubstr("trial 3: incomplete: an operation")));
}

TEST(TrialSet, RatesAreThoseOfTheTrialsNotOfTheirMedian) {
  const TrialSummary summary = SampleTrials(SteadyDurations()).summary;
  EXPECT_EQ(summary.duration_ns.median, 91'425'000);
  EXPECT_NEAR(*summary.gib_per_sec.median, 2.77079310, 5e-9);
  EXPECT_NEAR(*summary.gib_per_sec.ci95_lo, 2.69202700, 5e-9);
  EXPECT_NEAR(*summary.gib_per_sec.ci95_hi, 2.84309473, 5e-9);
}

TEST(TrialSet, PercentilesAreOfAllOperationsAndOfEachTrial) {
  TrialSet set;
  for (const std::int64_t latency_ns : {10, 20, 100}) {
    RunResult trial = SampleTrial(1'000'000);
    LatencyHistogram histogram;
    for (int i = 0; i < 100; ++i) histogram.Add(latency_ns);
    trial.per_op_stats = {SummariseLatency("READ", 100, histogram)};
    trial.histogram_snapshot.histograms = {{"READ", histogram}};
    trial.ops_completed = 100;
    trial.op_totals = {{.op_type = "READ", .count = 100, .bytes = trial.bytes_moved}};
    trial.per_stream.clear();
    AddTrial(trial, set);
  }
  ASSERT_EQ(set.summary.latency.size(), 1u);
  const OpTrials& read = set.summary.latency.front();
  EXPECT_EQ(read.merged->count, 300);
  EXPECT_EQ(read.merged->p50_ns, 20);
  EXPECT_EQ(read.merged->p99_ns, 100);
  EXPECT_EQ(read.p99_ns.n, 3);
  EXPECT_EQ(read.p99_ns.min, 10);
  EXPECT_EQ(read.p99_ns.median, 20);
  EXPECT_EQ(read.p99_ns.max, 100);
}

TEST(TrialSet, ASummaryThatDoesNotFollowFromTheTrialsIsRefused) {
  const std::string text = EncodeTrialSet(SampleTrials(SteadyDurations()));
  EXPECT_THAT(ErrorOf(With(text, "\"median\": 91425000", "\"median\": 91425001")),
              HasSubstr("summary.duration_ns.median"));
  EXPECT_THAT(ErrorOf(With(text, "\"valid_trials\": 10", "\"valid_trials\": 9")),
              HasSubstr("summary.valid_trials"));
  EXPECT_THAT(ErrorOf(With(text, "\"duration_ns\": 89100000", "\"duration_ns\": 79100000")),
              HasSubstr("does not follow from the trials"));
}

TEST(TrialSet, WithoutTrialsIsRefusedWithTheReason) {
  TrialSet set;
  set.complete = false;
  set.incomplete_reason = "warm-up 1 of 2 failed: 3 operation(s) failed";
  EXPECT_THAT(ErrorOf(EncodeTrialSet(set)),
              HasSubstr("holds no trials: warm-up 1 of 2 failed: 3 operation(s) failed"));
}

TEST(TrialSet, ATrialThatIsNoResultIsRefused) {
  for (const char* trial : {"null", "3", "{}", "{\"artifact\":\"report\"}"}) {
    const std::string text = std::string(R"({"result_schema_version":2,"generated_at":"",)") +
                             R"("tool":{"version":""},"host":{},"summary":{},"trials":[)" + trial +
                             "]}";
    EXPECT_THAT(ErrorOf(text), HasSubstr("trials[0]")) << trial;
  }
}

/// A set as IOFlux writes it, of `count` equal trials.
std::string IofluxSet(const std::string& summary, int count) {
  const std::string trial = ReadFileForTest(IOFLUX_TEST_DATA "/analysis/upstream_result.json");
  std::string trials;
  for (int i = 0; i < count; ++i) trials += (i > 0 ? "," : "") + trial;
  return R"({"result_schema_version":2,"generated_at":"2024-01-01T00:00:00Z",)"
         R"("tool":{"version":"0.4.0"},"host":{},"warmup_trials":2,"trials":[)" +
         trials + "],\"summary\":" + summary + "}";
}

TEST(TrialSet, OfIofluxIsRead) {
  const Result<RunResult> run = ParseRunResult(
      ReadFileForTest(IOFLUX_TEST_DATA "/analysis/upstream_result.json"), "upstream_result.json");
  ASSERT_TRUE(run);
  const std::string ns = std::to_string(run.value().duration_ns);
  const double rate = static_cast<double>(run.value().bytes_moved) / 1073741824.0 /
                      (static_cast<double>(run.value().duration_ns) / 1e9);
  const auto metric = [](const std::string& value) {
    return R"({"n":1,"median":)" + value + R"(,"mean":)" + value +
           R"(,"stddev":0,"cv_percent":0,"min":)" + value + R"(,"max":)" + value +
           R"(,"ci95_available":false})";
  };
  const std::string exact = JsonValue::Real(rate).DumpCompact();
  const std::string right = R"({"trials":1,"valid_trials":1,"failed_trials":0,"duration_ns":)" +
                            metric(ns) + R"(,"gib_per_sec":)" + metric(exact) + "}";
  EXPECT_THAT(ErrorOf(IofluxSet(right, 2)), HasSubstr("summary.trials"));
  const Result<TrialSet> set = Parse(IofluxSet(right, 1));
  ASSERT_TRUE(set) << Describe(set.error());
  EXPECT_EQ(set.value().origin, FieldOrigin::kIoflux);
  EXPECT_TRUE(set.value().complete);
  EXPECT_EQ(set.value().planned_trials, 1);
  EXPECT_EQ(set.value().warmup_trials, 2);
  EXPECT_FALSE(set.value().summary.latency.front().merged) << "its histograms are not read";
  EXPECT_THAT(RenderTrialSetText(set.value()), HasSubstr("its histograms are not in the file"));
}

TEST(TrialSetReport, IsAsTheGoldenFilesSay) {
  ExpectGolden("analysis/reports/trials.txt", RenderTrialSetText(SampleTrials(SteadyDurations())));
  ExpectGolden("analysis/reports/trials_stopped.txt", RenderTrialSetText(StoppedSet()));
  ExpectGolden("analysis/reports/trials_two.json",
               EncodeTrialSet(SampleTrials({91'400'000, 89'100'000})));
  ExpectGolden("analysis/reports/trials_two.txt",
               RenderTrialSetText(SampleTrials({91'400'000, 89'100'000})));
  ExpectGolden("analysis/reports/trials_two.report.json",
               RenderTrialSetJson(SampleTrials({91'400'000, 89'100'000})));
}

TEST(TrialSetReport, OfNoValidTrialSummarisesNothing) {
  TrialSet set = SampleTrials({1'000'000});
  set.trials.clear();
  AddTrial(FailedTrial(1'000'000, 1), set);
  const std::string text = RenderTrialSetText(set);
  EXPECT_THAT(text, HasSubstr("INVALID — 1 of 1 trial failed: [1]"));
  EXPECT_THAT(text, HasSubstr("Nothing to summarise"));
  EXPECT_THAT(text, Not(HasSubstr("median")));
  const JsonValue summary = TrialSetToJson(set).Find("summary");
  EXPECT_EQ(summary.Find("duration_ns").GetInt("n").value(), 0);
  EXPECT_FALSE(summary.Find("duration_ns").Has("median"));
}

TEST(TrialSetReport, OfManyTrialsShowsTheFirstThirtyDurations) {
  const std::string text = RenderTrialSetText(SampleTrials(std::vector<std::int64_t>(32, 5000)));
  EXPECT_THAT(text, HasSubstr(" 5.0µs … 2 more in the file\n"));
}

TEST(TrialSetReport, TheLineAtTheEndOfARunHasCountsMedianCvAndRange) {
  EXPECT_EQ(TrialSetLine(SampleTrials(SteadyDurations())),
            "10 trials valid, 0 failed; duration: median 91.4ms, CV 2.2%, 88.9ms … 94.8ms");
  EXPECT_EQ(TrialSetLine(SampleTrials({42'000'000})),
            "1 trial valid, 0 failed; duration: median 42.0ms, 42.0ms … 42.0ms");
}

TEST(TrialRemarks, NameAFirstTrialThatFoundAnotherState) {
  const TrialSet cold = SampleTrials({300, 100, 102, 98, 101, 99});
  EXPECT_THAT(TrialRemarks(cold), Contains(HasSubstr("trial 1 took 300ns and the others")));
  const TrialSet later = SampleTrials({100, 102, 300, 98, 101, 99});
  EXPECT_THAT(TrialRemarks(later), Not(Contains(HasSubstr("trial 1 took"))));
  EXPECT_THAT(TrialRemarks(later), Contains(HasSubstr("trial 3 is an outlier (severe)")));
}

TEST(TrialRemarks, NameDrift) {
  EXPECT_THAT(TrialRemarks(SampleTrials({100, 110, 120, 130, 140, 150, 160})),
              ElementsAre(HasSubstr("drift: the durations depend on when a trial ran")));
  EXPECT_THAT(TrialRemarks(SampleTrials({100, 101, 100, 109, 110, 109, 101, 100, 101})),
              ElementsAre(HasSubstr("neighbouring trials are alike")));
  EXPECT_THAT(TrialRemarks(SampleTrials({100, 110, 101, 111, 100, 110})),
              ElementsAre(HasSubstr("fast and slow trials alternate")));
  EXPECT_THAT(TrialRemarks(SampleTrials({100, 101, 102, 100, 99, 101, 100, 98})), IsEmpty());
}

TEST(TrialRemarks, NameTrialsThatWereNotTheSameExperiment) {
  TrialSet set = SampleTrials({100, 100, 100});
  EXPECT_THAT(TrialRemarks(set), IsEmpty());
  set.trials[1].plan.prepare_left_over = set.trials[2].plan.prepare_left_over = 2;
  EXPECT_THAT(TrialRemarks(set), ElementsAre(HasSubstr("already: 0 in [1], 2 in [2 3]")));
  set.trials[2].plan.trace_digest = "sha256:other";
  set.trials[2].run_env.cache_mode = "";
  EXPECT_THAT(TrialRemarks(set), ElementsAre(HasSubstr("same experiment: trace: sha256:aaaa"),
                                             HasSubstr("cache mode: (unset) in [3], cold in [1 2]"),
                                             HasSubstr("there already")));
}

TEST(TrialWarnings, AreSaidOnceWithTheTrialsThatHaveThem) {
  TrialSet set = SampleTrials({100, 100, 100});
  for (RunResult& trial : set.trials) trial.run_env.engine_limitations = {"all of them"};
  set.trials[1].run_env.cache_limitations = {"one of them"};
  const std::vector<std::string> warnings = TrialWarnings(set);
  EXPECT_THAT(warnings, Contains("engine: all of them"));
  EXPECT_THAT(warnings, Contains("trial [2]: cache: one of them"));
  set.trials[0].fidelity.low_fidelity = set.trials[1].fidelity.low_fidelity = true;
  set.trials[0].fidelity.low_fidelity_category = set.trials[1].fidelity.low_fidelity_category =
      "coverage_gap";
  EXPECT_THAT(TrialWarnings(set), Contains(HasSubstr("trials [1 2]: low fidelity [coverage_gap]")));
}

}  // namespace
}  // namespace ioflux
