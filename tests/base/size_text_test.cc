// SPDX-License-Identifier: GPL-2.0-only
#include "base/size_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ioflux {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

TEST(ParseSize, AcceptsBytesAndEverySuffix) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases = {
      {"0", 0},
      {"1", 1},
      {"+7", 7},
      {"4194304", 4194304},
      {"1KiB", 1024},
      {"1MiB", kMiB},
      {"1GiB", kGiB},
      {"64MiB", 64 * kMiB},
      {"512KiB", 512 * 1024},
      {"4mib", 4 * kMiB},
      {"4MIB", 4 * kMiB},
      {"4K", 4096},
      {"4M", 4 * kMiB},
      {"4G", 4 * kGiB},
      {"2T", std::uint64_t{2} << 40},
      {"1P", std::uint64_t{1} << 50},
      {"2TiB", std::uint64_t{2} << 40},
      {"3PiB", std::uint64_t{3} << 50},
      {"1KB", 1000},
      {"1MB", 1'000'000},
      {"1GB", 1'000'000'000},
      {"1TB", 1'000'000'000'000},
      {"1PB", 1'000'000'000'000'000},
      {"4 MiB", 4 * kMiB},
      {" 4\tMiB", 4 * kMiB},
      {"1.5MiB", kMiB * 3 / 2},
      {"1.50000000000000000000000MiB", kMiB * 3 / 2},
      {"0.5KiB", 512},
      {"1.001KB", 1001},
      {"9223372036854775807", INT64_MAX},
      {"8191PiB", std::uint64_t{8191} << 50},
  };
  for (const auto& [text, bytes] : cases) {
    const Result<std::uint64_t> size = ParseSize(text);
    ASSERT_TRUE(size) << text << ": " << size.error().what;
    EXPECT_EQ(size.value(), bytes) << text;
  }
}

TEST(ParseSize, RefusesEverythingElseAsAUsageError) {
  for (const char* text : {"",       "badsize",
                           "-1",     "-4MiB",
                           "MiB",    "4B",
                           "4Ki",    "4MiB ",
                           " 4",     "1.5",
                           "1.3KiB", "1.MiB",
                           ".5MiB",  "1..5MiB",
                           "1e3",    "0x10",
                           "4 M iB", "1,5MiB",
                           "+-1",    "+ 4MiB",
                           "--4MiB", "1.0000000000000000001KiB"}) {
    const Result<std::uint64_t> size = ParseSize(text);
    ASSERT_FALSE(size) << text << " = " << size.value();
    EXPECT_EQ(size.error().kind, ErrorKind::kUsage) << text;
    EXPECT_NE(size.error().what.find("'" + std::string(text) + "'"), std::string::npos);
  }
}

TEST(ParseSize, ProductThatDoesNotFitIsAnErrorAndDoesNotWrap) {
  for (const char* text : {"9007199254740993GiB", "9223372036854775808", "8192PiB", "8589934592G",
                           "99999999999999999999KB"}) {
    const Result<std::uint64_t> size = ParseSize(text);
    ASSERT_FALSE(size) << text << " = " << size.value();
    EXPECT_NE(size.error().what.find("too large"), std::string::npos) << size.error().what;
  }
}

TEST(FormatSizeExact, UsesTheLargestUnitThatDividesAndReadsBack) {
  EXPECT_EQ(FormatSizeExact(0), "0");
  EXPECT_EQ(FormatSizeExact(1000), "1000");
  EXPECT_EQ(FormatSizeExact(4 * kMiB), "4MiB");
  EXPECT_EQ(FormatSizeExact(1536 * kMiB), "1536MiB");
  for (const std::uint64_t size : {std::uint64_t{1}, kMiB + 1, 3 * kGiB, std::uint64_t{5} << 50}) {
    EXPECT_EQ(ParseSize(FormatSizeExact(size)).value(), size);
  }
}

TEST(FormatSizeHuman, HasTwoDecimalsFromOneKiBUp) {
  EXPECT_EQ(FormatSizeHuman(0), "0 B");
  EXPECT_EQ(FormatSizeHuman(1023), "1023 B");
  EXPECT_EQ(FormatSizeHuman(4096), "4.00 KiB");
  EXPECT_EQ(FormatSizeHuman(kMiB * 3 / 2), "1.50 MiB");
  EXPECT_EQ(FormatSizeHuman(kGiB * 9 / 4), "2.25 GiB");
  EXPECT_EQ(FormatSizeHuman(std::uint64_t{1} << 50), "1048576.00 GiB");
}

}  // namespace
}  // namespace ioflux
