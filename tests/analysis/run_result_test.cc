// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/run_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/sample_run.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunResult Sample() {
  const Result<RunResult> result = CollectResult(SampleInput());
  EXPECT_TRUE(result.ok()) << Describe(result.error());
  return result.value();
}

std::string ErrorOf(std::string_view text) {
  const Result<RunResult> result = ParseRunResult(text, "r.json");
  return result ? "" : Describe(result.error());
}

std::string SampleWith(std::string_view from, std::string_view to) {
  std::string text = EncodeRunResult(Sample());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RunResult, SurvivesWritingAndReading) {
  const std::string text = EncodeRunResult(Sample());
  const Result<RunResult> back = ParseRunResult(text, "r.json");
  ASSERT_TRUE(back.ok()) << Describe(back.error());
  EXPECT_EQ(EncodeRunResult(back.value()), text);
  EXPECT_EQ(back.value().histogram_snapshot.histograms.at("READ"),
            SampleSideFile().ops.at("READ").service_time);
}

TEST(RunResult, KeysAreInTheOrderOfIofluxWithOursAround) {
  EXPECT_THAT(
      RunResultToJson(Sample()).Keys(),
      ElementsAre("artifact", "result_schema_version", "complete", "generated_at", "tool", "host",
                  "plan", "run_env", "duration_ns", "ops_completed", "bytes_moved", "errors",
                  "per_op_stats", "service_time_stats", "backlog_events", "backlog_blocked_ns",
                  "max_backlog_depth", "schedule_drift", "cpu", "fidelity", "histogram_snapshot",
                  "time_series", "prepare_duration_ns", "prepare_bytes_written", "payload_ns",
                  "settings", "trace_identity", "fio", "environment", "error_details", "op_totals",
                  "per_stream", "pacing", "memory", "equivalence"));
}

TEST(RunResult, NumbersAreWrittenInTheirShortestForm) {
  RunResult result = Sample();
  result.plan.speedup_factor = 30;
  result.fidelity.backlog.fraction_ops_backlogged = 1e-7;
  result.fidelity.schedule_drift.mean_ns = 0.1;
  const std::string text = EncodeRunResult(result);
  EXPECT_THAT(text, HasSubstr("\"speedup_factor\": 30,"));
  EXPECT_THAT(text, HasSubstr("\"fraction_ops_backlogged\": 1e-7\n"));
  EXPECT_THAT(text, HasSubstr("\"mean_ns\": 0.1\n"));
  EXPECT_EQ(text.back(), '\n');
}

TEST(RunResult, AngleBracketsAreEscapedAndRead) {
  RunResult result = Sample();
  result.plan.trace_path = "a<b>&c";
  const std::string text = EncodeRunResult(result);
  EXPECT_THAT(text, HasSubstr(R"("a\u003cb\u003e\u0026c")"));
  const Result<RunResult> back = ParseRunResult(text, "r.json");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().plan.trace_path, "a<b>&c");
}

TEST(RunResult, AnUnrelatedDocumentIsRefusedNotReportedAsZeros) {
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("no document of ioflux"));
  EXPECT_THAT(ErrorOf("[1,2]"), HasSubstr("no document of ioflux"));
  EXPECT_THAT(ErrorOf(R"({"name":"package","version":"1.0"})"), HasSubstr("no document of ioflux"));
}

TEST(RunResult, OtherArtifactsAreRefusedByName) {
  EXPECT_THAT(ErrorOf(R"({"result_schema_version":2,"trials":[{}],"summary":{}})"),
              HasSubstr("a set of trials"));
  EXPECT_THAT(ErrorOf(R"({"baseline":{},"treatment":{}})"), HasSubstr("a paired experiment"));
  EXPECT_THAT(ErrorOf(R"({"calibration_schema_version":1})"), HasSubstr("a calibration"));
  EXPECT_THAT(ErrorOf(R"({"fio version":"fio-3.33","jobs":[]})"), HasSubstr("fio's own JSON"));
  EXPECT_THAT(ErrorOf(SampleSideFileText()), HasSubstr("a side file"));
}

TEST(RunResult, AnotherSchemaVersionIsRefused) {
  EXPECT_THAT(ErrorOf(SampleWith("\"result_schema_version\": 2", "\"result_schema_version\": 3")),
              HasSubstr("version 3 is not known"));
}

TEST(RunResult, AnotherHistogramLayoutIsRefused) {
  EXPECT_THAT(ErrorOf(SampleWith("fio-64x29", "fio-64x32")), HasSubstr("\"fio-64x32\""));
}

TEST(RunResult, AMissingMemberNamesItsPath) {
  EXPECT_THAT(ErrorOf(SampleWith("\"wall_ns\": 430000000", "\"wall\": 430000000")),
              HasSubstr("r.json (cpu.wall_ns): it is missing"));
  EXPECT_THAT(ErrorOf(SampleWith("\"agrees\": true", "\"agrees\": 1")),
              HasSubstr("fio.cross_check.agrees"));
}

TEST(RunResult, OfIofluxIsRead) {
  const std::string path = IOFLUX_TEST_DATA "/analysis/upstream_result.json";
  const Result<RunResult> read = ParseRunResult(ReadFileForTest(path), path);
  ASSERT_TRUE(read.ok()) << Describe(read.error());
  const RunResult& result = read.value();
  EXPECT_EQ(result.origin, FieldOrigin::kIoflux);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.tool.version, "0.4.0");
  EXPECT_EQ(result.ops_completed, 1024);
  EXPECT_EQ(result.per_op_stats.at(0).p99_ns, 500'223);
  EXPECT_TRUE(result.plan.confined);
  EXPECT_TRUE(result.histogram_snapshot.histograms.empty());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("HdrHistogram")));
}

}  // namespace
}  // namespace ioflux
