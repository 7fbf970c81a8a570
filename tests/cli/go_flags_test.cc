// SPDX-License-Identifier: GPL-2.0-only
#include "cli/go_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/option_types.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using Words = std::vector<std::string>;

/// A command line with one of everything.
class GoFlags : public ::testing::Test {
 protected:
  GoFlags() {
    CLI::App* gen = app_.add_subcommand("gen", "");
    AddIntegerOption(*gen, "--seed", seed_, "");
    AddBoolOption(*gen, "--shuffle", shuffle_, "");
    AddTextOption(*gen, "-o,--output", output_, "FILE", "");
    gen->add_flag("--json", json_, "");
    CLI::App* show = app_.add_subcommand("show", "");
    show->add_option("files", files_, "");
    show->add_flag("--json", json_, "");
    app_.add_subcommand("wrap", "")->prefix_command();
    app_.add_option("--page", output_, "")->expected(0, 1);
  }

  Words Normalized(const Words& words) {
    const Result<Words> result = NormalizeFlags(app_, words);
    EXPECT_TRUE(result) << Describe(result.error());
    return result ? result.value() : Words();
  }
  std::string ErrorOf(const Words& words) {
    const Result<Words> result = NormalizeFlags(app_, words);
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
    return Describe(result.error());
  }
  /// Normalises and lets CLI11 parse the outcome.
  void Parse(const Words& words) {
    Words arguments = Normalized(words);
    std::reverse(arguments.begin(), arguments.end());
    app_.parse(arguments);
  }

  CLI::App app_{"", "ioflux"};
  std::int64_t seed_ = 42;
  bool shuffle_ = true;
  bool json_ = false;
  std::string output_;
  Words files_;
};

TEST_F(GoFlags, OneAndTwoDashesWithAndWithoutEqualsAreTheSame) {
  for (const Words& words : {Words{"gen", "-seed", "7", "-o", "f"},
                             {"gen", "--seed", "7", "--o", "f"},
                             {"gen", "-seed=7", "-o=f"},
                             {"gen", "--seed=7", "--output=f"},
                             {"gen", "-seed=7", "-of"}}) {
    seed_ = 0;
    output_.clear();
    Parse(words);
    EXPECT_EQ(seed_, 7);
    EXPECT_EQ(output_, "f");
  }
}

TEST_F(GoFlags, LastOccurrenceWins) {
  Parse({"gen", "-seed=1", "--seed", "2", "-seed", "3"});
  EXPECT_EQ(seed_, 3);
}

TEST_F(GoFlags, WordAfterAFlagIsItsValueWhateverItLooksLike) {
  EXPECT_THAT(Normalized({"gen", "-seed", "-5", "-o", "-"}),
              ElementsAre("gen", "--seed", "-5", "-o", "-"));
  EXPECT_THAT(Normalized({"gen", "-o", "-seed", "-seed", "1"}),
              ElementsAre("gen", "-o", "-seed", "--seed", "1"));
  Parse({"gen", "-seed", "-5", "-o=-"});
  EXPECT_EQ(seed_, -5);
  EXPECT_EQ(output_, "-");
}

TEST_F(GoFlags, EmptyValueIsAValue) {
  EXPECT_THAT(Normalized({"gen", "--output=", "-seed=1"}),
              ElementsAre("gen", "--output", "", "--seed", "1"));
}

TEST_F(GoFlags, BoolStandsAloneOrTakesItsWordEitherWay) {
  for (const Words& words : {Words{"gen", "--shuffle=false"},
                             {"gen", "-shuffle", "false"},
                             {"gen", "--shuffle", "F"},
                             {"gen", "--shuffle", "--shuffle=0"}}) {
    shuffle_ = true;
    Parse(words);
    EXPECT_FALSE(shuffle_);
  }
  for (const Words& words :
       {Words{"gen", "--shuffle"}, {"gen", "-shuffle=True"}, {"gen", "--shuffle", "-seed", "0"}}) {
    shuffle_ = false;
    Parse(words);
    EXPECT_TRUE(shuffle_);
  }
  EXPECT_THROW(Parse({"gen", "--shuffle=yes"}), CLI::ValidationError);
}

TEST_F(GoFlags, PlainSwitchNeverSwallowsTheWordAfterIt) {
  Parse({"show", "-json", "true"});
  EXPECT_TRUE(json_);
  EXPECT_THAT(files_, ElementsAre("true"));
  Parse({"show", "--json=false", "1"});
  EXPECT_FALSE(json_);
}

TEST_F(GoFlags, OptionThatMayStandAloneTakesAWordButNoFlagOrCommand) {
  EXPECT_THAT(Normalized({"-page", "word"}), ElementsAre("--page", "word"));
  EXPECT_THAT(Normalized({"--page=word"}), ElementsAre("--page", "word"));
  EXPECT_THAT(Normalized({"--page", "gen"}), ElementsAre("--page", "gen"));
  EXPECT_THAT(Normalized({"--page", "gen", "-seed", "1"}),
              ElementsAre("--page", "gen", "--seed", "1"));
}

TEST_F(GoFlags, TwoDashesAloneEndTheFlags) {
  EXPECT_THAT(Normalized({"show", "--", "-json", "--x"}),
              ElementsAre("show", "--", "-json", "--x"));
}

TEST_F(GoFlags, WordsHandedOnAreNotTouched) {
  EXPECT_THAT(Normalized({"wrap", "ls", "-lah", "--color"}),
              ElementsAre("wrap", "ls", "-lah", "--color"));
}

TEST_F(GoFlags, UnknownFlagsCommandsAndLeftoverWordsAreErrorsWithTheNearestName) {
  EXPECT_EQ(ErrorOf({"gen", "-sede", "1"}), "unknown flag '-sede'\n  try: did you mean '--seed'?");
  EXPECT_EQ(ErrorOf({"gen", "---seed", "1"}),
            "unknown flag '---seed'\n  try: did you mean '--seed'?");
  EXPECT_EQ(ErrorOf({"shwo"}), "unknown command 'shwo'\n  try: did you mean 'show'?");
  EXPECT_EQ(ErrorOf({"bake"}), "unknown command 'bake'\n  try: known: gen, show, wrap");
  EXPECT_EQ(ErrorOf({"gen", "extra"}),
            "the word 'extra' is not expected here\n"
            "  try: leave it out, or put the flag it belongs to before it");
  EXPECT_EQ(ErrorOf({"gen", "--json", "false"}),
            "the word 'false' is not expected here\n"
            "  try: leave it out, or put the flag it belongs to before it");
}

TEST_F(GoFlags, HelpWorksInEveryForm) {
  for (const char* word : {"-h", "--help", "-help"}) {
    EXPECT_THROW(Parse({"gen", word}), CLI::CallForHelp) << word;
  }
}

TEST(ParseFlagInteger, TakesEveryBaseAndSeparators) {
  EXPECT_EQ(ParseFlagInteger("42"), 42);
  EXPECT_EQ(ParseFlagInteger("-42"), -42);
  EXPECT_EQ(ParseFlagInteger("+1_000_000"), 1'000'000);
  EXPECT_EQ(ParseFlagInteger("0x_2A"), 42);
  EXPECT_EQ(ParseFlagInteger("0X2a"), 42);
  EXPECT_EQ(ParseFlagInteger("0o17"), 15);
  EXPECT_EQ(ParseFlagInteger("017"), 15);
  EXPECT_EQ(ParseFlagInteger("0_17"), 15);
  EXPECT_EQ(ParseFlagInteger("-0b101"), -5);
  EXPECT_EQ(ParseFlagInteger("0"), 0);
  EXPECT_EQ(ParseFlagInteger("-9223372036854775808"), INT64_MIN);
}

TEST(ParseFlagInteger, RefusesEverythingElse) {
  for (const char* text : {"", "-", "_1", "1_", "1__0", "0x", "0x_", "08", "0b2", "1.0", "1e3",
                           "--1", "+-1", "0x-1", "9223372036854775808", " 1", "one"}) {
    EXPECT_FALSE(ParseFlagInteger(text)) << text;
  }
}

TEST(ParseBoolWord, KnowsTwelveWords) {
  for (const char* word : {"1", "t", "T", "TRUE", "true", "True"}) {
    EXPECT_EQ(ParseBoolWord(word), true) << word;
  }
  for (const char* word : {"0", "f", "F", "FALSE", "false", "False"}) {
    EXPECT_EQ(ParseBoolWord(word), false) << word;
  }
  for (const char* word : {"", "yes", "no", "tRUE", "2"}) EXPECT_FALSE(ParseBoolWord(word)) << word;
}

}  // namespace
}  // namespace ioflux
