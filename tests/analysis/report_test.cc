// SPDX-License-Identifier: GPL-2.0-only
//
// Golden results and what is reported of them: tests/data/analysis/reports/NAME.json is the result
// as it is written, NAME.txt and NAME.report.json its two reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "analysis/report_json.h"
#include "analysis/report_text.h"
#include "tests/analysis/sample_run.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct ReportCase {
  const char* name;
  CollectInput (*input)();
};

void PrintTo(const ReportCase& report, std::ostream* out) { *out << report.name; }

CollectInput UnconfinedInput() {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files.front();
  file.confined = false;
  file.target_root.clear();
  file.settings["prepare"] = "none";
  file.prepare = SideFilePrepare{};
  return input;
}

CollectInput DisagreeingInput() {
  CollectInput input = SampleInput();
  FioJob& job = input.fio->jobs.front();
  job.read.total_ios -= 2;
  job.read.io_bytes -= 2 * 262'144;
  job.error = 5;
  input.fio_exit_status = 1;
  return input;
}

/// Every kind of data operation on the mem back end: rows for writes and syncs.
CollectInput MemInput() {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files.front();
  file.settings["backend"] = "mem";
  file.cache = SideFileCache();
  file.cache.mode = "cold";
  file.cache.residency.not_measured = file.cache.device.not_measured = "the back end has no files";
  file.settings["prepare"] = "none";
  file.prepare = SideFilePrepare{};
  file.confined = false;
  file.target_root.clear();
  file.trace.num_partial_reads = 0;
  file.trace.capture_limitations.clear();
  file.trace.capture_method.clear();
  file.trace.transformations.clear();
  file.payload_ns = 3'200'000;
  file.ops["WRITE"] = file.ops["READ"];
  file.ops.erase("READ");
  SideFileOp& fsync = file.ops["FSYNC"];
  fsync.count = 1;
  fsync.service_time.Add(2'345'678);
  file.trace.num_ops += 1;
  file.streams[0].ops += 1;
  file.streams[0].ops_in_trace += 1;
  input.fio = MatchingFio(file);
  return input;
}

/// fio's JSON ends in the middle.
CollectInput UncomparedInput() {
  CollectInput input = SampleInput();
  input.fio.reset();
  input.fio_missing_reason = "fio's JSON document is cut short: it ends before its last brace";
  return input;
}

class Report : public ::testing::TestWithParam<ReportCase> {};

TEST_P(Report, IsAsTheGoldenFilesSay) {
  const Result<RunResult> result = CollectResult(GetParam().input());
  ASSERT_TRUE(result.ok()) << Describe(result.error());
  const std::string stem = std::string("analysis/reports/") + GetParam().name;

  ExpectGolden(stem + ".json", EncodeRunResult(result.value()));
  ExpectGolden(stem + ".txt", RenderResultText(result.value()));
}

TEST_P(Report, OfTheFileIsThatOfTheRun) {
  const std::string name = std::string("/analysis/reports/") + GetParam().name;
  const std::string text = ReadFileForTest(IOFLUX_TEST_DATA + name + ".json");
  const Result<RunResult> result = ParseRunResult(text, name);
  ASSERT_TRUE(result.ok()) << Describe(result.error());
  EXPECT_EQ(RenderResultText(result.value()), ReadFileForTest(IOFLUX_TEST_DATA + name + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(Golden, Report,
                         ::testing::Values(ReportCase{"complete", SampleInput},
                                           ReportCase{"failed", FailedInput},
                                           ReportCase{"incomplete", InterruptedInput},
                                           ReportCase{"unconfined", UnconfinedInput},
                                           ReportCase{"disagreeing", DisagreeingInput},
                                           ReportCase{"uncompared", UncomparedInput},
                                           ReportCase{"mem", MemInput}),
                         [](const auto& report) { return std::string(report.param.name); });

TEST(ReportText, OfIofluxResultShowsItsStoredPercentiles) {
  const std::string path = IOFLUX_TEST_DATA "/analysis/upstream_result.json";
  const Result<RunResult> result = ParseRunResult(ReadFileForTest(path), "upstream_result.json");
  ASSERT_TRUE(result.ok()) << Describe(result.error());
  ExpectGolden("analysis/reports/upstream_result.txt", RenderResultText(result.value()));
}

TEST(ReportJson, HoldsWhatFollowsFromTheResultAndTheResult) {
  const Result<RunResult> result = CollectResult(FailedInput());
  ASSERT_TRUE(result.ok()) << Describe(result.error());
  ExpectGolden("analysis/reports/failed.report.json", RenderResultJson(result.value()));
}

TEST(ReportText, StartsWithTheBannerWhenIncomplete) {
  const Result<RunResult> result = CollectResult(InterruptedInput());
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(RenderResultText(result.value()),
              StartsWith("INCOMPLETE — the run was interrupted: 412 of 520"));
}

TEST(ReportText, NamesFromTheTraceCannotSteerTheTerminal) {
  CollectInput input = FailedInput();
  input.side_files[0].errors.first[0].target = "a\x1b[31m\nWarnings: none";
  const Result<RunResult> result = CollectResult(input);
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(RenderResultText(result.value()), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace ioflux
