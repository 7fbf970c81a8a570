// SPDX-License-Identifier: GPL-2.0-only
//
// Wrong usage, the same way for every command: exit code 2, one `ioflux:` message with advice on
// standard error, nothing on standard output, nothing written. And what every --help has in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A command, what makes it complete, and flags with a value that none of them takes.
struct CommandForm {
  Words command;
  Words complete;
  std::vector<Words> bad_values;
  std::string near_flag;  ///< misspelt, and
  std::string meant_flag;
};

const std::vector<CommandForm>& Commands() {
  static const std::vector<CommandForm> commands = {
      {{}, {}, {{"--man", "ioflux-rum"}}, "--versoin", "--version"},
      {{"gen"}, {}, {}, "--hlep", "--help"},
      {{"gen", "training-read"},
       {"-o", "out"},
       {{"--shards", "0"},
        {"--shards", "x"},
        {"--shard-size", "1Q"},
        {"--record-size", "1TiB"},
        {"--record-size-dist", "lognormul"},
        {"--epochs", "-1"},
        {"--dataloader-workers", "0"},
        {"--read-within-shard", "randum"},
        {"--prefetch-depth", "x"},
        {"--shuffle=perhaps"},
        {"--seed", "1.5"},
        {"--model-bandwidth", "0"},
        {"--model-latency", "5"},
        {"--compute-time", "soon"}},
       "--shard-sise",
       "--shard-size"},
      {{"gen", "checkpoint-write"},
       {"-o", "out"},
       {{"--model-size", "0"},
        {"--writer-ranks", "0"},
        {"--write-block", "x"},
        {"--num-checkpoints", "0"},
        {"--checkpoint-interval", "-1"},
        {"--checkpoint-interval", "NaN"},
        {"--fsync", "finale"}},
       "--fsinc",
       "--fsync"},
      {{"import"}, {}, {}, "--hlep", "--help"},
      {{"import", "strace"}, {"-o", "out", "in"}, {{"--cwd", "relative"}}, "--ouput", "--output"},
      {{"validate"},
       {"in"},
       {{"--max-problems", "-1"}, {"--max-problems", "x"}},
       "--jsn",
       "--json"},
      {{"jobs"},
       {"--trace", "in", "-o", "out"},
       {{"--mode", "thnk"}, {"--engine", "loca"}, {"--speedup", "0"}, {"--max-lag", "x"}},
       "--target-rot",
       "--target-root"},
      {{"run"},
       {"--trace", "in", "-o", "out"},
       {{"--mode", "thnk"}, {"--max-inflight", "0"}, {"--prepare", "non"}, {"--spin", "-1"}},
       "--target-rot",
       "--target-root"},
      {{"report"}, {"in"}, {}, "--jsn", "--json"},
  };
  return commands;
}

class Usage : public testing::Test {
 protected:
  /// Returns what was said.
  std::string ExpectRefused(const Words& words) {
    SCOPED_TRACE(testing::PrintToString(words));
    const CommandResult result = RunIoflux(words, {.argv = {}, .cwd = dir_.path()});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, StartsWith("ioflux: "));
    EXPECT_THAT(dir_.Names(), IsEmpty());
    return result.err;
  }

  TempDir dir_;
};

TEST_F(Usage, AnUnknownFlagIsRefusedWithTheNearestName) {
  for (const CommandForm& form : Commands()) {
    const std::string said = ExpectRefused(form.command + Words{form.near_flag} + form.complete);
    EXPECT_THAT(said, HasSubstr("did you mean '" + form.meant_flag + "'?"));
    EXPECT_THAT(ExpectRefused(form.command + form.complete + Words{"--xyzzy"}),
                HasSubstr("unknown flag '--xyzzy'"));
  }
}

TEST_F(Usage, AnUnknownWordIsRefused) {
  EXPECT_THAT(ExpectRefused({"rnu"}), HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(ExpectRefused({"gen", "training"}), HasSubstr("training-read"));
  EXPECT_THAT(ExpectRefused({"import", "strce"}), HasSubstr("did you mean 'strace'?"));
  for (const CommandForm& form : Commands()) {
    if (form.command == Words{"import", "strace"}) continue;  // takes any number of files
    ExpectRefused(form.command + form.complete + Words{"leftover", "words"});
  }
}

TEST_F(Usage, AMissingArgumentIsNamed) {
  for (const CommandForm& form : Commands()) {
    if (form.command.empty()) continue;  // prints its help
    const std::string said = ExpectRefused(form.command);
    EXPECT_THAT(said, HasSubstr("\n  try: ")) << said;
  }
  EXPECT_THAT(ExpectRefused({"import", "strace", "in"}), HasSubstr("--output is required"));
  EXPECT_THAT(ExpectRefused({"validate"}), HasSubstr("FILE is required"));
  EXPECT_THAT(ExpectRefused({"gen", "training-read", "-o"}), HasSubstr("--output"));
  EXPECT_THAT(ExpectRefused({"run", "--trace", "in"}), HasSubstr("-o FILE"));
}

TEST_F(Usage, ABadValueIsRefusedByItsFlag) {
  for (const CommandForm& form : Commands()) {
    for (const Words& bad : form.bad_values) {
      const std::string said = ExpectRefused(form.command + form.complete + bad);
      EXPECT_THAT(said, HasSubstr(bad[0].substr(0, bad[0].find('=')))) << said;
    }
  }
}

TEST_F(Usage, AWordCloseToAKnownOneGetsIt) {
  for (const auto& [flag, word, meant] :
       std::vector<std::array<std::string, 3>>{{"--record-size-dist", "lognormul", "lognormal"},
                                               {"--read-within-shard", "randum", "random"}}) {
    EXPECT_THAT(ExpectRefused({"gen", "training-read", "-o", "out", flag, word}),
                HasSubstr("did you mean '" + meant + "'?"));
  }
  EXPECT_THAT(ExpectRefused({"gen", "checkpoint-write", "-o", "out", "--fsync", "finale"}),
              HasSubstr("did you mean 'final'?"));
  EXPECT_THAT(ExpectRefused({"run", "--trace", "in", "-o", "out", "--mode", "thnk"}),
              HasSubstr("did you mean 'think'?"));
}

TEST_F(Usage, TheTableHasEveryCommand) {
  std::string pages;
  for (const CommandForm& form : Commands()) {
    pages += "ioflux";
    for (const std::string& word : form.command) pages += "-" + word;
    pages += "\n";
  }
  EXPECT_EQ(RunIoflux({"--man-list"}).out, pages);
}

TEST_F(Usage, HelpHasNoneOfTheParsersOwnWords) {
  for (const CommandForm& form : Commands()) {
    const std::string help = RunIoflux(form.command + Words{"--help"}).out;
    EXPECT_THAT(help, HasSubstr("Exit status:"));
    EXPECT_THAT(help, Not(HasSubstr("x)"))) << help;
    EXPECT_THAT(help, Not(HasSubstr("--o,"))) << help;
    EXPECT_THAT(help, Not(HasSubstr("TEXT"))) << help;
    EXPECT_THAT(help, Not(HasSubstr(" :"))) << help;
  }
  EXPECT_THAT(RunIoflux({"report", "--help"}).out, HasSubstr(" RESULT [RESULT]\n"));
  EXPECT_THAT(RunIoflux({"import", "strace", "--help"}).out, HasSubstr("-o,--output FILE"));
  EXPECT_THAT(RunIoflux({"import", "strace", "--help"}).out, HasSubstr(" INPUT...\n"));
}

// Of names and words that a user, or a file, gives.
TEST_F(Usage, NoControlCharacterReachesTheTerminal) {
  const std::string bad = "a\x1b[31m\a\nb\xC2\x9B";
  for (const Words& words :
       {Words{bad}, Words{"--" + bad}, Words{"validate", bad}, Words{"report", bad},
        Words{"run", "--trace", bad, "-o", "out"}, Words{"jobs", "--trace", bad, "-o", "out"},
        Words{"gen", "training-read", "-o", "no/" + bad},
        Words{"gen", "training-read", "-o", "out", "--fsync", bad},
        Words{"gen", "checkpoint-write", "-o", "out", "--fsync", bad},
        Words{"run", "--mode", bad, "--trace", "in", "-o", "out"},
        Words{"import", "strace", "-o", "out", bad}}) {
    const std::string said = ExpectRefused(words);
    for (const char* control : {"\x1b", "\a", "\xC2\x9B"})
      EXPECT_THAT(said, Not(HasSubstr(control)));
    EXPECT_LE(std::count(said.begin(), said.end(), '\n'), 2) << said;
  }
  const CommandResult wrote = RunIoflux({"gen", "training-read", "--shards", "1", "-o", bad},
                                        {.argv = {}, .cwd = dir_.path()});
  EXPECT_EQ(wrote.out, "wrote a\\x1b[31m\\x07\\x0ab\\x9b\n");
}

}  // namespace
}  // namespace ioflux
