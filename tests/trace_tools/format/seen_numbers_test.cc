// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/seen_numbers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace ioflux {
namespace {

using Numbers = std::vector<std::int64_t>;

// Adds `numbers` on lines with gaps of `gap`, and holds each answer against a std::map.
void ExpectLikeAMap(const Numbers& numbers, std::uint64_t gap) {
  SeenNumbers seen;
  std::map<std::int64_t, std::uint64_t> expected;
  std::uint64_t line = 1;
  for (const std::int64_t number : numbers) {
    line += gap;
    const auto earlier = seen.Add(number, line);
    const auto [entry, is_new] = expected.try_emplace(number, line);
    ASSERT_EQ(earlier.has_value(), !is_new) << number;
    if (is_new) continue;
    ASSERT_EQ(earlier->line, entry->second) << number;
  }
  for (const auto& [number, first_line] : expected) {
    ASSERT_TRUE(seen.Find(number).has_value()) << number;
    ASSERT_EQ(seen.Find(number)->line, first_line) << number;
    for (const std::int64_t neighbour : {number - 1, number + 1}) {
      ASSERT_EQ(seen.Find(neighbour).has_value(), expected.contains(neighbour)) << neighbour;
    }
  }
}

TEST(SeenNumbers, NothingIsSeenAtFirst) {
  SeenNumbers seen;
  EXPECT_FALSE(seen.Find(0).has_value());
  EXPECT_FALSE(seen.Find(INT64_MIN).has_value());
  EXPECT_FALSE(seen.Find(INT64_MAX).has_value());
}

TEST(SeenNumbers, NumbersInFileOrder) {
  Numbers numbers;
  for (std::int64_t i = 0; i < 5000; ++i) numbers.push_back(i);
  numbers.push_back(2500);
  for (const std::uint64_t gap : {1, 2, 1000}) ExpectLikeAMap(numbers, gap);
}

TEST(SeenNumbers, RisingNumbersWithGaps) {
  for (const std::int64_t step : {std::int64_t{2}, std::int64_t{1000}, std::int64_t{1} << 40}) {
    Numbers numbers;
    for (std::int64_t i = -500; i < 1500; ++i) numbers.push_back(i * step + (i % 3 == 0 ? 1 : 0));
    numbers.push_back(0);
    ExpectLikeAMap(numbers, 1);
    ExpectLikeAMap(numbers, 7);
  }
}

TEST(SeenNumbers, RunsOfAllLengths) {
  Numbers numbers;
  std::int64_t next = 0;
  for (std::int64_t length = 1; length < 300; ++length) {
    for (std::int64_t i = 0; i < length; ++i) numbers.push_back(next++);
    next += length % 7 + 1;
  }
  ExpectLikeAMap(numbers, 1);
}

TEST(SeenNumbers, FallingNumbers) {
  Numbers numbers;
  for (std::int64_t i = 3000; i > -3000; --i) numbers.push_back(i);
  ExpectLikeAMap(numbers, 1);
}

TEST(SeenNumbers, TwoInterleavedRanges) {
  Numbers numbers;
  for (std::int64_t i = 0; i < 3000; ++i) {
    numbers.push_back(i);
    numbers.push_back(1'000'000 + i);
  }
  numbers.push_back(10);
  numbers.push_back(1'000'010);
  ExpectLikeAMap(numbers, 1);
}

TEST(SeenNumbers, RandomNumbersOfAllSizes) {
  for (const int bits : {6, 12, 40, 63}) {
    std::mt19937_64 random(static_cast<std::uint64_t>(bits));
    Numbers numbers;
    for (int i = 0; i < 5000; ++i) {
      numbers.push_back(static_cast<std::int64_t>(random()) >> (63 - bits));
    }
    ExpectLikeAMap(numbers, 3);
  }
}

TEST(SeenNumbers, ExtremesAreNumbersLikeOthers) {
  SeenNumbers seen;
  EXPECT_FALSE(seen.Add(INT64_MIN, 2).has_value());
  EXPECT_FALSE(seen.Add(INT64_MIN + 1, 3).has_value());
  EXPECT_FALSE(seen.Add(INT64_MAX, 4).has_value());
  EXPECT_FALSE(seen.Add(-1, 5).has_value());
  EXPECT_EQ(seen.Add(INT64_MIN, 6)->line, 2U);
  EXPECT_EQ(seen.Add(INT64_MAX, 7)->line, 4U);
  EXPECT_EQ(seen.Add(-1, 8)->line, 5U);
  EXPECT_FALSE(seen.Find(0).has_value());
}

TEST(SeenNumbers, LateNumbersBeyondTheLimitAreSeenWithoutALine) {
  SeenNumbers seen;
  seen.Add(1'000'000, 2);
  const auto late = static_cast<std::int64_t>(SeenNumbers::kLateLines);
  for (std::int64_t i = 0; i <= late; ++i) seen.Add(i, static_cast<std::uint64_t>(i) + 3);

  EXPECT_EQ(seen.Find(late - 1)->line, static_cast<std::uint64_t>(late) + 2);
  ASSERT_TRUE(seen.Find(late).has_value());
  EXPECT_EQ(seen.Find(late)->line, 0U);
}

}  // namespace
}  // namespace ioflux
