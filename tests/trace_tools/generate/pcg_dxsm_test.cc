// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/pcg_dxsm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace ioflux {
namespace {

using ::testing::ElementsAre;

TEST(PcgDxsm, FirstDrawsAreThePublishedOnes) {
  PcgDxsm forty_two(42);
  EXPECT_EQ(forty_two.Next(), 0xdb881b72db87a99f);
  EXPECT_EQ(forty_two.Next(), 0xf5f16d2d76b09fe4);
  EXPECT_EQ(forty_two.Next(), 0x22e4250a897032c7);
  EXPECT_EQ(forty_two.Next(), 0x16a88202e8b56171);
  PcgDxsm one(1);
  EXPECT_EQ(one.Next(), 11035966612244867331U);
  EXPECT_EQ(one.Next(), 1643822163114873686U);
  EXPECT_EQ(one.Next(), 13195997260158159602U);
}

TEST(PcgDxsm, CopyGoesOnWhereTheOriginalStood) {
  PcgDxsm original(7);
  original.Next();
  PcgDxsm copy = original;

  EXPECT_EQ(copy.Next(), original.Next());
}

TEST(PcgDxsm, BelowStaysBelowAndReachesEveryValue) {
  PcgDxsm random(5);
  for (const std::uint64_t bound : {1, 2, 7, 8}) {
    std::vector<int> seen(bound, 0);
    for (int i = 0; i < 1000; ++i) ++seen.at(random.Below(bound));
    for (const int count : seen) EXPECT_GT(count, 0) << bound;
  }
  // With this bound half of all draws are rejected.
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(random.Below((std::uint64_t{1} << 63) + 1), (std::uint64_t{1} << 63) + 1);
  }
}

TEST(PcgDxsm, UnitIsBelowOne) {
  PcgDxsm random(9);
  for (int i = 0; i < 1000; ++i) {
    const double value = random.Unit();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
  }
}

TEST(PcgDxsmShuffle, OrderOfTenItemsForSeed42) {
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  PcgDxsm random(42);

  random.Shuffle(items);

  EXPECT_THAT(items, ElementsAre(3, 2, 5, 6, 4, 1, 0, 7, 9, 8));
}

}  // namespace
}  // namespace ioflux
