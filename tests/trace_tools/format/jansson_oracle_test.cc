// SPDX-License-Identifier: GPL-2.0-only
//
// A second opinion: jansson, a whole JSON library, on every line the tests hold. Both must take the
// same lines and read the same members out of them.
#include <gtest/gtest.h>
#include <jansson.h>

#include <filesystem>
#include <memory>

#include "tests/trace_tools/format/trace_text.h"

namespace ioflux {
namespace {

struct DropReference {
  void operator()(json_t* json) const { json_decref(json); }
};
using Json = std::unique_ptr<json_t, DropReference>;

Json ParseWithJansson(const std::string& line) {
  return Json(json_loadb(line.data(), line.size(), JSON_ALLOW_NUL, nullptr));
}

// Present and not null.
const json_t* MemberOf(const Json& object, const char* name) {
  const json_t* const member = json_object_get(object.get(), name);
  return json_is_null(member) ? nullptr : member;
}

void ExpectInteger(const Json& object, const char* name, const Op& op, OpField field,
                   std::int64_t value) {
  const json_t* const member = MemberOf(object, name);
  EXPECT_EQ(op.Has(field), member != nullptr) << name;
  if (member == nullptr) return;
  EXPECT_EQ(value, json_integer_value(member)) << name;
}

std::string StringOf(const Json& object, const char* name) {
  const json_t* const member = MemberOf(object, name);
  return member == nullptr ? ""
                           : std::string(json_string_value(member), json_string_length(member));
}

void ExpectSame(const std::string& line, const Op& op) {
  SCOPED_TRACE(line);
  const Json json = ParseWithJansson(line);
  ASSERT_NE(json, nullptr);
  ExpectInteger(json, "t", op, OpField::kTime, op.t_ns);
  ExpectInteger(json, "op_id", op, OpField::kOpId, op.op_id);
  ExpectInteger(json, "s", op, OpField::kStream, op.stream);
  ExpectInteger(json, "group", op, OpField::kGroup, op.group);
  ExpectInteger(json, "tgt", op, OpField::kTarget, op.target);
  ExpectInteger(json, "h", op, OpField::kHandle, op.handle);
  ExpectInteger(json, "off", op, OpField::kOffset, op.offset);
  ExpectInteger(json, "len", op, OpField::kLength, op.length_bytes);
  ExpectInteger(json, "ret", op, OpField::kReturned, op.returned_bytes);
  ExpectInteger(json, "dur", op, OpField::kDuration, op.duration_ns);
  const bool known_kind = op.kind != OpKind::kUnknown;
  EXPECT_EQ(known_kind ? std::string(NameOf(op.kind)) : op.kind_text, StringOf(json, "op"));
  const bool known_mode = op.mode != OpenMode::kUnknown;
  EXPECT_EQ(known_mode ? std::string(TextOf(op.mode)) : op.mode_text, StringOf(json, "mode"));
  const json_t* const flags = MemberOf(json, "flags");
  ASSERT_EQ(op.flags.size(), flags == nullptr ? 0 : json_array_size(flags));
  for (std::size_t i = 0; i < op.flags.size(); ++i) {
    EXPECT_EQ(op.flags[i], json_string_value(json_array_get(flags, i)));
  }
}

TEST(JanssonOracle, AgreesOnEveryOpLineOfTheFixtures) {
  std::size_t lines = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(IOFLUX_TEST_DATA) + "/format")) {
    if (entry.path().extension() != ".ioflux") continue;
    const std::vector<std::string> text = LinesOf(ReadTestData(entry.path().filename()));
    for (std::size_t i = 1; i < text.size(); ++i) {
      for (const bool use_canonical_scanner : {true, false}) {
        const ReadTrace trace = ReadOpLine(text[i] + "\n", use_canonical_scanner);
        ASSERT_EQ(trace.ops.size(), 1U) << text[i];
        ExpectSame(text[i], trace.ops[0]);
        ++lines;
      }
    }
  }
  EXPECT_GE(lines, 2U * (9 + 6 + 8 + 5));
}

// Lines in all forms that JSON allows; what jansson refuses, we refuse.
TEST(JanssonOracle, AgreesOnOddLines) {
  const std::string lines[] = {
      "{}",
      " { \"t\" : 5 , \"s\":6 } ",
      "{\"t\":1,\"t\":2}",
      "{\"t\":-9223372036854775808,\"s\":9223372036854775807}",
      "{\"t\":9223372036854775808}",
      "{\"op\":\"\\u0052EAD\",\"x\":{\"y\":[1,2,{\"z\":null}]}}",
      "{\"op\":\"\\ud83d\\ude00\",\"flags\":[\"a\",\"\\u00e9\",\"\u03B1\"]}",
      "{\"op\":\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\t\"}",
      "{\"op\":null,\"mode\":null,\"flags\":null}",
      "{\"t\":1}}",
      "{\"t\":1,}",
      "{\"t\":01}",
      "{\"t\":1",
      "{\"t\":+1}",
      "{\"t\":1e}",
      "{\"op\":\"\\x\"}",
      "{\"op\":\"a\tb\"}",
      "{\"op\":\"open}",
      "{t:1}",
      "{'t':1}",
      "{\"t\" 1}",
      "{,}",
      "{\"t\":tru}",
      "{\"t\":1} {\"t\":2}",
  };
  for (const std::string& line : lines) {
    const Json json = ParseWithJansson(line);
    const ReadTrace trace = ReadOpLine(line + "\n");
    EXPECT_EQ(trace.ops.size() == 1, json != nullptr) << line;
    if (json != nullptr && trace.ops.size() == 1) ExpectSame(line, trace.ops[0]);
  }
}

TEST(JanssonOracle, AgreesOnTheHeadersOfTheBaseFiles) {
  for (const char letter : {'A', 'B', 'C', 'D'}) {
    const std::string text = BaseTrace(letter);
    const Json json = ParseWithJansson(LinesOf(text)[0]);
    ASSERT_NE(json, nullptr);
    const TraceHeader header = ReadText(text).header;

    EXPECT_EQ(header.version, json_integer_value(MemberOf(json, "ioflux_trace_version")));
    EXPECT_EQ(header.kind, StringOf(json, "kind"));
    EXPECT_EQ(header.capture_limitations, StringOf(json, "capture_limitations"));
    const json_t* const targets = MemberOf(json, "targets");
    ASSERT_EQ(header.targets.size(), json_array_size(targets));
    for (std::size_t i = 0; i < header.targets.size(); ++i) {
      const json_t* const target = json_array_get(targets, i);
      EXPECT_EQ(header.targets[i].name, json_string_value(json_object_get(target, "name")));
      EXPECT_EQ(header.targets[i].size_bytes, json_integer_value(json_object_get(target, "size")));
    }
    const json_t* const summary = MemberOf(json, "summary");
    EXPECT_EQ(header.summary.total_bytes,
              json_integer_value(json_object_get(summary, "total_bytes")));
    EXPECT_EQ(header.transformations.size(), json_array_size(MemberOf(json, "transformations")));
  }
}

}  // namespace
}  // namespace ioflux
