// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/normal_ziggurat.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "trace_tools/generate/lognormal_size.h"

namespace ioflux {
namespace {

TEST(Ziggurat, ThresholdsBeginAsPublished) {
  constexpr std::array<std::uint32_t, 6> kFirst = {0x76ad2212, 0x00000000, 0x600f1b53,
                                                   0x6ce447a6, 0x725b46a2, 0x7560051d};
  for (std::size_t i = 0; i < kFirst.size(); ++i)
    EXPECT_EQ(Ziggurat().threshold[i], kFirst[i]) << i;
}

TEST(DrawNormal, FirstNumbersForSeedOne) {
  PcgDxsm random(1);
  for (const double expected : {-0.8024826241110656, 0.424707052949676, -0.4985070978632815,
                                -0.9872764577745818, 0.4770185009670911, -0.37300956589935985}) {
    EXPECT_DOUBLE_EQ(DrawNormal(random), expected);
  }
}

TEST(DrawNormal, HasMeanZeroVarianceOneAndTails) {
  PcgDxsm random(3);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0;
  int beyond_3 = 0, tail_low = 0, tail_high = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = DrawNormal(random);
    sum += z;
    squares += z * z;
    beyond_3 += std::fabs(z) > 3 ? 1 : 0;
    tail_low += z < -3.4426 ? 1 : 0;  // only the tail strip gives these
    tail_high += z > 3.4426 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
  EXPECT_NEAR(beyond_3, kDraws * 0.0027, 100);
  EXPECT_NEAR(tail_low, kDraws * 0.000288, 40);
  EXPECT_NEAR(tail_high, kDraws * 0.000288, 40);
}

TEST(LognormalSize, HasItsMeanAndStaysBetweenOneAndTheLimit) {
  PcgDxsm random(2);
  const LognormalSize sizes(16'384);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) sum += static_cast<double>(sizes.Draw(random, INT64_MAX));
  EXPECT_NEAR(sum / 100'000, 16'384, 100);

  const LognormalSize tiny(1);
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t size = tiny.Draw(random, 2);
    EXPECT_GE(size, 1);
    EXPECT_LE(size, 2);
  }
  // A mean at the end of the range must not overflow.
  const LognormalSize huge(INT64_MAX);
  for (int i = 0; i < 1000; ++i) EXPECT_GT(huge.Draw(random, INT64_MAX), 0);
}

}  // namespace
}  // namespace ioflux
