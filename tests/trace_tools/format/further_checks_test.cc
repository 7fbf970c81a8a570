// SPDX-License-Identifier: GPL-2.0-only
//
// What is legal but hardly meant: a warning each, an error under strict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/trace_tools/format/edited_trace.h"

namespace ioflux {
namespace {

struct Row {
  std::string name;
  char base = 'A';
  std::vector<Edit> edits;
  std::string places;
  std::string rules;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

std::vector<Row> Rows() {
  return {
      {"LedgerUnderVersion1",
       'C',
       {{1, "version\":3", "version\":2"}},
       "1:ioflux_trace_version",
       "HX-1"},
      {"Version2WithoutPartialReads",
       'A',
       {{1, "version\":1", "version\":2"}},
       "1:ioflux_trace_version",
       "HX-2"},
      {"Version3WithoutLedger",
       'B',
       {{1, "version\":2", "version\":3"}},
       "1:ioflux_trace_version",
       "HX-2"},
      {"TimeMissing", 'A', {{2, "\"t\":0,", ""}}, "2:t", "HX-3a"},
      {"StreamMissing", 'A', {{6, "\"s\":0,", ""}}, "6:s", "HX-3b"},
      {"ScrubbedMissing", 'A', {{1, "\"scrubbed\":false,", ""}}, "1:scrubbed", "HX-3c"},
      {"FirstTimeNegative", 'A', {{2, "\"t\":0", "\"t\":-5"}}, "2:t", "HX-3d"},
      {"StreamNegative",
       'D',
       {{2, "\"s\":3", "\"s\":-3"},
        {3, "\"s\":3", "\"s\":-3"},
        {4, "\"s\":3", "\"s\":-3"},
        {5, "\"s\":3", "\"s\":-3"},
        {6, "\"s\":3", "\"s\":-3"}},
       "2:s 3:s 4:s 5:s 6:s",
       "HX-3e HX-3e HX-3e HX-3e HX-3e"},
      {"HandleNegative",
       'A',
       {{2, "\"h\":1", "\"h\":-1"}, {4, "\"h\":1", "\"h\":-1"}, {8, "\"h\":1", "\"h\":-1"}},
       "2:h",
       "HX-3f"},
      {"ReturnedEqualsLength",
       'B',
       {{5, "\"ret\":37856", "\"ret\":131072"},
        {1, "\"total_bytes\":300000", "\"total_bytes\":393216"}},
       "5:ret",
       "HX-3g"},
      {"RangeBeyondInt64",
       'A',
       {{5, "\"off\":0", "\"off\":9223372036854775807"}},
       "5:off",
       "HX-3h"},
      {"TargetTwice",
       'A',
       {{1, "\"name\":\"pool/out.bin\"", "\"name\":\"pool/α<1>.bin\""}},
       "1:targets",
       "HX-3i"},
      {"TargetTwiceOfTwoKindsIsFine",
       'A',
       {{1, "\"name\":\"pool/out.bin\",\"kind\":\"file\"",
         "\"name\":\"pool/α<1>.bin\",\"kind\":\"object\""}},
       "",
       ""},
      {"ReadOfHandleForWriting", 'A', {{2, "\"mode\":\"r\"", "\"mode\":\"w\""}}, "4:h", "HX-3j"},
      {"WriteToHandleForReading", 'A', {{3, "\"mode\":\"rw\"", "\"mode\":\"r\""}}, "5:h", "HX-3k"},
      {"ShortReadInsideTheFile",
       'B',
       {{5, "\"ret\":37856", "\"ret\":37855"},
        {1, "\"total_bytes\":300000", "\"total_bytes\":299999"}},
       "5:ret",
       "HX-3l"},
      {"ShortGetInsideTheObject",
       'D',
       {{3, "\"len\":1048576", "\"len\":1048576,\"ret\":1000"},
        {1, "version\":1", "version\":2"},
        {1, "\"total_bytes\":1572864", "\"total_bytes\":525288"},
        {1, "\"duration_ns\":40", "\"duration_ns\":40,\"num_partial_reads\":1"}},
       "3:ret",
       "HX-3l"},
      {"TotalBytesOff",
       'A',
       {{1, "\"total_bytes\":69632", "\"total_bytes\":69633"}},
       "1:summary.total_bytes",
       "HX-3m"},
      {"DurationOff",
       'A',
       {{1, "\"duration_ns\":5000", "\"duration_ns\":5001"}},
       "1:summary.duration_ns",
       "HX-3n"},
      {"NumGroupsOff",
       'D',
       {{1, "\"num_groups\":1", "\"num_groups\":0"}},
       "1:summary.num_groups",
       "HX-3o"},
      {"UnknownFlags",
       'A',
       {{2, "[\"seq\"]", "[\"seq\",\"squential\",\"\"]"}},
       "2:flags 2:flags",
       "HX-3p HX-3p"},
      {"CreatedUtcIsNoTime",
       'A',
       {{1, "\"time_unit\"", "\"created_utc\":\"yesterday\",\"time_unit\""}},
       "1:created_utc",
       "HX-3q"},
      {"CreatedUtcIsATime",
       'A',
       {{1, "\"time_unit\"", "\"created_utc\":\"2026-01-02T03:04:05Z\",\"time_unit\""}},
       "",
       ""},
      {"AppliedUtcIsNoTime",
       'C',
       {{1, "2026-01-02T03:04:05Z", "2026-01-02 03:04:05"}},
       "1:transformations.applied_utc",
       "HX-3r"},
  };
}

class FurtherCheck : public ::testing::TestWithParam<Row> {};

TEST_P(FurtherCheck, IsAWarning) {
  const Row& row = GetParam();

  const ValidationReport report = Validated(EditedTrace(row.base, row.edits));

  EXPECT_TRUE(report.valid());
  EXPECT_EQ(PlacesOf(report, Severity::kWarning, /*with_further=*/true), row.places);
  EXPECT_EQ(RulesOf(report, Severity::kWarning, /*with_further=*/true), row.rules);
}

TEST_P(FurtherCheck, IsAnErrorUnderStrict) {
  const Row& row = GetParam();

  const ValidationReport report = Validated(EditedTrace(row.base, row.edits), /*strict=*/true);

  EXPECT_EQ(report.valid(), row.rules.empty());
  EXPECT_EQ(PlacesOf(report, Severity::kError, /*with_further=*/true), row.places);
  EXPECT_EQ(RulesOf(report, Severity::kError, /*with_further=*/true), row.rules);
  EXPECT_EQ(report.warnings, 0U);
}

std::string NameOfRow(const ::testing::TestParamInfo<Row>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, FurtherCheck, ::testing::ValuesIn(Rows()), NameOfRow);

TEST(FurtherChecks, BaseFilesHaveNone) {
  for (const char letter : {'A', 'B', 'C', 'D'}) {
    const ValidationReport report = Validated(BaseTrace(letter), /*strict=*/true);
    EXPECT_EQ(report.errors + report.warnings, 0U) << letter;
  }
}

TEST(FurtherChecks, NeverClosedStaysAWarningUnderStrict) {
  const std::string text = EditedTrace('A', {{1, "\"num_ops\":9", "\"num_ops\":8"},
                                             {10, kWholeLine, kNoLine},
                                             {1, "\"duration_ns\":5000", "\"duration_ns\":4000"}});

  const ValidationReport report = Validated(text, /*strict=*/true);

  EXPECT_TRUE(report.valid());
  EXPECT_EQ(RulesOf(report, Severity::kWarning), "EW-1");
}

// Another reader accepts each of these, so we must.
TEST(AcceptedThoughSurprising, NoneIsAnError) {
  const std::vector<std::pair<char, std::vector<Edit>>> cases = {
      {'A', {{2, "\"t\":0,", ""}}},
      {'A', {{2, "\"s\":0,", ""}}},
      {'D', {{1, "version\":1", "version\":3"}}},
      {'B', {{5, "\"ret\":37856", "\"ret\":131072"}}},
      {'C', {{1, "version\":3", "version\":2"}}},
      {'A', {{2, "\"seq\"", "\"no such flag\""}}},
      {'A', {{1, "pool/out.bin", "pool/α<1>.bin"}}},
      {'A', {{2, "\"mode\":\"r\"", "\"mode\":\"w\""}}},
      {'A', {{1, "\"total_bytes\":69632", "\"total_bytes\":1"}}},
      {'A', {{1, "\"duration_ns\":5000", "\"duration_ns\":1"}}},
      {'A', {{1, "\"num_groups\":0", "\"num_groups\":7"}}},
      {'A', {{4, "\"len\":65536", "\"len\":0"}}},
      {'A', {{4, "\"len\":65536", "\"len\":9999999"}}},
      {'A', {{2, "\"tgt\":0", "\"tgt\":0,\"unknown\":{\"t\":-1}"}}},
      {'A', {{1, "\"scrubbed\":false,", ""}}},
      {'A', {{1, "\"targets\"", "\"future\":[1,2],\"targets\""}}},
  };
  for (const auto& [base, edits] : cases) {
    const ValidationReport report = Validated(EditedTrace(base, edits));
    EXPECT_TRUE(report.valid()) << edits[0].to << ": " << RulesOf(report, Severity::kError);
  }
}

}  // namespace
}  // namespace ioflux
