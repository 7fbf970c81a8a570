// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux report` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Golden(const std::string& name) {
  return std::string(IOFLUX_TEST_DATA) + "/analysis/reports/" + name;
}

TEST(ReportCommand, PrintsTheReport) {
  const CommandResult run = RunIoflux({"report", Golden("complete.json")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, ReadFileForTest(Golden("complete.txt")));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(ReportCommand, PrintsInvalidIncompleteAndLowFidelityResultsWithSuccess) {
  for (const char* name : {"failed", "incomplete", "unconfined", "disagreeing"}) {
    const CommandResult run = RunIoflux({"report", Golden(std::string(name) + ".json")});
    EXPECT_EQ(run.exit_code, 0) << name << run.err;
    EXPECT_EQ(run.out, ReadFileForTest(Golden(std::string(name) + ".txt"))) << name;
  }
}

TEST(ReportCommand, JsonIsOneDocument) {
  const CommandResult run = RunIoflux({"report", "--json", Golden("failed.json")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, ReadFileForTest(Golden("failed.report.json")));
}

TEST(ReportCommand, DashIsStandardInput) {
  const CommandResult run =
      RunIoflux({"report", "-"}, {.argv = {}, .stdin_text = ReadFileForTest(Golden("mem.json"))});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, ReadFileForTest(Golden("mem.txt")));
}

TEST(ReportCommand, WhatIsNoResultEndsWith1AndNothingOnStandardOutput) {
  const TempDir dir;
  for (const char* text : {"", "{", "{}", "[]", "not json", "{\"artifact\":\"trial_set\"}"}) {
    const CommandResult run = RunIoflux({"report", dir.Write("r.json", text)});
    EXPECT_EQ(run.exit_code, 1) << text;
    EXPECT_THAT(run.out, IsEmpty()) << text;
    EXPECT_THAT(run.err, StartsWith("ioflux: ")) << text;
    EXPECT_THAT(run.err, HasSubstr("r.json")) << text;
  }
}

TEST(ReportCommand, AResultThatIsCutShortAnywhereEndsWith1AndNamesTheFile) {
  const TempDir dir;
  const std::string whole = ReadFileForTest(Golden("complete.json"));
  for (std::size_t bytes = 0; bytes + 2 < whole.size(); bytes += whole.size() / 7) {
    const CommandResult run = RunIoflux({"report", dir.Write("r.json", whole.substr(0, bytes))});
    EXPECT_EQ(run.exit_code, 1) << bytes;
    EXPECT_THAT(run.out, IsEmpty()) << bytes;
    EXPECT_THAT(run.err, HasSubstr("r.json")) << bytes;
  }
}

TEST(ReportCommand, FiguresThatCannotBeBelievedEndWith1) {
  const TempDir dir;
  std::string text = ReadFileForTest(Golden("complete.json"));
  const std::string key = "\"ops_completed\": ";
  text.replace(text.find(key) + key.size(), 0, "-");
  const CommandResult run = RunIoflux({"report", dir.Write("r.json", text)});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("cannot be believed: ops_completed is -520, below 0"));
  EXPECT_THAT(run.err, HasSubstr("cannot be believed: ops_completed is -520, below 0"));
}

TEST(ReportCommand, OtherKindsOfFilesAreNamed) {
  const CommandResult run =
      RunIoflux({"report", std::string(IOFLUX_TEST_DATA) + "/analysis/side_file.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("this is a side file of the engine"));
}

TEST(ReportCommand, AFileThatCannotBeReadEndsWith2) {
  const CommandResult run = RunIoflux({"report", "no/such/results.json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("no/such/results.json"));
}

TEST(ReportCommand, ASetOfTrialsIsReportedAsOne) {
  const CommandResult text = RunIoflux({"report", Golden("trials_two.json")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out, ReadFileForTest(Golden("trials_two.txt")));
  const CommandResult json = RunIoflux({"report", "--json", Golden("trials_two.json")});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(json.out, ReadFileForTest(Golden("trials_two.report.json")));
}

TEST(ReportCommand, CsvIsAppendedWithOneHeader) {
  const TempDir dir;
  const std::string csv = dir / "all.csv";
  const CommandResult set = RunIoflux({"report", "--csv", csv, Golden("trials_two.json")});
  EXPECT_EQ(set.exit_code, 0) << set.err;
  EXPECT_EQ(set.out, ReadFileForTest(Golden("trials_two.txt")));
  const std::string two = dir.Read("all.csv");
  EXPECT_EQ(RunIoflux({"report", "--csv", csv, Golden("failed.json")}).exit_code, 0);
  const std::string three = dir.Read("all.csv");
  EXPECT_THAT(three, StartsWith(two));
  EXPECT_EQ(std::ranges::count(two, '\n'), 3);
  EXPECT_EQ(std::ranges::count(three, '\n'), 4);
  EXPECT_EQ(RunIoflux({"report", "--csv", "-", Golden("trials_two.json")}).out, two);
  // An editor took the last line's end.
  dir.Write("all.csv", two.substr(0, two.size() - 1));
  EXPECT_EQ(RunIoflux({"report", "--csv", csv, Golden("failed.json")}).exit_code, 0);
  EXPECT_EQ(dir.Read("all.csv"), three);
}

TEST(ReportCommand, CsvReplacesNothingAndKeepsToItsColumns) {
  const TempDir dir;
  const std::string result = dir.Write("r.json", ReadFileForTest(Golden("failed.json")));
  EXPECT_EQ(RunIoflux({"report", "--csv", result, result}).exit_code, 2);
  EXPECT_EQ(dir.Read("r.json"), ReadFileForTest(Golden("failed.json")));
  const std::string other = dir.Write("other.csv", "timestamp,trace_path\n");
  EXPECT_EQ(RunIoflux({"report", "--csv", other, result}).exit_code, 1);
  EXPECT_EQ(dir.Read("other.csv"), "timestamp,trace_path\n");
  EXPECT_EQ(RunIoflux({"report", "--json", "--csv", "-", result}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"report", "--csv", "/dev/full", result}).exit_code, 2);
}

TEST(ReportCommand, TwoResultsAreNotComparedYetAndSaySo) {
  const CommandResult run = RunIoflux({"report", Golden("complete.json"), Golden("failed.json")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("cannot be compared yet"));
}

TEST(ReportCommand, WrongUsageEndsWith2) {
  EXPECT_EQ(RunIoflux({"report"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"report", "--no-such-flag", Golden("complete.json")}).exit_code, 2);
  const std::string file = Golden("complete.json");
  EXPECT_EQ(RunIoflux({"report", file, file, file}).exit_code, 2);
}

TEST(ReportCommand, HelpSaysTheExitCodes) {
  const CommandResult run = RunIoflux({"report", "--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("Exit status"));
  EXPECT_THAT(run.out, HasSubstr("--json"));
}

}  // namespace
}  // namespace ioflux
