// SPDX-License-Identifier: GPL-2.0-only
#include "base/duration_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ioflux {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(ParseDuration, AcceptsEveryUnitFractionsAndSums) {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {
      {"0", 0},
      {"0.0", 0},
      {"0s", 0},
      {"1ns", 1},
      {"60us", 60'000},
      {"1.5µs", 1500},
      {"2\u03bcs", 2000},
      {"200ms", 200'000'000},
      {"1.5s", kSecond * 3 / 2},
      {"10 min", 600 * kSecond},
      {"3m", 180 * kSecond},
      {"2h", 7200 * kSecond},
      {"1d", 86'400 * kSecond},
      {"1m30s", 90 * kSecond},
      {"1h 2min 3.5s", 3'723'500'000'000},
      {"0.000000001s", 1},
      {"9223372036854775807ns", INT64_MAX},
      {"106751d", std::int64_t{106'751} * 86'400 * kSecond},
  };
  for (const auto& [text, ns] : cases) {
    const Result<std::int64_t> duration = ParseDuration(text);
    ASSERT_TRUE(duration) << text << ": " << duration.error().what;
    EXPECT_EQ(duration.value(), ns) << text;
  }
}

TEST(ParseDuration, RefusesEverythingElseAsAUsageError) {
  for (const char* text :
       {"", "250", "-1s", "s", "1.s", ".5s", "1.5.5s", "1 s s", "0.1ns", "1,5s", "1S", "1sec",
        "106752d", "9223372036854775808ns", "99999999999999999999s", "1s5", " 1s"}) {
    const Result<std::int64_t> duration = ParseDuration(text);
    ASSERT_FALSE(duration) << text << " = " << duration.value();
    EXPECT_EQ(duration.error().kind, ErrorKind::kUsage) << text;
    EXPECT_NE(duration.error().what.find("'" + std::string(text) + "'"), std::string::npos);
  }
}

TEST(FormatDuration, PicksTheUnitBeforeItRounds) {
  EXPECT_EQ(FormatDuration(0), "0s");
  EXPECT_EQ(FormatDuration(999), "999ns");
  EXPECT_EQ(FormatDuration(-5'000'000), "-5000000ns");
  EXPECT_EQ(FormatDuration(1500), "1.5µs");
  EXPECT_EQ(FormatDuration(999'950), "1000.0µs");
  EXPECT_EQ(FormatDuration(12'300'000), "12.3ms");
  EXPECT_EQ(FormatDuration(999'999'999), "1000.0ms");
  EXPECT_EQ(FormatDuration(1'234'000'000), "1.234s");
}

}  // namespace
}  // namespace ioflux
