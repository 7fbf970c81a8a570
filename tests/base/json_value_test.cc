// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_value.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace ioflux {
namespace {

JsonValue Parsed(const std::string& text) {
  const Result<JsonValue> value = JsonValue::Parse(text, "doc.json");
  EXPECT_TRUE(value) << Describe(value.error());
  return value ? value.value() : JsonValue();
}

TEST(JsonDump, IndentsByTwoKeepsInsertionOrderAndEndsWithANewline) {
  JsonValue document = JsonValue::Object();
  document.Set("zulu", 1).Set("alpha", "text").Set("empty", JsonValue::Object());
  document.Set("list", JsonValue::Array().Append(JsonValue::Bool(true)).Append(JsonValue()));
  document.Set("none", JsonValue::Array());

  EXPECT_EQ(document.Dump(), R"({
  "zulu": 1,
  "alpha": "text",
  "empty": {},
  "list": [
    true,
    null
  ],
  "none": []
}
)");
  EXPECT_EQ(document.DumpCompact(),
            R"({"zulu":1,"alpha":"text","empty":{},"list":[true,null],"none":[]})");
}

TEST(JsonDump, SettingAKeyAgainKeepsItsPlace) {
  JsonValue document = JsonValue::Object();
  document.Set("a", 1).Set("b", 2).Set("a", 3);

  EXPECT_EQ(document.DumpCompact(), R"({"a":3,"b":2})");
}

TEST(JsonDump, WritesNumbersInTheirShortestForm) {
  JsonValue numbers = JsonValue::Array();
  for (const double value : {30.0, 0.1, -2.5, 1e-6, 1e-7, 1e20, 1e21, 1.5e300, 0.0}) {
    numbers.Append(JsonValue::Real(value));
  }
  numbers.Append(JsonValue::Int(INT64_MIN)).Append(JsonValue::Int(INT64_MAX));

  EXPECT_EQ(numbers.DumpCompact(),
            "[30,0.1,-2.5,0.000001,1e-7,100000000000000000000,1e+21,1.5e+300,0,"
            "-9223372036854775808,9223372036854775807]");
}

// As a double, the inode or the seed would be another one.
TEST(JsonDump, WritesAndReadsEveryUnsignedIntegerExactly) {
  constexpr std::uint64_t kLargestSigned = INT64_MAX;
  for (const std::uint64_t value : {std::uint64_t{0}, kLargestSigned - 1, kLargestSigned,
                                    kLargestSigned + 1, kLargestSigned + 2, UINT64_MAX - 1,
                                    UINT64_MAX, std::uint64_t{10'000'000'000'000'000'001U}}) {
    JsonValue document = JsonValue::Object();
    document.Set("a", value).Set("b", JsonValue::Array().Append(JsonValue::Uint(value)));
    const std::string text = document.DumpCompact();
    const std::string digits = std::to_string(value);
    EXPECT_EQ(text, R"({"a":)" + digits + R"(,"b":[)" + digits + "]}");

    const JsonValue read = Parsed(text);
    EXPECT_EQ(read.GetUint("a").value(), value);
    EXPECT_EQ(read.GetArray("b").value().At(0).AsUint().value(), value);
    EXPECT_EQ(read.GetReal("a").value(), static_cast<double>(value));
    EXPECT_EQ(read.GetInt("a").value(),
              value > kLargestSigned ? INT64_MAX : static_cast<std::int64_t>(value));
    EXPECT_EQ(read.GetString("a").error().what, "it must be a string, but it is an integer");
    EXPECT_EQ(read.DumpCompact(), text);
  }
  EXPECT_EQ(Parsed("18446744073709551615").AsUint().value(), UINT64_MAX);
  EXPECT_FALSE(Parsed("-1").AsUint());
}

TEST(JsonParse, BigIntegersLeaveEverythingElseAlone) {
  const std::string text =
      R"({"s":"18446744073709551615 \" 9999999999999999999","n":[-1,1.5e300,9999999999999999999],)"
      R"("t":{"u":"\uffff","v":12345678901234567890,"":true}})";
  const JsonValue read = Parsed(text);
  EXPECT_EQ(read.GetString("s").value(), R"(18446744073709551615 " 9999999999999999999)");
  EXPECT_EQ(read.GetArray("n").value().At(0).AsInt().value(), -1);
  EXPECT_EQ(read.GetArray("n").value().At(1).AsReal().value(), 1.5e300);
  EXPECT_EQ(read.GetArray("n").value().At(2).AsUint().value(), 9999999999999999999U);
  EXPECT_EQ(read.GetObject("t").value().GetUint("v").value(), 12345678901234567890U);
  EXPECT_EQ(read.GetObject("t").value().GetString("u").value(), "\xef\xbf\xbf");
}

TEST(JsonParse, IntegersBeyond64BitsAreRefusedWithTheirLine) {
  for (const char* number : {"18446744073709551616", "-9223372036854775809", "1e999"}) {
    const Result<JsonValue> read = JsonValue::Parse(std::string("[1,\n") + number + "]", "d");
    ASSERT_FALSE(read) << number;
    EXPECT_EQ(read.error().where.line, 2U);
  }
  EXPECT_FALSE(JsonValue::Parse("[18446744073709551615,]", "d"));
  EXPECT_FALSE(JsonValue::Parse("[18446744073709551615, \"open", "d"));
}

TEST(JsonDump, WhatIsNoNumberBecomesNull) {
  JsonValue document = JsonValue::Object();
  document.Set("inf", std::numeric_limits<double>::infinity());
  document.Set("nan", std::numeric_limits<double>::quiet_NaN());
  document.Set("large", std::uint64_t{1} << 63);

  EXPECT_EQ(document.DumpCompact(), R"({"inf":null,"nan":null,"large":9223372036854775808})");
}

TEST(JsonDump, EscapesHtmlWhenAskedAndLineSeparatorsAlways) {
  JsonValue document = JsonValue::Object();
  document.Set("<k>", "a<b>&c\u2028\u2029\x01\n\"\\ü");

  EXPECT_EQ(document.Dump(),
            "{\n  \"\\u003ck\\u003e\": "
            "\"a\\u003cb\\u003e\\u0026c\\u2028\\u2029\\u0001\\n\\\"\\\\ü\"\n}\n");
  EXPECT_EQ(document.DumpCompact(), "{\"<k>\":\"a<b>&c\\u2028\\u2029\\u0001\\n\\\"\\\\ü\"}");
}

TEST(JsonDump, InvalidUtf8BecomesTheReplacementCharacter) {
  JsonValue document = JsonValue::Object();
  document.Set("k\xff", "a\xc3(");

  EXPECT_EQ(document.DumpCompact(), "{\"k\uFFFD\":\"a\uFFFD(\"}");
}

TEST(JsonDump, OutputReadsBackEqual) {
  const std::string text =
      R"({"a":[1,2.5,{"b":"x<y"}],"c":null,"d":false,"e":"","f":1e-9,"g":"\u0000"})";

  EXPECT_EQ(Parsed(Parsed(text).Dump()).DumpCompact(), text);
}

TEST(JsonParse, OfDuplicateKeysTheLastCounts) {
  EXPECT_EQ(Parsed(R"({"a":1,"a":2})").GetInt("a").value(), 2);
}

TEST(JsonParse, ErrorNamesFileAndLine) {
  const Result<JsonValue> value = JsonValue::Parse("{\n\"a\": 1,\n\"b\": }\n", "doc.json");

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, ErrorKind::kInput);
  EXPECT_EQ(value.error().where.path, "doc.json");
  EXPECT_EQ(value.error().where.line, 3U);
}

TEST(JsonParse, RefusesBadUtf8DeepNestingHugeIntegersAndTrailingText) {
  const std::string deep = std::string(3000, '[') + std::string(3000, ']');
  for (const std::string& text :
       {std::string("\n\"\xff\""), "\n" + deep, std::string("\n99999999999999999999"),
        std::string("{}\n{}"), std::string("\n"), std::string("\n[1,]")}) {
    const Result<JsonValue> value = JsonValue::Parse(text, "doc.json");
    ASSERT_FALSE(value) << text.substr(0, 20);
    EXPECT_EQ(value.error().kind, ErrorKind::kInput);
    EXPECT_EQ(value.error().where.line, 2U) << Describe(value.error());
  }
}

TEST(JsonParse, EmptyTextIsAnErrorNotNull) { EXPECT_FALSE(JsonValue::Parse("", "doc.json")); }

TEST(JsonGet, ReadsEveryType) {
  const JsonValue document =
      Parsed(R"({"i":-3,"r":2.5,"b":true,"s":"x","o":{"k":1},"a":[4,5],"n":null})");

  EXPECT_EQ(document.GetInt("i").value(), -3);
  EXPECT_EQ(document.GetReal("r").value(), 2.5);
  EXPECT_EQ(document.GetReal("i").value(), -3.0);
  EXPECT_TRUE(document.GetBool("b").value());
  EXPECT_EQ(document.GetString("s").value(), "x");
  EXPECT_EQ(document.GetObject("o").value().GetInt("k").value(), 1);
  EXPECT_EQ(document.GetArray("a").value().At(1).AsInt().value(), 5);
  EXPECT_TRUE(document.At(0).is_null());
  EXPECT_FALSE(document.Has("n"));
  EXPECT_FALSE(document.Has("absent"));
  EXPECT_EQ(document.Keys(), (std::vector<std::string>{"i", "r", "b", "s", "o", "a", "n"}));
  EXPECT_EQ(document.size(), 7U);
}

TEST(JsonGet, FallbackServesAbsentAndNullButNotAWrongType) {
  const JsonValue document = Parsed(R"({"n":null,"s":"x"})");

  EXPECT_EQ(document.GetIntOr("n", 7).value(), 7);
  EXPECT_EQ(document.GetRealOr("absent", 0.5).value(), 0.5);
  EXPECT_TRUE(document.GetBoolOr("absent", true).value());
  EXPECT_EQ(document.GetStringOr("absent", "d").value(), "d");
  EXPECT_FALSE(document.GetIntOr("s", 7));
}

TEST(JsonGet, ErrorsNameThePathInsideTheDocument) {
  const JsonValue document = Parsed(R"({"jobs":[{},{"read":{"io_bytes":"many"}}]})");
  const JsonValue job = document.GetArray("jobs").value().At(1);
  const JsonValue read = job.GetObject("read").value();

  EXPECT_EQ(Describe(read.GetInt("io_bytes").error()),
            "doc.json (jobs[1].read.io_bytes): it must be an integer, but it is a string");
  EXPECT_EQ(Describe(read.GetInt("iops").error()), "doc.json (jobs[1].read.iops): it is missing");
  EXPECT_EQ(
      Describe(Parsed("[1.5]").At(0).AsInt().error()),
      "doc.json ([0]): it must be an integer, but it is a number with a fraction or exponent");
  EXPECT_FALSE(Parsed("3").GetInt("x"));
}

TEST(JsonValue, CopiesShareOneDocument) {
  JsonValue document = JsonValue::Object();
  JsonValue copy = document;
  copy.Set("a", 1);
  JsonValue moved = std::move(copy);

  EXPECT_EQ(document.GetInt("a").value(), 1);
  EXPECT_EQ(moved.GetInt("a").value(), 1);
}

TEST(JsonLoad, FileThatIsNotThereIsAnIoError) {
  const Result<JsonValue> value = JsonValue::Load("/nowhere/doc.json");

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
