// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "cli/exit_code.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A small tree with one of everything the pages have to show.
class ManPageTest : public ::testing::Test {
 protected:
  ManPageTest() {
    app_.footer(ExitCodeHelp());
    AddManOptions(app_);
    CLI::App* gen = app_.add_subcommand("gen", "Make a trace");
    gen->require_subcommand(1);
    CLI::App* reads =
        gen->add_subcommand("training-read", "Reads of a training job. Each epoch is shuffled.");
    reads->add_option("trace", trace_, "Where to write")->required();
    reads->add_option("-n,--files", files_, "How many files")
        ->capture_default_str()
        ->group("Data set");
    reads->add_flag("--shuffle", shuffle_, "Shuffle the files")->group("Order");
    reads->add_option("--debug", trace_, "Not for users")->group("");
    reads->footer("Example:\n  ioflux gen training-read T.ioflux\n\n" + ExitCodeHelp());
    app_.add_subcommand("secret", "Not for users")->group("");
  }

  std::string Page(std::string_view name) {
    Result<std::string> page = ManPage(app_, name);
    return page ? page.value() : Describe(page.error());
  }

  CLI::App app_{"Replay storage workloads", "ioflux"};
  std::string trace_;
  int files_ = 16;
  bool shuffle_ = false;
};

TEST_F(ManPageTest, ThereIsOneForEachCommandThatIsShown) {
  EXPECT_THAT(ManPageNames(app_), ElementsAre("ioflux", "ioflux-gen", "ioflux-gen-training-read"));
}

TEST_F(ManPageTest, NameLineHoldsTheFirstSentence) {
  EXPECT_THAT(Page("ioflux-gen-training-read"),
              HasSubstr(".SH NAME\nioflux\\-gen\\-training\\-read \\- Reads of a training job\n"));
  EXPECT_THAT(Page("ioflux-gen-training-read"), HasSubstr("Each epoch is shuffled.\n"));
}

TEST_F(ManPageTest, SynopsisShowsOptionsArgumentsAndCommands) {
  EXPECT_THAT(Page("ioflux-gen-training-read"),
              HasSubstr("\\fBioflux gen training\\-read\\fR [\\fIOPTION\\fR]... \\fItrace\\fR\n"));
  EXPECT_THAT(Page("ioflux"), HasSubstr("\\fBioflux\\fR [\\fIOPTION\\fR]... \\fICOMMAND\\fR\n"));
}

TEST_F(ManPageTest, OptionsStandInTheirGroupsWithValueAndDefault) {
  const std::string page = Page("ioflux-gen-training-read");
  EXPECT_THAT(page, HasSubstr(".SS Data set\n.TP\n\\fB\\-n,\\-\\-files\\fR \\fIINT\\fR\nHow many "
                              "files.\nDefault: 16.\n"));
  EXPECT_THAT(page, HasSubstr(".SS Order\n.TP\n\\fB\\-\\-shuffle\\fR\nShuffle the files.\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fItrace\\fR\nWhere to write.\nRequired.\n"));
}

TEST_F(ManPageTest, HiddenOptionsAndCommandsAreLeftOut) {
  EXPECT_THAT(Page("ioflux-gen-training-read"), Not(HasSubstr("debug")));
  EXPECT_THAT(Page("ioflux"), Not(HasSubstr("secret")));
  EXPECT_THAT(Page("ioflux"), Not(HasSubstr("man\\-list")));
}

TEST_F(ManPageTest, ExitCodesAreListedOnceAndNotesKeepTheirLines) {
  const std::string page = Page("ioflux-gen-training-read");
  EXPECT_THAT(page,
              HasSubstr(".SH NOTES\n.nf\nExample:\n  ioflux gen training\\-read T.ioflux\n.fi\n"));
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n.TP\n.B 0\ngood\n"));
  EXPECT_THAT(page, Not(HasSubstr("Exit status:")));
  EXPECT_THAT(Page("ioflux"), Not(HasSubstr(".SH NOTES")));
}

TEST_F(ManPageTest, PagesPointToTheirNeighboursAndToFio) {
  EXPECT_THAT(Page("ioflux-gen"),
              HasSubstr(".SH SEE ALSO\n\\fBioflux\\fR(1), "
                        "\\fBioflux\\-gen\\-training\\-read\\fR(1), \\fBfio\\fR(1)\n"));
}

TEST_F(ManPageTest, AnUnknownNameGetsTheNearest) {
  const Result<std::string> page = ManPage(app_, "ioflux-gem");
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(page.error().mend, HasSubstr("ioflux-gen"));
}

TEST_F(ManPageTest, OptionsEndTheParseWithoutACommand) {
  EXPECT_THROW(app_.parse("--man-list"), CLI::CallForVersion);
  EXPECT_THROW(app_.parse("--man"), CLI::CallForVersion);
  EXPECT_THROW(app_.parse("--man ioflux-gen"), CLI::CallForVersion);
  EXPECT_THROW(app_.parse("--man ioflux-gem"), CLI::ValidationError);
}

}  // namespace
}  // namespace ioflux
