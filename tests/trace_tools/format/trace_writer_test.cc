// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_writer.h"

#include <gtest/gtest.h>

#include "trace_tools/format/base64.h"

namespace ioflux {
namespace {

std::string LineOf(const Op& op) {
  std::string line;
  AppendOpLine(line, op);
  return line;
}

std::string LineOf(const TraceHeader& header) {
  std::string line;
  AppendHeaderLine(line, header);
  return line;
}

Op OpOf(OpKind kind) {
  Op op;
  op.kind = kind;
  return op;
}

// Takes nothing.
class FullSink final : public ByteSink {
 public:
  Result<void> Write(std::string_view) override {
    return Error{.kind = ErrorKind::kIo, .what = "disk full", .where = {}, .mend = ""};
  }
};

TEST(OpKindTable, NamesAreUpperCaseAndExact) {
  EXPECT_EQ(OpKindFromName("READ"), OpKind::kREAD);
  EXPECT_EQ(OpKindFromName("DELETE"), OpKind::kDELETE);
  EXPECT_EQ(OpKindFromName("open"), std::nullopt);
  EXPECT_EQ(OpKindFromName("FOO"), std::nullopt);
  EXPECT_EQ(OpKindFromName(""), std::nullopt);
  EXPECT_EQ(NameOf(OpKind::kUnknown), "?");
}

TEST(OpKindTable, SaysWhatEachKindCarries) {
  EXPECT_EQ(InfoOf(OpKind::kOPEN).target, Presence::kRequired);
  EXPECT_EQ(InfoOf(OpKind::kREAD).target, Presence::kForbidden);
  EXPECT_EQ(InfoOf(OpKind::kGET).returned, Presence::kOptional);
  EXPECT_EQ(InfoOf(OpKind::kPUT).offset, Presence::kForbidden);
  EXPECT_EQ(InfoOf(OpKind::kPUT).length, Presence::kRequired);
  EXPECT_EQ(InfoOf(OpKind::kWRITE).data, DataDirection::kWrite);
}

TEST(OpenModes, AreReadWriteAndBoth) {
  EXPECT_EQ(OpenModeFromText("rw"), OpenMode::kReadWrite);
  EXPECT_EQ(OpenModeFromText(""), std::nullopt);
  EXPECT_EQ(OpenModeFromText("a"), std::nullopt);
}

TEST(OpLine, MembersAreInFixedOrder) {
  Op op = OpOf(OpKind::kOPEN);
  op.t_ns = 1;
  op.stream = 2;
  op.SetDuration(11).SetReturned(10).SetLength(9).SetOffset(8).SetHandle(6).SetTarget(5);
  op.SetGroup(4).SetOpId(3);
  op.mode = OpenMode::kReadWrite;
  op.flags = {"seq", "direct"};

  EXPECT_EQ(LineOf(op),
            "{\"t\":1,\"op_id\":3,\"s\":2,\"op\":\"OPEN\",\"group\":4,\"tgt\":5,\"h\":6,"
            "\"mode\":\"rw\",\"flags\":[\"seq\",\"direct\"],\"off\":8,\"len\":9,\"ret\":10,"
            "\"dur\":11}\n");
}

TEST(OpLine, AbsentMembersAreLeftOutAndZeroIsKept) {
  EXPECT_EQ(LineOf(OpOf(OpKind::kCLOSE).SetHandle(0)),
            "{\"t\":0,\"s\":0,\"op\":\"CLOSE\",\"h\":0}\n");
  EXPECT_EQ(LineOf(OpOf(OpKind::kREAD).SetOffset(0).SetLength(0)),
            "{\"t\":0,\"s\":0,\"op\":\"READ\",\"off\":0,\"len\":0}\n");
}

TEST(OpLine, ExtremeIntegersAreDecimal) {
  Op op = OpOf(OpKind::kSTAT);
  op.t_ns = INT64_MIN;
  op.stream = INT64_MAX;

  EXPECT_EQ(LineOf(op), "{\"t\":-9223372036854775808,\"s\":9223372036854775807,\"op\":\"STAT\"}\n");
}

TEST(OpLine, UnknownKindAndModeAreWrittenAsTheyWere) {
  Op op = OpOf(OpKind::kUnknown);
  op.kind_text = "A\"B";
  op.mode = OpenMode::kUnknown;
  op.mode_text = "a";

  EXPECT_EQ(LineOf(op), "{\"t\":0,\"s\":0,\"op\":\"A\\\"B\",\"mode\":\"a\"}\n");
}

TEST(JsonStrings, EscapesAreTheOnesOfTheFormat) {
  struct Case {
    std::string text;
    std::string written;
  };
  const Case cases[] = {
      {"", ""},
      {"a/b <&> \x7f", "a/b <&> \x7f"},
      {"\"\\", "\\\"\\\\"},
      {"\b\f\n\r\t", "\\b\\f\\n\\r\\t"},
      {std::string("\0\x1f\x0b", 3), "\\u0000\\u001f\\u000b"},
      {"\u2028\u2029\u2027\u202A", "\\u2028\\u2029\u2027\u202A"},
      {"\u03B1 \U0001F600 \uFFFD", "\u03B1 \U0001F600 \uFFFD"},
      {"\xff", "\\ufffd"},
      {"a\xC3", "a\\ufffd"},
      {"\xC3(", "\\ufffd("},
      {"\xC0\x80", "\\ufffd\\ufffd"},
      {"\xE0\x9F\xBF", "\\ufffd\\ufffd\\ufffd"},
      {"\xED\xA0\x80", "\\ufffd\\ufffd\\ufffd"},
      {"\xF0\x8F\xBF\xBF", "\\ufffd\\ufffd\\ufffd\\ufffd"},
      {"\xF4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
      {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"\xE2\x80", "\\ufffd\\ufffd"},
  };
  for (const Case& c : cases) {
    Op op = OpOf(OpKind::kUnknown);
    op.kind_text = c.text;
    EXPECT_EQ(LineOf(op), "{\"t\":0,\"s\":0,\"op\":\"" + c.written + "\"}\n");
  }
}

TEST(HeaderLine, EmptyTextsAreLeftOutAndTheSixAlwaysWritten) {
  EXPECT_EQ(LineOf(TraceHeader{}),
            "{\"ioflux_trace_version\":1,\"kind\":\"synthetic\",\"time_unit\":\"ns\","
            "\"scrubbed\":false,\"targets\":[],\"summary\":{\"num_ops\":0,\"num_streams\":0,"
            "\"num_groups\":0,\"total_bytes\":0,\"duration_ns\":0}}\n");
}

TEST(HeaderLine, AllMembersAreInFixedOrder) {
  TraceHeader header;
  header.version = 3;
  header.kind = "imported";
  header.profile = "p";
  header.generated_by = "g";
  header.created_utc = "c";
  header.capture_method = "import:x";
  header.capture_limitations = "l";
  header.scrubbed = true;
  header.targets = {{.id = 0, .name = "a", .kind = "object", .size_bytes = 5}};
  header.summary = {.num_ops = 1,
                    .num_streams = 2,
                    .num_groups = 3,
                    .total_bytes = 4,
                    .duration_ns = 5,
                    .num_partial_reads = 6};
  header.notes = "n";
  header.transformations = {
      {.kind = "k",
       .params = {{"b", "2"}, {"a", "1"}},
       .source_digest = "d",
       .applied_utc = "u",
       .note = "n"},
      {.kind = "", .params = {}, .source_digest = "", .applied_utc = "", .note = ""}};

  EXPECT_EQ(
      LineOf(header),
      "{\"ioflux_trace_version\":3,\"kind\":\"imported\",\"profile\":\"p\",\"generated_by\":\"g\","
      "\"created_utc\":\"c\",\"time_unit\":\"ns\",\"capture_method\":\"import:x\","
      "\"capture_limitations\":\"l\",\"scrubbed\":true,"
      "\"targets\":[{\"id\":0,\"name\":\"a\",\"kind\":\"object\",\"size\":5}],"
      "\"summary\":{\"num_ops\":1,\"num_streams\":2,\"num_groups\":3,\"total_bytes\":4,"
      "\"duration_ns\":5,\"num_partial_reads\":6},\"notes\":\"n\","
      "\"transformations\":[{\"kind\":\"k\",\"params\":{\"a\":\"1\",\"b\":\"2\"},"
      "\"source_digest\":\"d\",\"applied_utc\":\"u\",\"note\":\"n\"},{\"kind\":\"\"}]}\n");
}

TEST(HeaderLine, NameThatIsNotUtf8KeepsItsBytesInNameRaw) {
  TraceHeader header;
  header.targets = {{.id = 0, .name = "d/\xff.bin", .kind = "file", .size_bytes = 1}};

  EXPECT_NE(LineOf(header).find("{\"id\":0,\"name\":\"d/\\ufffd.bin\",\"kind\":\"file\",\"size\":1,"
                                "\"name_raw\":\"ZC//LmJpbg==\"}"),
            std::string::npos);
}

TEST(NeededVersion, IsTheSmallestThatCoversTheContent) {
  TraceHeader header;
  EXPECT_EQ(NeededVersion(header), 1);

  header.summary.num_partial_reads = 1;
  EXPECT_EQ(NeededVersion(header), 2);

  header.transformations.resize(1);
  EXPECT_EQ(NeededVersion(header), 3);
}

TEST(Base64, FollowsTheVectorsOfRfc4648) {
  const std::pair<std::string, std::string> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"},
                                                       {"\xff\xfe", "//4="}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
}

TEST(Base64, AcceptsOnlyTheOneRightForm) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Z===", "Zg==Zg==", "Zm 9v", "=", "Zm9-"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(TraceWriter, WritesHeaderThenOps) {
  StringSink sink;
  TraceWriter writer(sink);

  ASSERT_TRUE(writer.WriteHeader(TraceHeader{}).ok());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(writer.WriteOp(OpOf(OpKind::kSTAT)).ok());
  ASSERT_TRUE(writer.Flush().ok());

  std::string expected = LineOf(TraceHeader{});
  for (int i = 0; i < 4; ++i) expected += LineOf(OpOf(OpKind::kSTAT));
  EXPECT_EQ(sink.text(), expected);
}

TEST(TraceWriter, SecondHeaderIsRefused) {
  StringSink sink;
  TraceWriter writer(sink);
  ASSERT_TRUE(writer.WriteHeader(TraceHeader{}).ok());

  EXPECT_EQ(writer.WriteHeader(TraceHeader{}).error().kind, ErrorKind::kRefused);
}

TEST(TraceWriter, OpBeforeTheHeaderIsRefused) {
  StringSink sink;
  TraceWriter writer(sink);

  EXPECT_EQ(writer.WriteOp(OpOf(OpKind::kSTAT)).error().kind, ErrorKind::kRefused);
}

TEST(TraceWriter, HeaderLongerThanAReaderAcceptsIsRefused) {
  TraceHeader header;
  header.notes = std::string(kMaxLineBytes, 'x');
  StringSink sink;
  TraceWriter writer(sink);
  EXPECT_EQ(writer.WriteHeader(header).error().kind, ErrorKind::kRefused);

  // The longest that fits: what the empty note costs is known from a one-letter one.
  header.notes = "x";
  header.notes.resize(kMaxLineBytes - (LineOf(header).size() - 2), 'x');
  StringSink good_sink;
  TraceWriter good_writer(good_sink);
  EXPECT_TRUE(good_writer.WriteHeader(header).ok());
  EXPECT_EQ(good_sink.text().size(), kMaxLineBytes + 1);
}

TEST(TraceWriter, FailureOfTheSinkIsPassedUp) {
  FullSink sink;
  TraceWriter writer(sink);
  ASSERT_TRUE(writer.WriteHeader(TraceHeader{}).ok());

  EXPECT_EQ(writer.Flush().error().what, "disk full");
}

TEST(TraceWriter, BuffersAndFlushesByItself) {
  StringSink sink;
  TraceWriter writer(sink);
  ASSERT_TRUE(writer.WriteHeader(TraceHeader{}).ok());
  const std::size_t line_bytes = LineOf(OpOf(OpKind::kSTAT)).size();

  EXPECT_TRUE(sink.text().empty());
  for (std::size_t i = 0; i <= 256 * 1024 / line_bytes; ++i) {
    ASSERT_TRUE(writer.WriteOp(OpOf(OpKind::kSTAT)).ok());
  }

  EXPECT_GE(sink.text().size(), 256U * 1024);
}

}  // namespace
}  // namespace ioflux
