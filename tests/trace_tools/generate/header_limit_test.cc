// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/header_limit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

// One target whose name fills the line.
HeaderPlan OneTarget(std::int64_t name_bytes) {
  return {.header = TraceHeader{}, .targets = 1, .shape_of = [=](std::int64_t) {
            return TargetShape{.name_bytes = name_bytes, .size_bytes = 12'345};
          }};
}

TEST(HeaderFits, CountsEveryCharacterOfTheLineTheWriterWrites) {
  const std::int64_t largest = LargestCountThatFits(INT64_MAX, OneTarget);
  TraceHeader header;
  header.summary.num_ops = header.summary.num_streams = INT64_MAX;
  header.summary.total_bytes = header.summary.duration_ns = INT64_MAX;
  header.targets.push_back({.id = 0,
                            .name = std::string(static_cast<std::size_t>(largest), 'n'),
                            .kind = "file",
                            .size_bytes = 12'345});
  std::string line;
  AppendHeaderLine(line, header);

  EXPECT_EQ(line.size() - 1, kMaxLineBytes);
  EXPECT_TRUE(HeaderFits(OneTarget(largest)));
  EXPECT_FALSE(HeaderFits(OneTarget(largest + 1)));
}

TEST(HeaderFits, AnyNumberOfTargetsIsJudgedWithoutMakingThem) {
  HeaderPlan plan = OneTarget(1);
  plan.targets = INT64_MAX;

  EXPECT_FALSE(HeaderFits(plan));
}

TEST(LargestCountThatFits, IsZeroWhenNoneDoesAndNeverAboveTheUpperEnd) {
  EXPECT_EQ(
      LargestCountThatFits(
          100, [](std::int64_t) { return OneTarget(static_cast<std::int64_t>(kMaxLineBytes)); }),
      0);
  EXPECT_EQ(LargestCountThatFits(7, OneTarget), 7);
}

TEST(DecimalDigits, CountsAndPads) {
  EXPECT_EQ(DecimalDigits(0), 1);
  EXPECT_EQ(DecimalDigits(9), 1);
  EXPECT_EQ(DecimalDigits(10), 2);
  EXPECT_EQ(DecimalDigits(7, 4), 4);
  EXPECT_EQ(DecimalDigits(10'000, 4), 5);
  EXPECT_EQ(DecimalDigits(INT64_MAX), 19);
}

}  // namespace
}  // namespace ioflux
