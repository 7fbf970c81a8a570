// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace ioflux {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string Decimal(std::int64_t value) {
  std::array<char, kMaxDecimalBytes> digits;
  return {digits.data(), AppendDecimal(digits.data(), value)};
}

TEST(AppendJsonString, EscapesQuotesBackslashesControlsAndLineSeparators) {
  EXPECT_EQ(Quoted("plain text/<&>\x7f"), "\"plain text/<&>\x7f\"");
  EXPECT_EQ(Quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1f", 2)), R"("\u0000\u001f")");
  EXPECT_EQ(Quoted("\u2028\u2029\u2030"), "\"\\u2028\\u2029\u2030\"");
}

TEST(AppendJsonString, BadByteBecomesAnEscapedReplacementCharacter) {
  EXPECT_EQ(Quoted("a\xff\xc3ü"), "\"a\\ufffd\\ufffdü\"");
}

TEST(AppendDecimal, WritesWhatToStringWrites) {
  for (const std::int64_t value : {INT64_MIN, INT64_MIN + 1, INT64_C(-1), INT64_C(0), INT64_C(9),
                                   INT64_C(10), INT64_C(99), INT64_C(100), INT64_MAX}) {
    EXPECT_EQ(Decimal(value), std::to_string(value));
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 64));
    ASSERT_EQ(Decimal(value), std::to_string(value));
  }
}

}  // namespace
}  // namespace ioflux
