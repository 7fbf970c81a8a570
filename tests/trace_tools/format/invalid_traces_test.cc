// SPDX-License-Identifier: GPL-2.0-only
//
// One edit of a base file, and exactly what is found.
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
  std::string errors;  ///< "line:field …" in report order
  std::string rules;   ///< of those errors
  std::string warnings;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

// The members of base A that the edits take away or change.
const char* const kVersionA = "\"ioflux_trace_version\":1,";
const char* const kTargetsA =
    "\"targets\":[{\"id\":0,\"name\":\"pool/α<1>.bin\",\"kind\":\"file\",\"size\":65536},"
    "{\"id\":1,\"name\":\"pool/out.bin\",\"kind\":\"file\",\"size\":0}],";
const char* const kSummaryA =
    ",\"summary\":{\"num_ops\":9,\"num_streams\":2,\"num_groups\":0,\"total_bytes\":69632,"
    "\"duration_ns\":5000}";
const char* const kMethodA = "\"capture_method\":\"synthetic\"";
const char* const kMethodB = "\"capture_method\":\"import:strace\"";

std::vector<Row> HeaderRows() {
  const std::string no_targets = "1:targets 2:tgt 3:tgt 4:h 5:h 6:tgt 7:h 8:h 9:h 10:h";
  const std::string no_targets_rules = " OG-2 OG-2 OH-4 OH-4 OG-2 OH-4 OH-4 OH-4 OH-4";
  const std::string no_summary = "1:summary 1:summary.num_ops 1:summary.num_streams";
  return {
      {"VersionDropped", 'A', {{1, kVersionA, ""}}, "1:ioflux_trace_version", "HV-1", ""},
      {"VersionZero",
       'A',
       {{1, "version\":1", "version\":0"}},
       "1:ioflux_trace_version",
       "HV-1",
       ""},
      {"VersionFour",
       'A',
       {{1, "version\":1", "version\":4"}},
       "1:ioflux_trace_version",
       "HV-2",
       ""},
      {"VersionNegative",
       'A',
       {{1, "version\":1", "version\":-1"}},
       "1:ioflux_trace_version",
       "HV-2",
       ""},
      {"Version99",
       'A',
       {{1, "version\":1", "version\":99"}},
       "1:ioflux_trace_version",
       "HV-2",
       ""},
      {"KindEmpty",
       'A',
       {{1, "1,\"kind\":\"synthetic\"", "1,\"kind\":\"\""}},
       "1:kind",
       "HV-3",
       ""},
      {"KindUnknown",
       'A',
       {{1, "1,\"kind\":\"synthetic\"", "1,\"kind\":\"recorded\""}},
       "1:kind",
       "HV-4",
       ""},
      {"TimeUnitUs",
       'A',
       {{1, "\"time_unit\":\"ns\"", "\"time_unit\":\"us\""}},
       "1:time_unit",
       "HV-6",
       ""},
      {"TimeUnitRemoved", 'A', {{1, "\"time_unit\":\"ns\",", ""}}, "1:time_unit", "HV-5", ""},
      {"SyntheticByImport", 'A', {{1, kMethodA, kMethodB}}, "1:capture_method", "HV-12", ""},
      {"SyntheticByUnknown",
       'A',
       {{1, kMethodA, "\"capture_method\":\"perf\""}},
       "1:capture_method 1:capture_method",
       "HV-7 HV-12",
       ""},
      {"SyntheticWithoutMethodIsFine", 'A', {{1, std::string(kMethodA) + ",", ""}}, "", "", ""},
      {"SyntheticByHooks",
       'A',
       {{1, kMethodA, "\"capture_method\":\"mmap-aware\""}},
       "1:capture_method",
       "HV-12",
       ""},
      {"ImportedByBareImport",
       'B',
       {{1, kMethodB, "\"capture_method\":\"import:\""}},
       "1:capture_method 1:capture_method",
       "HV-7 HV-11",
       ""},
      {"ImportedByUnknown",
       'B',
       {{1, kMethodB, "\"capture_method\":\"strace\""}},
       "1:capture_method 1:capture_method",
       "HV-7 HV-11",
       ""},
      {"ImportedWithoutMethod",
       'B',
       {{1, std::string(kMethodB) + ",", ""}},
       "1:capture_method",
       "HV-8",
       ""},
      {"ImportedByHooks",
       'B',
       {{1, kMethodB, "\"capture_method\":\"python-io-hooks\""}},
       "1:capture_method",
       "HV-11",
       ""},
      {"ImportedBySynthetic", 'B', {{1, kMethodB, kMethodA}}, "1:capture_method", "HV-11", ""},
      {"ImportedByDftracerIsFine",
       'B',
       {{1, kMethodB, "\"capture_method\":\"import:dftracer\""}},
       "",
       "",
       ""},
      {"ImportedWithoutLimitations",
       'B',
       {{1, "\"capture_limitations\":\"demo limits text\",", ""}},
       "1:capture_limitations",
       "HV-9",
       ""},
      {"ImportedWithoutEither",
       'B',
       {{1, std::string(kMethodB) + ",", ""},
        {1, "\"capture_limitations\":\"demo limits text\",", ""}},
       "1:capture_method 1:capture_limitations",
       "HV-8 HV-9",
       ""},
      {"CapturedBySynthetic",
       'D',
       {{1, "\"ebpf-syscall\"", "\"synthetic\""}},
       "1:capture_method",
       "HV-10",
       ""},
      {"CapturedByImport",
       'D',
       {{1, "\"ebpf-syscall\"", "\"import:strace\""}},
       "1:capture_method",
       "HV-10",
       ""},
      {"CapturedByUnknown",
       'D',
       {{1, "\"ebpf-syscall\"", "\"ebpf\""}},
       "1:capture_method",
       "HV-7",
       ""},
      {"CapturedByHooksIsFine", 'D', {{1, "\"ebpf-syscall\"", "\"python-io-hooks\""}}, "", "", ""},
      {"UnknownKindByUnknown",
       'D',
       {{1, "\"captured\"", "\"other\""}, {1, "\"ebpf-syscall\"", "\"ebpf\""}},
       "1:kind 1:capture_method",
       "HV-4 HV-7",
       ""},
      {"TargetsRemoved", 'A', {{1, kTargetsA, ""}}, no_targets, "HP-1" + no_targets_rules, ""},
      {"TargetsNull",
       'A',
       {{1, kTargetsA, "\"targets\":null,"}},
       no_targets,
       "HP-3" + no_targets_rules,
       ""},
      {"TargetId", 'A', {{1, "{\"id\":1", "{\"id\":2"}}, "1:targets", "HT-1", ""},
      {"TargetNameEmpty", 'A', {{1, "pool/out.bin", ""}}, "1:targets.name", "HT-2", ""},
      {"TargetKindAndSize",
       'A',
       {{1, "\"kind\":\"file\",\"size\":0", "\"kind\":\"dir\",\"size\":-1"}},
       "1:targets.kind 1:targets.size",
       "HT-4 HT-5",
       ""},
      {"TargetKindEmpty",
       'A',
       {{1, "\"kind\":\"file\",\"size\":0", "\"kind\":\"\",\"size\":0"}},
       "1:targets.kind",
       "HT-3",
       ""},
      {"TargetAllWrong",
       'A',
       {{1, "{\"id\":0,\"name\":\"pool/α<1>.bin\",\"kind\":\"file\",\"size\":65536}",
         "{\"id\":7,\"name\":\"\",\"kind\":\"bucket\",\"size\":-1}"}},
       "1:targets 1:targets.name 1:targets.kind 1:targets.size",
       "HT-1 HT-2 HT-4 HT-5",
       ""},
      {"SummaryRemoved", 'A', {{1, kSummaryA, ""}}, no_summary, "HP-2 ES-1 ES-2", ""},
      {"SummaryNull", 'A', {{1, kSummaryA, ",\"summary\":null"}}, no_summary, "HP-4 ES-1 ES-2", ""},
      {"NumGroupsRemoved", 'A', {{1, "\"num_groups\":0,", ""}}, "1:summary.num_groups", "HP-7", ""},
      {"AllCountersRemoved",
       'A',
       {{1, kSummaryA, ",\"summary\":{}"}},
       "1:summary.num_ops 1:summary.num_streams 1:summary.num_groups 1:summary.total_bytes "
       "1:summary.duration_ns 1:summary.num_ops 1:summary.num_streams",
       "HP-5 HP-6 HP-7 HP-8 HP-9 ES-1 ES-2",
       ""},
      {"TotalBytesNegative",
       'A',
       {{1, "\"total_bytes\":69632", "\"total_bytes\":-1"}},
       "1:summary.total_bytes",
       "HS-4",
       ""},
      {"AllCountersNegative",
       'A',
       {{1, kSummaryA,
         ",\"summary\":{\"num_ops\":-1,\"num_streams\":-1,\"num_groups\":-1,\"total_bytes\":-1,"
         "\"duration_ns\":-1}"}},
       "1:summary.num_ops 1:summary.num_streams 1:summary.num_groups 1:summary.total_bytes "
       "1:summary.duration_ns 1:summary.num_ops 1:summary.num_streams",
       "HS-1 HS-2 HS-3 HS-4 HS-5 ES-1 ES-2",
       ""},
      {"NumOpsTooMany",
       'A',
       {{1, "\"num_ops\":9", "\"num_ops\":10"}},
       "1:summary.num_ops",
       "ES-1",
       ""},
      {"LastLineLost", 'A', {{10, kWholeLine, kNoLine}}, "1:summary.num_ops", "ES-1", "0:open"},
      {"NumStreamsTooMany",
       'A',
       {{1, "\"num_streams\":2", "\"num_streams\":3"}},
       "1:summary.num_streams",
       "ES-2",
       ""},
      {"NumPartialReadsTooFew",
       'B',
       {{1, "\"num_partial_reads\":2", "\"num_partial_reads\":1"}},
       "1:summary.num_partial_reads",
       "ES-3",
       ""},
      {"NumPartialReadsAbsent",
       'B',
       {{1, ",\"num_partial_reads\":2", ""}},
       "1:summary.num_partial_reads",
       "ES-3",
       ""},
      {"PartialReadsUnderVersion1",
       'B',
       {{1, "version\":2", "version\":1"}},
       "5:ret 6:ret",
       "OR-4 OR-4",
       ""},
  };
}

std::vector<Row> OrderRows() {
  return {
      {"TimeNegativeLater", 'A', {{4, "\"t\":1000", "\"t\":-1"}}, "4:t", "OT-1", ""},
      {"TimeBefore", 'A', {{6, "\"t\":2000", "\"t\":999"}}, "6:t", "OT-1", ""},
      {"TimeDoesNotLowerTheBar",
       'A',
       {{6, "\"t\":2000", "\"t\":500"}, {7, "\"t\":2500", "\"t\":600"}},
       "6:t 7:t",
       "OT-1 OT-1",
       ""},
      {"OpIdRemoved", 'A', {{4, "\"op_id\":2,", ""}}, "4:op_id", "OI-1", ""},
      {"OpIdNegative",
       'A',
       {{4, "\"op_id\":2", "\"op_id\":-2"}},
       "4:op_id 4:op_id",
       "OI-2 OI-4",
       ""},
      {"OpIdTaken", 'A', {{4, "\"op_id\":2", "\"op_id\":1"}}, "4:op_id", "OI-3", ""},
      {"OpIdAhead", 'A', {{6, "\"op_id\":4", "\"op_id\":8"}}, "8:op_id 10:op_id", "OI-4 OI-3", ""},
      {"OpIdEqualsTheOneBefore",
       'A',
       {{6, "\"op_id\":4", "\"op_id\":2"}},
       "6:op_id 6:op_id",
       "OI-3 OI-4",
       ""},
      {"GroupDropped", 'D', {{3, "\"group\":4,", ""}}, "4:op_id", "OI-4", ""},
      {"GroupZeroIsNoGroup", 'D', {{3, "\"group\":4,", "\"group\":0,"}}, "4:op_id", "OI-4", ""},
      {"OpLowerCase", 'A', {{6, "\"STAT\"", "\"Stat\""}}, "6:op", "OK-1", ""},
      {"OpInvented",
       'A',
       {{6, "\"STAT\",\"tgt\":0", "\"FRUNGE\",\"h\":77,\"len\":-1,\"dur\":-5"}},
       "6:op",
       "OK-1",
       ""},
      {"LineNull", 'A', {{6, kWholeLine, "null"}}, "6:t 6:op_id 6:op", "OT-1 OI-1 OK-1", ""},
  };
}

std::vector<Row> MemberRows() {
  const std::string open_a = "\"h\":1,\"mode\":\"r\"";
  return {
      {"OpenWithoutHandle", 'A', {{2, "\"h\":1,", ""}}, "2:h 4:h 8:h", "OH-1 OH-4 OH-4", ""},
      {"OpenTargetOutOfRange",
       'A',
       {{2, "\"tgt\":0", "\"tgt\":2"}},
       "2:tgt 4:h 8:h",
       "OG-2 OH-4 OH-4",
       ""},
      {"OpenTargetNegative",
       'A',
       {{2, "\"tgt\":0", "\"tgt\":-1"}},
       "2:tgt 4:h 8:h",
       "OG-2 OH-4 OH-4",
       ""},
      {"OpenWithoutTarget", 'A', {{2, "\"tgt\":0,", ""}}, "2:tgt 4:h 8:h", "OG-1 OH-4 OH-4", ""},
      {"OpenWithoutMode", 'A', {{2, ",\"mode\":\"r\"", ""}}, "2:mode", "OM-3", ""},
      {"OpenEmptyMode", 'A', {{2, "\"mode\":\"r\"", "\"mode\":\"\""}}, "2:mode", "OM-3", ""},
      {"OpenUnknownMode", 'A', {{2, "\"mode\":\"r\"", "\"mode\":\"a\""}}, "2:mode", "OM-4", ""},
      {"OpenWithOffset", 'A', {{2, "[\"seq\"]", "[\"seq\"],\"off\":0"}}, "2:off", "OP-3", ""},
      {"OpenWithOffsetAndLength",
       'A',
       {{2, "[\"seq\"]", "[\"seq\"],\"off\":0,\"len\":1"}},
       "2:off 2:len",
       "OP-3 OP-6",
       ""},
      {"OpenAllWrong",
       'A',
       {{2, "\"tgt\":0,\"h\":1,\"mode\":\"r\",\"flags\":[\"seq\"]", "\"off\":1,\"len\":1"}},
       "2:tgt 2:h 2:mode 2:off 2:len 4:h 8:h",
       "OG-1 OH-1 OM-3 OP-3 OP-6 OH-4 OH-4",
       ""},
      {"OpenReusesHandle",
       'A',
       {{3, "\"h\":2", "\"h\":1"}},
       "3:h 5:h 7:h 9:h 10:h",
       "OH-2 OH-4 OH-4 OH-4 OH-4",
       ""},
      {"OpenReusesHandleThroughout",
       'A',
       {{3, "\"h\":2", "\"h\":1"},
        {5, "\"h\":2", "\"h\":1"},
        {7, "\"h\":2", "\"h\":1"},
        {9, "\"h\":2", "\"h\":1"},
        {10, "\"h\":2", "\"h\":1"}},
       "3:h 5:h 7:h 9:h 10:h",
       "OH-2 OH-6 OH-6 OH-5 OH-5",
       ""},
      {"HandleNeverOpened", 'A', {{4, "\"h\":1", "\"h\":99"}}, "4:h", "OH-4", ""},
      {"HandleOfAnotherStream", 'A', {{4, "\"h\":1", "\"h\":2"}}, "4:h", "OH-6", ""},
      {"HandleMissing", 'A', {{8, ",\"h\":1", ""}}, "8:h", "OH-3", "0:open"},
      {"ReadAfterClose",
       'A',
       {{9, "\"s\":7", "\"s\":0"}, {9, "\"h\":2", "\"h\":1"}},
       "9:h",
       "OH-5",
       ""},
      {"ReadWithTarget", 'A', {{4, "\"READ\",", "\"READ\",\"tgt\":0,"}}, "4:tgt", "OG-3", ""},
      {"ReadWithoutOffset", 'A', {{4, "\"off\":0,", ""}}, "4:off", "OP-1", ""},
      {"ReadOffsetNegative", 'A', {{4, "\"off\":0", "\"off\":-1"}}, "4:off", "OP-2", ""},
      {"ReadWithoutLength", 'A', {{4, ",\"len\":65536", ""}}, "4:len", "OP-4", ""},
      {"ReadLengthNegative", 'A', {{4, "\"len\":65536", "\"len\":-1"}}, "4:len", "OP-5", ""},
      {"ReadWithMode", 'A', {{4, "\"h\":1,", "\"h\":1,\"mode\":\"r\","}}, "4:mode", "OM-1", ""},
      {"ReadWithFlags",
       'A',
       {{4, "\"h\":1,", "\"h\":1,\"flags\":[\"direct\"],"}},
       "4:flags",
       "OM-2",
       ""},
      {"ReadAllWrong",
       'A',
       {{4, "\"h\":1,\"off\":0,\"len\":65536",
         "\"tgt\":0,\"mode\":\"x\",\"flags\":[\"q\"],\"ret\":-1,\"dur\":-1"}},
       "4:mode 4:flags 4:h 4:tgt 4:off 4:len 4:ret 4:ret 4:dur 1:summary.num_partial_reads",
       "OM-1 OM-2 OH-3 OG-3 OP-1 OP-4 OR-2 OR-4 OD-1 ES-3",
       ""},
      {"WriteWithReturned",
       'A',
       {{5, "\"dur\":900", "\"ret\":100,\"dur\":900"}},
       "5:ret 1:summary.num_partial_reads",
       "OR-1 ES-3",
       ""},
      {"DurationNegative", 'A', {{5, "\"dur\":900", "\"dur\":-1"}}, "5:dur", "OD-1", ""},
      {"StatWithHandle", 'A', {{6, "\"tgt\":0", "\"tgt\":0,\"h\":1"}}, "6:h", "OH-7", ""},
      {"StatWithoutTarget", 'A', {{6, ",\"tgt\":0", ""}}, "6:tgt", "OG-1", ""},
      {"StatTargetOutOfRange", 'A', {{6, "\"tgt\":0", "\"tgt\":2"}}, "6:tgt", "OG-2", ""},
      {"StatAllWrong",
       'A',
       {{6, "\"tgt\":0", "\"h\":5,\"off\":0,\"len\":0"}},
       "6:tgt 6:h 6:off 6:len",
       "OG-1 OH-7 OP-3 OP-6",
       ""},
      {"FsyncWithLength",
       'A',
       {{7, "\"dur\":15000", "\"len\":1,\"dur\":15000"}},
       "7:len",
       "OP-6",
       ""},
      {"FsyncUnknownHandle", 'A', {{7, "\"h\":2", "\"h\":42"}}, "7:h", "OH-4", ""},
      {"NeverClosed",
       'A',
       {{1, "\"num_ops\":9", "\"num_ops\":8"}, {10, kWholeLine, kNoLine}},
       "",
       "",
       "0:open"},
      {"ReturnedMoreThanLength",
       'B',
       {{5, "\"ret\":37856", "\"ret\":131073"}},
       "5:ret",
       "OR-3",
       ""},
      {"ReturnedNegative", 'B', {{5, "\"ret\":37856", "\"ret\":-1"}}, "5:ret", "OR-2", ""},
      {"PutWithOffset",
       'D',
       {{4, "\"len\":524288", "\"off\":0,\"len\":524288"}},
       "4:off",
       "OP-3",
       ""},
      {"PutWithoutLength", 'D', {{4, ",\"len\":524288", ""}}, "4:len", "OP-4", ""},
      {"PutLengthNegative", 'D', {{4, "\"len\":524288", "\"len\":-5"}}, "4:len", "OP-5", ""},
      {"PutWithReturned",
       'D',
       {{4, "\"len\":524288", "\"len\":524288,\"ret\":1"}},
       "4:ret 1:summary.num_partial_reads",
       "OR-1 ES-3",
       ""},
      {"GetWithoutOffset", 'D', {{3, "\"off\":0,", ""}}, "3:off", "OP-1", ""},
      {"HeadWithHandle", 'D', {{2, "\"tgt\":0", "\"tgt\":0,\"h\":0"}}, "2:h", "OH-7", ""},
      {"DeleteWithLength", 'D', {{5, "\"tgt\":1", "\"tgt\":1,\"len\":0"}}, "5:len", "OP-6", ""},
  };
}

class InvalidTrace : public ::testing::TestWithParam<Row> {};

TEST_P(InvalidTrace, HasExactlyTheseFindings) {
  const Row& row = GetParam();

  const ValidationReport report = Validated(EditedTrace(row.base, row.edits));

  EXPECT_EQ(PlacesOf(report, Severity::kError), row.errors);
  EXPECT_EQ(RulesOf(report, Severity::kError), row.rules);
  EXPECT_EQ(PlacesOf(report, Severity::kWarning), row.warnings);
  EXPECT_EQ(report.valid(), row.errors.empty());
}

std::string NameOfRow(const ::testing::TestParamInfo<Row>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Header, InvalidTrace, ::testing::ValuesIn(HeaderRows()), NameOfRow);
INSTANTIATE_TEST_SUITE_P(Order, InvalidTrace, ::testing::ValuesIn(OrderRows()), NameOfRow);
INSTANTIATE_TEST_SUITE_P(Members, InvalidTrace, ::testing::ValuesIn(MemberRows()), NameOfRow);

// --- fatal inputs ------------------------------------------------------------------------------

TEST(FatalInput, HeaderThatCannotBeReadIsAnInputError) {
  const std::string inputs[] = {"not json", "", "\n" + BaseTrace('A'),
                                EditedTrace('A', {{1, "\"size\":65536", "\"size\":\"65536\""}})};
  for (const std::string& text : inputs) {
    const Result<ValidationReport> report = ValidateBytes(text, "x", {});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::kInput);
    EXPECT_EQ(report.error().where.line, 1U);
  }
}

TEST(FatalInput, OpLineThatCannotBeReadEndsTheReportThere) {
  const std::vector<Edit> edits[] = {
      {{4, "\"len\":65536", "\"len\":1e3"}},
      {{4, "\"len\":65536", "\"len\":1.0"}},
      {{4, "\"len\":65536", "\"len\":\"64\""}},
      {{4, "\"len\":65536}", "\"len\":65536}}"}},
      {{4, "\"len\":65536}", "\"len\":65536}{}"}},
      {{4, "\"off\":0", "\"off\":9223372036854775808"}},
      {{4, kWholeLine, std::string(kMaxLineBytes + 1, ' ')}},
  };
  for (const std::vector<Edit>& edit : edits) {
    const ValidationReport report = Validated(EditedTrace('A', edit));

    EXPECT_TRUE(report.has_fatal_line);
    EXPECT_EQ(RulesOf(report, Severity::kError), "fatal");
    EXPECT_EQ(report.findings.at(0).line, 4U);
    EXPECT_EQ(report.ops, 2U);
  }
}

TEST(FatalInput, WhatWasFoundBeforeIsKept) {
  const ValidationReport report =
      Validated(EditedTrace('A', {{2, "\"h\":1,", ""}, {5, kWholeLine, "{"}}));

  EXPECT_EQ(PlacesOf(report, Severity::kError), "2:h 4:h 5:line");
  EXPECT_EQ(report.errors, 3U);
  EXPECT_EQ(report.findings.back().byte_offset,
            EditedTrace('A', {{2, "\"h\":1,", ""}}).find("{\"t\":1000,\"op_id\":3"));
}

}  // namespace
}  // namespace ioflux
