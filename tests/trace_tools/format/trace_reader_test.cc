// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/sha256.h"
#include "tests/trace_tools/format/trace_text.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- the base files ----------------------------------------------------------------------------

TEST(BaseFiles, AreTheOnesOfTheFormatDocument) {
  EXPECT_EQ(DigestOfBytes(BaseTrace('A')),
            "sha256:e4444bd94a0988a5123d3bd3833effb1a65bc12f019e2303907378f7c69e0cb8");
  EXPECT_EQ(DigestOfBytes(BaseTrace('B')),
            "sha256:89de2dcd423523975379a9d5acc2ded661238e734c4f9bf7f188d4e0afb31bf1");
  EXPECT_EQ(DigestOfBytes(BaseTrace('C')),
            "sha256:95c82e31b5fffab316f19fe1bcfb1d67703b6d2dcab5ac430cffadba2d0e8434");
  EXPECT_EQ(DigestOfBytes(BaseTrace('D')),
            "sha256:b01d752861df63f34ddbaf74b21282525333d16bcb1529deb55dddade5644e55");
}

TEST(BaseFiles, ReadAndWrittenAgainAreTheSameBytes) {
  for (const char letter : {'A', 'B', 'C', 'D'}) {
    for (const bool use_canonical_scanner : {true, false}) {
      const std::string text = BaseTrace(letter);
      const ReadTrace trace = ReadText(text, {.use_canonical_scanner = use_canonical_scanner});
      ASSERT_EQ(trace.error, "");

      std::string again;
      AppendHeaderLine(again, trace.header);
      for (const Op& op : trace.ops) AppendOpLine(again, op);

      EXPECT_EQ(again, text) << letter;
    }
  }
}

TEST(TraceReader, ReadsTheHeaderOfBaseC) {
  const TraceHeader header = ReadText(BaseTrace('C')).header;

  EXPECT_EQ(header.version, 3);
  EXPECT_EQ(header.kind, "imported");
  EXPECT_EQ(header.capture_method, "import:strace");
  EXPECT_TRUE(header.scrubbed);
  ASSERT_EQ(header.targets.size(), 1U);
  EXPECT_EQ(header.targets[0].name, "/data/s0.bin");
  EXPECT_EQ(header.targets[0].size_bytes, 300000);
  EXPECT_EQ(header.summary.num_partial_reads, 2);
  ASSERT_EQ(header.transformations.size(), 1U);
  EXPECT_EQ(header.transformations[0].params.at("block"), "65536");
  EXPECT_EQ(header.transformations[0].applied_utc, "2026-01-02T03:04:05Z");
}

TEST(TraceReader, ReadsTheOpsOfBaseA) {
  const ReadTrace trace = ReadText(BaseTrace('A'));

  ASSERT_EQ(trace.ops.size(), 9U);
  EXPECT_THAT(trace.lines, ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10));
  const Op& open = trace.ops[1];
  EXPECT_EQ(open.kind, OpKind::kOPEN);
  EXPECT_EQ(open.stream, 7);
  EXPECT_EQ(open.mode, OpenMode::kReadWrite);
  EXPECT_THAT(open.flags, ElementsAre("create", "trunc", "sync"));
  const Op& write = trace.ops[3];
  EXPECT_EQ(write.kind, OpKind::kWRITE);
  EXPECT_TRUE(write.Has(OpField::kOffset));
  EXPECT_EQ(write.offset, 0);
  EXPECT_EQ(write.length_bytes, 4096);
  EXPECT_EQ(write.duration_ns, 900);
  EXPECT_FALSE(write.Has(OpField::kTarget));
  EXPECT_FALSE(write.Has(OpField::kReturned));
}

TEST(TraceReader, LineOffsetIsWhereTheLineStarts) {
  const std::string text = BaseTrace('A');
  Result<TraceReader> reader = TraceReader::FromBytes(text, "a", {});
  ASSERT_TRUE(reader.ok());
  Op op;

  ASSERT_TRUE(reader.value().Next(op).ok());
  ASSERT_TRUE(reader.value().Next(op).ok());

  const std::size_t third_line = text.find('\n', text.find('\n') + 1) + 1;
  EXPECT_EQ(reader.value().line_offset(), third_line);
}

// --- framing -----------------------------------------------------------------------------------

TEST(Framing, EmptyInputIsAHeaderProblem) {
  const ReadTrace trace = ReadText("");

  EXPECT_THAT(trace.error, HasSubstr("empty"));
  EXPECT_EQ(trace.error_line, 1U);
}

TEST(Framing, BlankFirstLineIsAHeaderProblem) {
  for (const char* first : {"\n", " \t\n", "\r\n", "\u00A0\n"}) {
    const ReadTrace trace = ReadText(std::string(first) + BaseTrace('A'));
    EXPECT_NE(trace.error, "") << first;
    EXPECT_EQ(trace.error_line, 1U);
  }
}

TEST(Framing, ByteOrderMarkIsAHeaderProblem) {
  const ReadTrace trace = ReadText("\xEF\xBB\xBF" + BaseTrace('A'));
  EXPECT_THAT(trace.error, HasSubstr("byte order mark"));
}

TEST(Framing, HeaderAloneIsATraceWithoutOps) {
  EXPECT_EQ(ReadText(kTinyHeader).error, "");
  EXPECT_EQ(ReadText(kTinyHeader.substr(0, kTinyHeader.size() - 1)).error, "");
}

TEST(Framing, LastLineMayLackItsLf) {
  const std::string text = BaseTrace('A');
  const ReadTrace trace = ReadText(text.substr(0, text.size() - 1));

  EXPECT_EQ(trace.error, "");
  EXPECT_EQ(trace.ops.size(), 9U);
}

TEST(Framing, CarriageReturnBeforeTheLfIsDropped) {
  for (const bool use_canonical_scanner : {true, false}) {
    std::string text;
    for (const std::string& line : LinesOf(BaseTrace('A'))) text += line + "\r\n";

    const ReadTrace trace = ReadText(text, {.use_canonical_scanner = use_canonical_scanner});

    EXPECT_EQ(trace.error, "");
    EXPECT_EQ(trace.ops.size(), 9U);
  }
}

TEST(Framing, BlankLinesAreSkippedButCounted) {
  const std::string op = "{\"t\":0,\"s\":0,\"op\":\"STAT\"}\n";
  const ReadTrace trace = ReadText(std::string(kTinyHeader) + "\n" + op + " \t\v\f\r\n" + op);

  EXPECT_EQ(trace.error, "");
  EXPECT_THAT(trace.lines, ElementsAre(3, 5));
}

TEST(Framing, UnicodeWhiteSpaceIsBlank) {
  for (const char* blank : {"\u0085", "\u00A0", "\u1680", "\u2000", "\u2005\u200A", "\u2028",
                            "\u2029", "\u202F", "\u205F", "\u3000", " \u3000\t"}) {
    EXPECT_EQ(ReadOpLine(std::string(blank) + "\n").error, "") << blank;
  }
}

TEST(Framing, OtherInvisibleTextIsNotBlank) {
  for (const char* not_blank : {"\u200B", "\uFEFF", "\x85", "\xA0", "\x1c", "\u180E", "\x08"}) {
    EXPECT_NE(ReadOpLine(std::string(not_blank) + "\n").error, "") << not_blank;
  }
}

TEST(Framing, TextWithoutJsonNamesItsLine) {
  EXPECT_EQ(ReadText("not json").error_line, 1U);

  const ReadTrace trace =
      ReadText(std::string(kTinyHeader) + "{\"t\":0,\"s\":0,\"op\":\"STAT\"}\nnot json\n");
  EXPECT_EQ(trace.ops.size(), 1U);
  EXPECT_EQ(trace.error_line, 3U);
}

// --- the length of a line ----------------------------------------------------------------------

// An op line of exactly `bytes` bytes, made long by blanks.
std::string PaddedOp(std::size_t bytes) {
  const std::string op = "{\"t\":5,\"s\":0,\"op\":\"STAT\"}";
  return op + std::string(bytes - op.size(), ' ');
}

TEST(LineLength, LongestLineIsReadAlsoWithoutItsLf) {
  const std::string longest = PaddedOp(kMaxLineBytes);
  EXPECT_EQ(ReadOpLine(longest + "\n").ops.size(), 1U);
  EXPECT_EQ(ReadOpLine(longest).ops.size(), 1U);

  const ReadTrace trace = ReadOpLine(longest + "\n" + longest + "\n" + PaddedOp(100) + "\n");
  EXPECT_EQ(trace.error, "");
  EXPECT_THAT(trace.lines, ElementsAre(2, 3, 4));
}

TEST(LineLength, OneByteMoreIsFatal) {
  const std::string too_long = PaddedOp(kMaxLineBytes + 1);
  for (const std::string& text : {too_long + "\n", too_long, PaddedOp(kMaxLineBytes) + "\r\n"}) {
    const ReadTrace trace = ReadOpLine(text);
    EXPECT_THAT(trace.error, HasSubstr("longer than 16777215 bytes"));
    EXPECT_EQ(trace.error_line, 2U);
  }
}

TEST(LineLength, HeaderHasTheSameLimit) {
  const std::string header(kTinyHeader.substr(0, kTinyHeader.size() - 1));
  const std::string longest = header + std::string(kMaxLineBytes - header.size(), ' ');

  EXPECT_EQ(ReadText(longest + "\n").error, "");
  EXPECT_THAT(ReadText(longest + " \n").error, HasSubstr("longer than"));
}

TEST(LineLength, LinesAcrossTheEndOfTheBufferAreRead) {
  for (const bool use_canonical_scanner : {true, false}) {
    std::string text(kTinyHeader);
    std::size_t lines = 0;
    while (text.size() < (std::size_t{5} << 20)) {
      text += "{\"t\":" + std::to_string(lines++) + ",\"s\":0,\"op\":\"STAT\",\"tgt\":0}\n";
      if (lines % 9 == 0) text += std::string(lines % 2000, ' ') + "\n";
    }

    Result<TraceReader> reader =
        TraceReader::FromBytes(text, "t", {.use_canonical_scanner = use_canonical_scanner});
    ASSERT_TRUE(reader.ok());
    Op op;
    std::size_t read = 0;
    for (;; ++read) {
      const Result<bool> next = reader.value().Next(op);
      ASSERT_TRUE(next.ok()) << next.error().what;
      if (!next.value()) break;
      ASSERT_EQ(op.t_ns, static_cast<std::int64_t>(read));
    }
    EXPECT_EQ(read, lines);
  }
}

// --- what makes an op line fatal ---------------------------------------------------------------

TEST(FatalOpLine, EachOfTheseIsFatal) {
  const std::string deep_array(10'000, '[');
  const std::string cases[] = {
      "not json",
      "{",
      "{\"t\":0",
      "{\"t\":0}}",
      "{\"t\":0}{\"t\":0}",
      "{\"t\":0} x",
      "{\"t\":0},",
      "{\"t\":0,}",
      "{t:0}",
      "{'t':0}",
      "[]",
      "\"text\"",
      "5",
      "true",
      "nul",
      "{\"t\":\"0\"}",
      "{\"t\":true}",
      "{\"t\":{}}",
      "{\"t\":[]}",
      "{\"len\":1.0}",
      "{\"len\":1e3}",
      "{\"len\":1E3}",
      "{\"len\":0.5}",
      "{\"len\":-0.0}",
      "{\"len\":01}",
      "{\"len\":+1}",
      "{\"len\":0x10}",
      "{\"len\":.5}",
      "{\"len\":NaN}",
      "{\"len\":1e}",
      "{\"off\":9223372036854775808}",
      "{\"off\":-9223372036854775809}",
      "{\"off\":18446744073709551616}",
      "{\"off\":1" + std::string(400, '0') + "}",
      "{\"off\":1e999}",
      "{\"op\":5}",
      "{\"op\":[\"READ\"]}",
      "{\"mode\":1}",
      "{\"flags\":\"seq\"}",
      "{\"flags\":[1]}",
      "{\"flags\":[[\"seq\"]]}",
      "{\"flags\":{}}",
      "{\"t\":\"x\",\"t\":1}",
      "{\"op\":\"a\nb\"}",
      "{\"op\":\"a\tb\"}",
      std::string("{\"op\":\"a\0b\"}", 12),
      std::string("{\"t\":0}\0", 8),
      std::string("\0", 1),
      "{\"op\":\"\\x\"}",
      "{\"op\":\"\\u12\"}",
      "{\"op\":\"\\ud8\"}",
      "{\"op\":\"open",
      "{\"x\":1e5e5,\"y\":\"\\ud800\"}",
      "{\"x\":1.,\"y\":1e999}",
      "{\"x\":" + deep_array + std::string(10'000, ']') + "}",
      "{\"x\":" + std::string(100'000, '['),
      std::string(100'000, '['),
  };
  for (const std::string& line : cases) {
    for (const bool use_canonical_scanner : {true, false}) {
      const ReadTrace trace = ReadOpLine(line + "\n", use_canonical_scanner);
      EXPECT_NE(trace.error, "") << line.substr(0, 80);
      EXPECT_EQ(trace.error_line, 2U) << line.substr(0, 80);
      EXPECT_TRUE(trace.ops.empty()) << line.substr(0, 80);
    }
  }
}

TEST(FatalOpLine, MessageNamesMemberAndValue) {
  EXPECT_THAT(ReadOpLine("{\"len\":1e3}").error,
              HasSubstr("len must be a whole number within 64 bits, not 1e3"));
  EXPECT_THAT(ReadOpLine("{\"len\":\"64\"}").error, HasSubstr("not a string"));
  EXPECT_THAT(ReadOpLine("{\"len\":1e999}").error, HasSubstr("not a number"));
  EXPECT_THAT(ReadOpLine("{\"t\":0}}").error, HasSubstr("column 8"));
}

// --- what is accepted --------------------------------------------------------------------------

Op OnlyOp(const std::string& line) {
  const ReadTrace trace = ReadOpLine(line + "\n");
  EXPECT_EQ(trace.error, "") << line.substr(0, 80);
  EXPECT_EQ(trace.ops.size(), 1U) << line.substr(0, 80);
  return trace.ops.empty() ? Op{} : trace.ops.front();
}

TEST(AcceptedOpLine, NullIsAnEmptyObject) {
  for (const char* line : {"null", "{}", " null ", "\t{ }\r"}) {
    const Op op = OnlyOp(line);
    EXPECT_EQ(op.present, 0) << line;
    EXPECT_EQ(op.kind, OpKind::kUnknown) << line;
    EXPECT_EQ(op.kind_text, "") << line;
  }
}

TEST(AcceptedOpLine, NullMemberIsAbsent) {
  const Op op = OnlyOp(
      "{\"t\":null,\"op_id\":null,\"s\":null,\"op\":null,\"group\":null,\"tgt\":null,\"h\":null,"
      "\"mode\":null,\"flags\":null,\"off\":null,\"len\":null,\"ret\":null,\"dur\":null}");

  EXPECT_EQ(op.present, 0);
  EXPECT_EQ(op.kind, OpKind::kUnknown);
  EXPECT_EQ(op.mode, OpenMode::kNone);
  EXPECT_TRUE(op.flags.empty());
}

TEST(AcceptedOpLine, MinusZeroIsZero) {
  const Op op = OnlyOp("{\"t\":-0,\"off\":-0}");
  EXPECT_EQ(op.t_ns, 0);
  EXPECT_TRUE(op.Has(OpField::kOffset));
}

TEST(AcceptedOpLine, WholeRangeOf64BitsIsRead) {
  const Op op = OnlyOp("{\"t\":-9223372036854775808,\"s\":9223372036854775807}");
  EXPECT_EQ(op.t_ns, INT64_MIN);
  EXPECT_EQ(op.stream, INT64_MAX);
}

TEST(AcceptedOpLine, LongNumbersInCanonicalFormAreReadOrFatalAsInAnyOther) {
  const auto line = [](const std::string& number) {
    return "{\"t\":" + number + ",\"s\":0,\"op\":\"STAT\"}";
  };
  for (const char* good : {"999999999999999999", "1000000000000000000", "9223372036854775807",
                           "-9223372036854775807", "-9223372036854775808", "-0"}) {
    EXPECT_EQ(std::to_string(OnlyOp(line(good)).t_ns), good == std::string("-0") ? "0" : good);
  }
  for (const char* bad : {"9223372036854775808", "9999999999999999999", "18446744073709551616",
                          "18446744073709551617", "-9223372036854775809",
                          "100000000000000000000000000000000000001", "00", "01", "-01", "-"}) {
    EXPECT_NE(ReadOpLine(line(bad) + "\n").error, "") << bad;
  }
}

TEST(AcceptedOpLine, LastOfTwoMembersWins) {
  const Op op = OnlyOp(
      "{\"t\":1,\"t\":2,\"op\":\"READ\",\"op\":\"STAT\",\"h\":5,\"h\":null,"
      "\"flags\":[\"a\",\"b\"],\"flags\":[\"c\"],\"mode\":\"r\",\"mode\":\"x\"}");

  EXPECT_EQ(op.t_ns, 2);
  EXPECT_EQ(op.kind, OpKind::kSTAT);
  EXPECT_FALSE(op.Has(OpField::kHandle));
  EXPECT_THAT(op.flags, ElementsAre("c"));
  EXPECT_EQ(op.mode, OpenMode::kUnknown);
  EXPECT_EQ(op.mode_text, "x");
}

TEST(AcceptedOpLine, UnknownMembersAreIgnoredWhateverTheyHold) {
  for (const char* value : {"1", "-1.5e-7", "1e999", "1e-999", "99999999999999999999999", "\"x\"",
                            "true", "null", "{}", "[]", "{\"t\":7,\"op\":[{\"s\":\"no\"}]}",
                            "[1,[2,{\"len\":\"x\"}],\"\\ud800\"]", "\"\\ud83d\\ude00\\uDC00\""}) {
    const Op op = OnlyOp("{\"x\":" + std::string(value) +
                         ",\"t\":3,\"T\":4,\"Op_ID\":5,\"y\":" + value + "}");
    EXPECT_EQ(op.t_ns, 3) << value;
    EXPECT_FALSE(op.Has(OpField::kOpId)) << value;
  }
}

TEST(AcceptedOpLine, AnyEscapeSpellsAMemberOrWord) {
  const Op op =
      OnlyOp("{\"\\u0074\":9,\"op\":\"\\u0052EAD\",\"flags\":[\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"]}");

  EXPECT_EQ(op.t_ns, 9);
  EXPECT_EQ(op.kind, OpKind::kREAD);
  EXPECT_THAT(op.flags, ElementsAre("/\b\f\n\r\t\"\\"));
}

TEST(AcceptedOpLine, TextThatIsNoUnicodeIsReplaced) {
  const std::pair<const char*, const char*> cases[] = {
      {"\\ud800", "\uFFFD"},
      {"\\udc00", "\uFFFD"},
      {"\\udc00\\ud800", "\uFFFD\uFFFD"},
      {"\\ud800\\u0041", "\uFFFDA"},
      {"\\ud800\\ud83d\\ude00", "\uFFFD\U0001F600"},
      {"\\ud800x\\n", "\uFFFDx\n"},
      {"\\\\ud800\\ud800", "\\ud800\uFFFD"},
      {"\\uD83D\\uDE00", "\U0001F600"},
      {"a\xFFz", "a\uFFFDz"},
      {"\xC3", "\uFFFD"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xF0\x9F\x98", "\uFFFD\uFFFD\uFFFD"},
      {"\\ud800\xFF", "\uFFFD\uFFFD"},
      {"\x7f", "\x7f"},
      {"\\u0000", "?"},
  };
  for (const auto& [written, expected] : cases) {
    const Op op = OnlyOp("{\"op\":\"" + std::string(written) + "\"}");
    const std::string want =
        std::string_view(written) == "\\u0000" ? std::string(1, '\0') : std::string(expected);
    EXPECT_EQ(op.kind_text, want) << written;
  }
}

TEST(AcceptedOpLine, NullInFlagsIsAnEmptyWord) {
  EXPECT_THAT(OnlyOp("{\"flags\":[null,\"seq\"]}").flags, ElementsAre("", "seq"));
}

TEST(AcceptedOpLine, EmptyModeAndFlagsAreAbsent) {
  const Op op = OnlyOp("{\"mode\":\"\",\"flags\":[]}");
  EXPECT_EQ(op.mode, OpenMode::kNone);
  EXPECT_TRUE(op.flags.empty());
}

TEST(AcceptedOpLine, NestingToTenThousandLevelsIsRead) {
  const std::string open(9'999, '[');
  const std::string close(9'999, ']');
  EXPECT_EQ(OnlyOp("{\"x\":" + open + close + ",\"t\":4}").t_ns, 4);
}

TEST(AcceptedOpLine, MembersOfAnEarlierLineDoNotStay) {
  const ReadTrace trace = ReadOpLine(
      "{\"t\":1,\"op_id\":1,\"s\":1,\"op\":\"OPEN\",\"group\":1,\"tgt\":1,\"h\":1,\"mode\":\"r\","
      "\"flags\":[\"seq\"],\"off\":1,\"len\":1,\"ret\":1,\"dur\":1}\n"
      "{\"t\":0,\"s\":0,\"op\":\"STAT\"}\n"
      "{\"op\":\"odd\",\"mode\":\"odd\"}\n"
      "{\"t\":0,\"s\":0,\"op\":\"STAT\"}\n");

  ASSERT_EQ(trace.ops.size(), 4U);
  for (const std::size_t index : {1U, 3U}) {
    const Op& op = trace.ops[index];
    EXPECT_EQ(op.present, static_cast<int>(OpField::kTime) | static_cast<int>(OpField::kStream));
    EXPECT_EQ(op.op_id + op.group + op.target + op.handle + op.offset, 0);
    EXPECT_EQ(op.length_bytes + op.returned_bytes + op.duration_ns, 0);
    EXPECT_EQ(op.mode, OpenMode::kNone);
    EXPECT_TRUE(op.flags.empty());
    EXPECT_EQ(op.kind_text + op.mode_text, "");
  }
}

// --- the header --------------------------------------------------------------------------------

TEST(FatalHeader, EachOfTheseIsFatal) {
  const char* const cases[] = {
      "not json",
      "[]",
      "5",
      "{\"ioflux_trace_version\":\"1\"}",
      "{\"ioflux_trace_version\":1.0}",
      "{\"kind\":5}",
      "{\"scrubbed\":\"no\"}",
      "{\"scrubbed\":0}",
      "{\"targets\":{}}",
      "{\"targets\":\"x\"}",
      "{\"targets\":[5]}",
      "{\"targets\":[[]]}",
      "{\"targets\":[{\"id\":\"0\"}]}",
      "{\"targets\":[{\"name\":0}]}",
      "{\"targets\":[{\"kind\":{}}]}",
      "{\"targets\":[{\"size\":\"65536\"}]}",
      "{\"summary\":[]}",
      "{\"summary\":5}",
      "{\"summary\":{\"num_ops\":1.5}}",
      "{\"transformations\":{}}",
      "{\"transformations\":[1]}",
      "{\"transformations\":[{\"kind\":1}]}",
      "{\"transformations\":[{\"params\":[]}]}",
      "{\"transformations\":[{\"params\":{\"a\":1}}]}",
      "{\"transformations\":[{\"params\":{\"a\":{}}}]}",
  };
  for (const char* line : cases) {
    const ReadTrace trace = ReadText(line);
    EXPECT_NE(trace.error, "") << line;
    EXPECT_EQ(trace.error_line, 1U) << line;
  }
}

TEST(AcceptedHeader, NullIsAnEmptyObject) {
  const ReadTrace trace = ReadText("null\n");

  EXPECT_EQ(trace.error, "");
  EXPECT_EQ(trace.header.version, 0);
  EXPECT_EQ(trace.header.kind + trace.header.time_unit, "");
  EXPECT_FALSE(trace.presence.targets);
  EXPECT_FALSE(trace.presence.summary);
}

TEST(AcceptedHeader, PresenceTellsAbsentFromNull) {
  const TraceReader::HeaderPresence null_both =
      ReadText("{\"targets\":null,\"summary\":null,\"scrubbed\":null}").presence;
  EXPECT_TRUE(null_both.targets && null_both.targets_null);
  EXPECT_TRUE(null_both.summary && null_both.summary_null);
  EXPECT_FALSE(null_both.scrubbed);

  const TraceReader::HeaderPresence some =
      ReadText(
          "{\"targets\":[],\"summary\":{\"num_ops\":0,\"total_bytes\":0,\"num_groups\":null},"
          "\"scrubbed\":false}")
          .presence;
  EXPECT_TRUE(some.targets && !some.targets_null && some.summary && !some.summary_null);
  EXPECT_THAT(some.summary_counters, ElementsAre(true, false, false, true, false));
  EXPECT_TRUE(some.scrubbed);
}

TEST(AcceptedHeader, MembersMayBeInAnyOrderAndUnknownOnesAreIgnored) {
  const ReadTrace trace = ReadText(
      "{ \"summary\" : {\"x\":[{\"num_ops\":3}],\"num_ops\":4}, \"new\":{\"kind\":1}, "
      "\"targets\": [ {\"size\":5,\"extra\":[1],\"kind\":\"file\",\"name\":\"n\",\"id\":0}, null ],"
      "\"transformations\":[null,{\"params\":{\"b\":\"1\",\"a\":null},\"when\":1}],"
      "\"kind\":\"synthetic\" }");

  ASSERT_EQ(trace.error, "");
  EXPECT_EQ(trace.header.summary.num_ops, 4);
  ASSERT_EQ(trace.header.targets.size(), 2U);
  EXPECT_EQ(trace.header.targets[0].name, "n");
  EXPECT_EQ(trace.header.targets[1].kind, "");
  ASSERT_EQ(trace.header.transformations.size(), 2U);
  EXPECT_EQ(trace.header.transformations[1].params.at("a"), "");
  EXPECT_EQ(trace.header.kind, "synthetic");
}

TEST(AcceptedHeader, LastOfTwoMembersWins) {
  const ReadTrace trace = ReadText(
      "{\"targets\":[{\"id\":1},{\"id\":2}],\"summary\":{\"num_ops\":1,\"num_groups\":5},"
      "\"targets\":[{\"id\":3}],\"summary\":{\"num_ops\":2},\"scrubbed\":true,\"scrubbed\":false}");

  ASSERT_EQ(trace.error, "");
  ASSERT_EQ(trace.header.targets.size(), 1U);
  EXPECT_EQ(trace.header.targets[0].id, 3);
  EXPECT_EQ(trace.header.summary.num_ops, 2);
  EXPECT_EQ(trace.header.summary.num_groups, 0);
  EXPECT_THAT(trace.presence.summary_counters, ElementsAre(true, false, false, false, false));
  EXPECT_FALSE(trace.header.scrubbed);
}

std::string NameOfOnlyTarget(const std::string& members) {
  const ReadTrace trace = ReadText("{\"targets\":[{" + members + "}]}");
  EXPECT_EQ(trace.error, "");
  return trace.header.targets.empty() ? "" : trace.header.targets[0].name;
}

TEST(NameRaw, RestoresTheBytesOfANameThatIsNotUtf8) {
  EXPECT_EQ(NameOfOnlyTarget("\"name\":\"d/\\ufffd.bin\",\"name_raw\":\"ZC//LmJpbg==\""),
            "d/\xff.bin");
  EXPECT_EQ(NameOfOnlyTarget("\"name_raw\":\"ZC//LmJpbg==\",\"name\":\"d/\\ufffd.bin\""),
            "d/\xff.bin");
}

TEST(NameRaw, IsIgnoredUnlessItSpellsTheName) {
  for (const char* raw :
       {"\"not base64\"", "\"QUJD\"", "\"ZC//LmJpbg=\"", "5", "null", "{}", "\"\""}) {
    EXPECT_EQ(NameOfOnlyTarget("\"name\":\"other\",\"name_raw\":" + std::string(raw)), "other");
  }
  EXPECT_EQ(NameOfOnlyTarget("\"name\":\"ABC\",\"name_raw\":\"ZC//LmJpbg==\""), "ABC");
}

// --- sources -----------------------------------------------------------------------------------

TEST(TraceReader, MissingFileIsAnIoError) {
  const Result<TraceReader> reader = TraceReader::Open("/nonexistent/x.ioflux");
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
