// SPDX-License-Identifier: GPL-2.0-only
#include "base/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace ioflux {
namespace {

TEST(FormatShortest, UsesExponentsOnlyOutsideOneMillionthToTenToThe21) {
  EXPECT_EQ(FormatShortest(30), "30");
  EXPECT_EQ(FormatShortest(0.30000000000000004), "0.30000000000000004");
  EXPECT_EQ(FormatShortest(-0.0), "-0");
  EXPECT_EQ(FormatShortest(1e-6), "0.000001");
  EXPECT_EQ(FormatShortest(9.99e-7), "9.99e-7");
  EXPECT_EQ(FormatShortest(1e-10), "1e-10");
  EXPECT_EQ(FormatShortest(1e100), "1e+100");
  EXPECT_EQ(FormatShortest(999999999999999868928.0), "999999999999999900000");
  EXPECT_EQ(FormatShortest(1e21), "1e+21");
}

TEST(FormatShortest, EveryDoubleReadsBackItself) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100);
    ASSERT_EQ(ParseReal(FormatShortest(value)), value);
    ASSERT_EQ(ParseReal(FormatGeneral(-value)), -value);
  }
}

TEST(FormatGeneral, UsesExponentsBelowOneTenThousandthAndFromOneMillion) {
  EXPECT_EQ(FormatGeneral(7), "7");
  EXPECT_EQ(FormatGeneral(0.01), "0.01");
  EXPECT_EQ(FormatGeneral(0.00001), "1e-05");
  EXPECT_EQ(FormatGeneral(999999), "999999");
  EXPECT_EQ(FormatGeneral(1e6), "1e+06");
}

TEST(ParseReal, TakesDecimalHexadecimalAndTheNamedValues) {
  EXPECT_EQ(ParseReal("1.5"), 1.5);
  EXPECT_EQ(ParseReal("+1e3"), 1000.0);
  EXPECT_EQ(ParseReal("-.5"), -0.5);
  EXPECT_EQ(ParseReal("0x1p-2"), 0.25);
  EXPECT_EQ(ParseReal("-0X1.8p1"), -3.0);
  EXPECT_EQ(ParseReal("Inf"), INFINITY);
  EXPECT_EQ(ParseReal("-infinity"), -INFINITY);
  ASSERT_TRUE(ParseReal("NaN").has_value());
  EXPECT_TRUE(std::isnan(*ParseReal("NaN")));
}

TEST(ParseReal, RefusesEverythingElse) {
  for (const char* text : {"", "+", "1,5", "1.5s", " 1", "1 ", "--1", "+-1", "0x", "0xinf", "1e999",
                           "nan(1)", "one"}) {
    EXPECT_FALSE(ParseReal(text)) << text;
  }
}

TEST(ParseInteger, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(ParseInteger("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseInteger("+7"), 7);
  for (const char* text : {"", "+", "-", "+-7", "7 ", " 7", "7.0", "0x7", "9223372036854775808"}) {
    EXPECT_FALSE(ParseInteger(text)) << text;
  }
}

}  // namespace
}  // namespace ioflux
