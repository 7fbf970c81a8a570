// SPDX-License-Identifier: GPL-2.0-only
//
// What a report says beyond which rules fired, and the cases that need more than one edit.
#include "trace_tools/format/trace_validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/trace_tools/format/edited_trace.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

// A trace of `ops` whose header says the truth about them.
std::string TraceOf(const std::vector<Op>& ops, std::int64_t targets = 2) {
  TraceHeader header;
  for (std::int64_t i = 0; i < targets; ++i) {
    header.targets.push_back(
        {.id = i, .name = "t" + std::to_string(i), .kind = "file", .size_bytes = 0});
  }
  std::set<std::int64_t> streams;
  std::set<std::int64_t> groups;
  for (const Op& op : ops) {
    streams.insert(op.stream);
    if (op.group != 0) groups.insert(op.group);
    header.summary.num_partial_reads += op.Has(OpField::kReturned) ? 1 : 0;
    header.summary.total_bytes += op.MovedBytes();
    header.summary.duration_ns = op.t_ns;
  }
  header.summary.num_ops = static_cast<std::int64_t>(ops.size());
  header.summary.num_streams = static_cast<std::int64_t>(streams.size());
  header.summary.num_groups = static_cast<std::int64_t>(groups.size());
  header.version = NeededVersion(header);
  std::string text;
  AppendHeaderLine(text, header);
  for (const Op& op : ops) AppendOpLine(text, op);
  return text;
}

Op Stat(std::int64_t op_id, std::int64_t stream = 0) {
  Op op;
  op.kind = OpKind::kSTAT;
  op.stream = stream;
  return op.SetOpId(op_id).SetTarget(0);
}

Op OnHandle(OpKind kind, std::int64_t op_id, std::int64_t handle, std::int64_t stream = 0) {
  Op op;
  op.kind = kind;
  op.stream = stream;
  op.SetOpId(op_id).SetHandle(handle);
  if (kind == OpKind::kOPEN) {
    op.SetTarget(0);
    op.mode = OpenMode::kReadWrite;
  }
  if (kind == OpKind::kREAD || kind == OpKind::kWRITE) op.SetOffset(0).SetLength(1);
  return op;
}

std::string OnlyText(const ValidationReport& report) {
  EXPECT_EQ(report.findings.size(), 1U);
  return report.findings.empty() ? "" : report.findings[0].text;
}

TEST(RuleTable, IdsAreUniqueAndEveryRuleIsExplained) {
  std::set<std::string_view> ids;
  for (const RuleInfo& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.field.empty() || rule.summary.empty() || rule.hint.empty()) << rule.id;
    EXPECT_EQ(rule.id.starts_with("HX"), rule.error_under_strict) << rule.id;
  }
  EXPECT_EQ(InfoOf(Rule::kOH_4).id, "OH-4");
  EXPECT_EQ(InfoOf(Rule::kHX_3a).id, "HX-3a");
}

TEST(ValidTraces, BaseFilesAndTheSmallestAreValid) {
  for (const char letter : {'A', 'B', 'C', 'D'}) EXPECT_TRUE(Validated(BaseTrace(letter)).valid());
  EXPECT_TRUE(Validated(kTinyHeader).valid());
}

TEST(ValidTraces, ReportCountsOpsStreamsAndPartialReads) {
  const ValidationReport report = Validated(BaseTrace('B'));

  EXPECT_EQ(report.ops, 6U);
  EXPECT_EQ(report.streams, 1U);
  EXPECT_EQ(report.partial_reads, 2U);
}

TEST(ValidTraces, MembersOfAHeaderMayBeInAnyOrder) {
  const std::string text =
      "{\"summary\":{\"duration_ns\":2,\"num_ops\":3,\"num_streams\":1,\"total_bytes\":9,"
      "\"num_groups\":0},\"targets\":[{\"size\":0,\"kind\":\"file\",\"name\":\"a\",\"id\":0}],"
      "\"capture_limitations\":\"x\",\"capture_method\":\"python-io-hooks\",\"scrubbed\":false,"
      "\"time_unit\":\"ns\",\"kind\":\"captured\",\"ioflux_trace_version\":1}\n"
      "{\"op\":\"OPEN\",\"mode\":\"r\",\"h\":0,\"tgt\":0,\"s\":0,\"op_id\":0,\"t\":0}\n"
      "{\"op\":\"READ\",\"len\":9,\"off\":0,\"h\":0,\"s\":0,\"op_id\":1,\"t\":1}\n"
      "{\"op\":\"CLOSE\",\"h\":0,\"s\":0,\"op_id\":2,\"t\":2}\n";
  const ValidationReport report = Validated(text, /*strict=*/true);
  EXPECT_EQ(report.errors + report.warnings, 0U);
}

TEST(OpIds, FirstLineIsNamedWhateverTheOrder) {
  const std::string rising = TraceOf({Stat(0), Stat(1), Stat(2), Stat(1, 5)});
  EXPECT_THAT(OnlyText(Validated(rising)), HasSubstr("line 3"));

  const std::string gaps = TraceOf({Stat(0), Stat(10), Stat(20), Stat(30), Stat(20, 5)});
  EXPECT_THAT(OnlyText(Validated(gaps)), HasSubstr("line 4"));

  const std::string late = TraceOf({Stat(100), Stat(50, 1), Stat(51, 1), Stat(50, 2)});
  EXPECT_THAT(OnlyText(Validated(late)), HasSubstr("line 3"));
}

TEST(OpIds, TwoGroupsOfAStreamAreOrderedApart) {
  Op second_group = Stat(9);
  second_group.SetGroup(2);
  EXPECT_TRUE(Validated(TraceOf({Stat(10), second_group, Stat(11)})).valid());

  Op same_group = Stat(8);
  same_group.SetGroup(2);
  EXPECT_EQ(RulesOf(Validated(TraceOf({Stat(10), second_group, same_group})), Severity::kError),
            "OI-4");
}

TEST(OpIds, AnOutOfOrderIdIsTheNewBase) {
  EXPECT_EQ(RulesOf(Validated(TraceOf({Stat(5), Stat(2), Stat(3)})), Severity::kError), "OI-4");
}

TEST(OpIds, ExtremesAreOrderedRight) {
  EXPECT_TRUE(Validated(TraceOf({Stat(0), Stat(INT64_MAX - 1), Stat(INT64_MAX)})).valid());
  EXPECT_EQ(RulesOf(Validated(TraceOf({Stat(INT64_MAX), Stat(INT64_MIN)})), Severity::kError),
            "OI-2 OI-4");
  EXPECT_EQ(RulesOf(Validated(TraceOf({Stat(INT64_MIN), Stat(INT64_MIN + 1)})), Severity::kError),
            "OI-2 OI-2");
}

TEST(Handles, ClosedNeverOpenedAndReusedAreToldApart) {
  const std::vector<Op> ops = {OnHandle(OpKind::kOPEN, 0, 7), OnHandle(OpKind::kCLOSE, 1, 7),
                               OnHandle(OpKind::kREAD, 2, 7), OnHandle(OpKind::kREAD, 3, 8),
                               OnHandle(OpKind::kOPEN, 4, 7)};

  const ValidationReport report = Validated(TraceOf(ops));

  EXPECT_EQ(RulesOf(report, Severity::kError), "OH-5 OH-4 OH-2");
  EXPECT_THAT(report.findings[0].text, HasSubstr("opened on line 2"));
  EXPECT_THAT(report.findings[2].text, HasSubstr("line 2"));
}

TEST(Handles, AnyNumberWillDo) {
  for (const std::int64_t handle :
       {std::int64_t{0}, std::int64_t{255}, std::int64_t{16'777'215}, std::int64_t{16'777'216},
        INT64_MAX, std::int64_t{-1}, INT64_MIN}) {
    const std::string text =
        TraceOf({OnHandle(OpKind::kOPEN, 0, handle), OnHandle(OpKind::kREAD, 1, handle),
                 OnHandle(OpKind::kCLOSE, 2, handle)});
    EXPECT_TRUE(Validated(text).valid()) << handle;
  }
}

TEST(Handles, NeverClosedOnesAreListedByNumber) {
  const ValidationReport report =
      Validated(TraceOf({OnHandle(OpKind::kOPEN, 0, INT64_MAX), OnHandle(OpKind::kOPEN, 1, 300),
                         OnHandle(OpKind::kOPEN, 2, 2), OnHandle(OpKind::kOPEN, 3, 999'999'999)}));

  ASSERT_EQ(report.warnings, 4U);
  EXPECT_THAT(report.findings[0].text, HasSubstr("handle 2, opened on line 4"));
  EXPECT_THAT(report.findings[1].text, HasSubstr("handle 300,"));
  EXPECT_THAT(report.findings[2].text, HasSubstr("handle 999999999,"));
  EXPECT_THAT(report.findings[3].text, HasSubstr("handle 9223372036854775807,"));
}

TEST(Handles, OpenOfNothingMakesNone) {
  Op open = OnHandle(OpKind::kOPEN, 0, 5);
  open.SetTarget(9);
  const ValidationReport report =
      Validated(TraceOf({open, OnHandle(OpKind::kOPEN, 1, 5), OnHandle(OpKind::kCLOSE, 2, 5)}));

  EXPECT_EQ(RulesOf(report, Severity::kError), "OG-2");
}

TEST(Handles, OpenWithAnotherFaultStillMakesOne) {
  Op open = OnHandle(OpKind::kOPEN, 0, 5);
  open.mode = OpenMode::kNone;
  open.SetOffset(1);
  const ValidationReport report = Validated(TraceOf({open, OnHandle(OpKind::kCLOSE, 1, 5)}));

  EXPECT_EQ(RulesOf(report, Severity::kError), "OM-3 OP-3");
}

TEST(Kinds, TargetOpsNeedNoOpen) {
  std::vector<Op> ops;
  for (const OpKind kind :
       {OpKind::kSTAT, OpKind::kHEAD, OpKind::kPUT, OpKind::kGET, OpKind::kDELETE}) {
    Op op = Stat(static_cast<std::int64_t>(ops.size()));
    op.kind = kind;
    if (InfoOf(kind).length == Presence::kRequired) op.SetLength(3);
    if (InfoOf(kind).offset == Presence::kRequired) op.SetOffset(0);
    ops.push_back(op);
  }
  EXPECT_TRUE(Validated(TraceOf(ops), /*strict=*/true).valid());
}

TEST(PartialReads, UnknownKindIsNotCounted) {
  Op op = Stat(0);
  op.kind = OpKind::kUnknown;
  op.kind_text = "FRUNGE";
  op.SetReturned(5);
  const ValidationReport report = Validated(TraceOf({op}));
  EXPECT_EQ(report.partial_reads, 0U);
}

TEST(Suggestions, NearestWordIsNamed) {
  Op op = Stat(0);
  op.kind = OpKind::kUnknown;
  op.kind_text = "stat";
  EXPECT_THAT(Validated(TraceOf({op})).findings.at(0).text, HasSubstr("did you mean 'STAT'"));
}

TEST(Texts, OfTheTraceAreEscapedAndCut) {
  Op op = Stat(0);
  op.kind = OpKind::kUnknown;
  op.kind_text = "\x1b[2J" + std::string(500, 'x');

  const std::string text = Validated(TraceOf({op})).findings.at(0).text;

  EXPECT_THAT(text, HasSubstr("\\u001b[2J"));
  EXPECT_LT(text.size(), 300U);
}

TEST(Report, KeepsTheFirstOfEachSeverityAndCountsAll) {
  std::vector<Op> ops;
  for (std::int64_t i = 0; i < 50; ++i) {
    Op op = Stat(i);
    op.stream = -1;
    op.SetOffset(0);
    ops.push_back(op);
  }
  const Result<ValidationReport> result = ValidateBytes(TraceOf(ops), "x", {.max_findings = 3});
  ASSERT_TRUE(result.ok());
  const ValidationReport& report = result.value();

  EXPECT_EQ(report.errors, 50U);
  EXPECT_EQ(report.warnings, 50U);
  EXPECT_EQ(RulesOf(report, Severity::kError), "OP-3 OP-3 OP-3");
  EXPECT_EQ(RulesOf(report, Severity::kWarning, /*with_further=*/true), "HX-3e HX-3e HX-3e");
  EXPECT_EQ(report.rule_counts.at(static_cast<std::size_t>(Rule::kOP_3)), 50U);
}

TEST(Report, NamesTheByteWhereTheLineStarts) {
  const std::string text = EditedTrace('A', {{6, "\"op\":\"STAT\"", "\"op\":\"Stat\""}});
  const ValidationReport report = Validated(text);
  EXPECT_EQ(report.findings.at(0).byte_offset, text.find("{\"t\":2000"));
}

TEST(Scale, ManyHandlesAreToldApartToTheEnd) {
  TraceValidator validator({});
  TraceHeader header;
  header.targets.resize(1);
  header.targets[0].name = "a";
  TraceReader::HeaderPresence presence;
  presence.targets = presence.summary = true;
  presence.summary_counters.fill(true);
  validator.OnHeader(header, presence);
  std::uint64_t line = 1;
  std::int64_t op_id = 0;
  constexpr std::int64_t kHandles = 200'000;
  for (std::int64_t handle = 0; handle < kHandles; ++handle) {
    validator.OnOp(OnHandle(OpKind::kOPEN, op_id++, handle), ++line);
    validator.OnOp(OnHandle(OpKind::kCLOSE, op_id++, handle), ++line);
  }
  const std::uint64_t before = validator.error_count();
  validator.OnOp(OnHandle(OpKind::kREAD, op_id++, 123'456), ++line);
  validator.OnOp(OnHandle(OpKind::kOPEN, op_id++, 199'999), ++line);

  EXPECT_EQ(before, 0U);
  const ValidationReport report = validator.Finish();
  EXPECT_EQ(report.rule_counts.at(static_cast<std::size_t>(Rule::kOH_5)), 1U);
  EXPECT_EQ(report.rule_counts.at(static_cast<std::size_t>(Rule::kOH_2)), 1U);
}

}  // namespace
}  // namespace ioflux
