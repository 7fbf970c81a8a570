// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux validate` as a user meets it: text, JSON, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json_value.h"
#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string BasePath(const std::string& letter) {
  return std::string(IOFLUX_TEST_DATA) + "/format/base_" + letter + ".ioflux";
}

// Base A with every `from` replaced.
std::string EditedA(const std::string& from, const std::string& to) {
  std::string text = ReadFileForTest(BasePath("a"));
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(ValidateCli, ValidTraceIsOk) {
  const CommandResult result = RunIoflux({"validate", BasePath("a")});

  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "ioflux trace: " + BasePath("a") +
                            "\n"
                            "  version          1\n"
                            "  kind             synthetic\n"
                            "  profile          spec-demo\n"
                            "  capture_method   synthetic\n"
                            "  time_unit        ns\n"
                            "  targets          2\n"
                            "  ops              9\n"
                            "  streams          2\n"
                            "OK\n");
  EXPECT_EQ(result.err, "");
}

TEST(ValidateCli, FindingsComeWithLineRuleAndOneHintARule) {
  const TempDir dir;
  const std::string path = dir.Write("bad.ioflux", EditedA("\"h\":1,", "\"h\":5,\"x\":0,\"h\":6,"));
  // The OPEN and the READ agree on handle 6; only the CLOSE still says 1.
  const CommandResult result = RunIoflux({"validate", path});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              HasSubstr("errors:\n"
                        "  line 8 [h] CLOSE of handle 1, which was never opened (OH-4)\n"
                        "warnings:\n"
                        "  [open] handle 6, opened on line 2, is never closed (EW-1)\n"
                        "hints:\n"
                        "  OH-4 (once, at " +
                        path + ":8): "));
  EXPECT_THAT(result.out, EndsWith("\nINVALID: 1 error(s), 1 warning(s)\n"));
}

TEST(ValidateCli, WarningsAloneAreOk) {
  const TempDir dir;
  const std::string path = dir.Write("w.ioflux", EditedA("\"seq\"", "\"sequ\""));

  const CommandResult plain = RunIoflux({"validate", path});
  const CommandResult strict = RunIoflux({"validate", "--strict", path});

  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_THAT(plain.out, HasSubstr("warnings:\n  line 2 [flags] flag \"sequ\" is unknown; did you "
                                   "mean 'seq'? (HX-3p)\n"));
  EXPECT_THAT(plain.out, EndsWith("\nOK\n"));
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.out, HasSubstr("errors:\n  line 2 [flags]"));
}

TEST(ValidateCli, ProblemsBeyondTheLimitAreCounted) {
  const TempDir dir;
  const std::string path = dir.Write("m.ioflux", EditedA("\"t\":", "\"off\":-1,\"t\":"));

  const CommandResult some = RunIoflux({"validate", "--max-problems", "2", path});
  const CommandResult none = RunIoflux({"validate", "--max-problems", "0", path});

  EXPECT_THAT(some.out, HasSubstr("  … and 4 more (--max-problems 6 shows all)\n"));
  EXPECT_THAT(some.out, HasSubstr("OP-3 (6 times, first at " + path + ":2): "));
  EXPECT_THAT(none.out, HasSubstr("errors:\n  … and 6 more"));
  EXPECT_THAT(none.out, EndsWith("INVALID: 6 error(s), 0 warning(s)\n"));
}

TEST(ValidateCli, HeaderThatCannotBeReadIsInvalid) {
  const TempDir dir;
  for (const char* text : {"not json\n", "", "\n{}\n"}) {
    const std::string path = dir.Write("h.ioflux", text);
    const CommandResult result = RunIoflux({"validate", path});

    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, StartsWith("ioflux trace: " + path + "\n  parse error: line 1: "));
    EXPECT_THAT(result.out, EndsWith("\nINVALID\n"));
  }
}

TEST(ValidateCli, LineThatCannotBeReadIsTheLastError) {
  const TempDir dir;
  const std::string path = dir.Write("f.ioflux", EditedA("\"len\":4096", "\"len\":1e3"));

  const CommandResult result = RunIoflux({"validate", path});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("  line 5 [line] the line cannot be read: len must be a whole "
                                    "number within 64 bits, not 1e3\n"));
  EXPECT_THAT(result.out, HasSubstr("  ops              3\n"));
}

TEST(ValidateCli, CompatEndsAtSuchALineWithoutAReport) {
  const TempDir dir;
  const std::string path = dir.Write("f.ioflux", EditedA("\"len\":4096", "\"len\":1e3"));

  const CommandResult result = RunIoflux({"validate", "--compat", path});

  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(path + ":5: "));
}

TEST(ValidateCli, JsonHasRulesLinesAndCounts) {
  const TempDir dir;
  const std::string path = dir.Write("j.ioflux", EditedA("\"t\":2000", "\"t\":999"));

  const CommandResult result = RunIoflux({"validate", "--json", path});
  ASSERT_EQ(result.exit_code, 1);
  const Result<JsonValue> json = JsonValue::Parse(result.out, "stdout");
  ASSERT_TRUE(json.ok()) << result.out;
  const JsonValue finding = json.value().Find("findings").At(0);

  EXPECT_EQ(json.value().GetInt("errors").value(), 1);
  EXPECT_EQ(json.value().GetInt("ops").value(), 9);
  EXPECT_FALSE(json.value().GetBool("valid").value());
  EXPECT_TRUE(json.value().GetBool("read_to_end").value());
  EXPECT_EQ(finding.GetString("rule").value(), "OT-1");
  EXPECT_EQ(finding.GetString("severity").value(), "error");
  EXPECT_EQ(finding.GetString("field").value(), "t");
  EXPECT_EQ(finding.GetInt("line").value(), 6);
  EXPECT_EQ(finding.GetInt("byte_offset").value(),
            static_cast<std::int64_t>(dir.Read("j.ioflux").find("{\"t\":999")));
  EXPECT_EQ(json.value().Find("rules").At(0).GetInt("count").value(), 1);
}

TEST(ValidateCli, JsonOfAHeaderThatCannotBeRead) {
  const TempDir dir;
  const CommandResult result = RunIoflux({"validate", "--json", dir.Write("h", "{")});

  EXPECT_EQ(result.exit_code, 1);
  const Result<JsonValue> json = JsonValue::Parse(result.out, "stdout");
  ASSERT_TRUE(json.ok()) << result.out;
  EXPECT_TRUE(json.value().Find("header").is_null());
  EXPECT_TRUE(json.value().Find("findings").At(0).Find("rule").is_null());
}

// Whatever is wrong with the file, `--json` gives one document, and the exit code is that of the
// text.
TEST(ValidateCli, JsonOfAFileThatCannotBeReadSaysWhy) {
  const TempDir dir;
  for (const std::string& path : {dir / "absent", dir.path()}) {
    const CommandResult json = RunIoflux({"validate", "--json", path});
    const CommandResult text = RunIoflux({"validate", path});

    EXPECT_EQ(json.exit_code, 2);
    EXPECT_EQ(text.exit_code, 2);
    EXPECT_EQ(json.err, text.err);
    const Result<JsonValue> document = JsonValue::Parse(json.out, "stdout");
    ASSERT_TRUE(document.ok()) << json.out;
    EXPECT_FALSE(document.value().GetBool("valid").value());
    EXPECT_EQ("ioflux: " + document.value().GetString("error").value() + "\n", text.err);
  }
}

TEST(ValidateCli, ReadsStandardInput) {
  const CommandResult result =
      RunIoflux({"validate", "-"}, {.argv = {}, .stdin_text = ReadFileForTest(BasePath("b"))});

  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(ValidateCli, ControlCharactersOfAHeaderAreNotPrinted) {
  const TempDir dir;
  const std::string path = dir.Write("c.ioflux", EditedA("spec-demo", "\\u001b[2Jx"));

  const CommandResult result = RunIoflux({"validate", path});

  EXPECT_THAT(result.out, HasSubstr("  profile          \\x1b[2Jx\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

TEST(ValidateCli, ControlCharactersOfFindingsAndNamesAreNotPrinted) {
  const TempDir dir;
  for (const char* member : {R"("flags":["\u001b[2J\n"],)", R"("mode":"\u001b[2J\u0007",)",
                             R"("op":"\u001b[2J",)", R"("\u001b[2J":)"}) {
    const std::string path =
        dir.Write("a\x1b[31m\nb.ioflux", EditedA("\"h\":1,", std::string(member) + "\"h\":1,"));
    const CommandResult result = RunIoflux({"validate", "--strict", path});

    EXPECT_THAT(result.out + result.err, Not(HasSubstr("\x1b"))) << member;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("\a"))) << member;
    EXPECT_THAT(result.out, HasSubstr("a\\x1b[31m\\x0ab.ioflux\n"));
  }
}

TEST(ValidateCli, MissingFileAndWrongUsageExitWithTwo) {
  EXPECT_EQ(RunIoflux({"validate", "/nonexistent.ioflux"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"validate"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"validate", "--no-such-flag", BasePath("a")}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"validate", "--max-problems", "many", BasePath("a")}).exit_code, 2);
}

TEST(ValidateCli, HelpSaysTheExitCodes) {
  const CommandResult result = RunIoflux({"validate", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Exit status:"));
}

}  // namespace
}  // namespace ioflux
