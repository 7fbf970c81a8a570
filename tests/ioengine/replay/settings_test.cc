// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/settings.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace ioflux {
namespace {

TEST(Settings, EveryRowHasItsOwnNamesAndALegalDefault) {
  std::set<std::string_view> options;
  std::set<std::string_view> flags;
  for (const SettingInfo& info : AllSettings()) {
    EXPECT_TRUE(options.insert(info.option).second) << info.option;
    EXPECT_TRUE(flags.insert(info.flag).second) << info.flag;
    EXPECT_FALSE(info.help.empty()) << info.option;
    ReplaySettings settings;
    EXPECT_TRUE(settings.Set(info.id, info.fallback)) << info.option;
    EXPECT_EQ(settings.text(info.id), info.fallback) << info.option;
  }
}

TEST(Settings, AnUnknownWordGetsTheNearestOne) {
  ReplaySettings settings;

  const Result<void> set = settings.Set(Setting::kPrepare, "materialise-synthetic");

  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().kind, ErrorKind::kUsage);
  EXPECT_NE(set.error().mend.find("materialize-synthetic"), std::string::npos);
  EXPECT_EQ(settings.text(Setting::kPrepare), "none");
}

TEST(Settings, NumbersAreCheckedAndNormalised) {
  ReplaySettings settings;
  EXPECT_TRUE(settings.Set(Setting::kFillSeed, "007"));
  EXPECT_EQ(settings.text(Setting::kFillSeed), "7");
  EXPECT_EQ(settings.number(Setting::kFillSeed), 7U);
  for (const char* bad : {"", "-1", "1.0", "seven", "18446744073709551616"}) {
    EXPECT_FALSE(settings.Set(Setting::kFillSeed, bad)) << bad;
  }
}

TEST(Settings, BooleansTakeTheUsualWords) {
  ReplaySettings settings;
  EXPECT_TRUE(settings.Set(Setting::kUnconfined, "yes"));
  EXPECT_TRUE(settings.boolean(Setting::kUnconfined));
  EXPECT_TRUE(settings.Set(Setting::kUnconfined, "0"));
  EXPECT_FALSE(settings.boolean(Setting::kUnconfined));
  EXPECT_FALSE(settings.Set(Setting::kUnconfined, "perhaps"));
}

TEST(Settings, AMemRunHasNoTargetRoot) {
  ReplaySettings settings;
  ASSERT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
  ASSERT_TRUE(settings.Set(Setting::kTargetRoot, "/srv"));
  EXPECT_EQ(settings.CheckCombination().error().kind, ErrorKind::kUsage);
  ASSERT_TRUE(settings.Set(Setting::kBackend, "local"));
  EXPECT_TRUE(settings.CheckCombination());
}

TEST(Settings, DurationsAreKeptExactInTheirLargestUnit) {
  ReplaySettings settings;
  for (const auto& [text, kept] :
       {std::pair{"0.5ms", "500us"}, {"60us", "60us"}, {"none", "none"}, {"2000000us", "2s"}}) {
    EXPECT_TRUE(settings.Set(Setting::kMaxLag, text)) << text;
    EXPECT_EQ(settings.text(Setting::kMaxLag), kept);
  }
  EXPECT_EQ(settings.duration_ns(Setting::kMaxLag), 2'000'000'000);
  EXPECT_EQ(settings.duration_ns(Setting::kSpin), std::nullopt);
  const Result<void> bad = settings.Set(Setting::kSpin, "60");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().mend.find("auto"), std::string::npos) << bad.error().mend;
  EXPECT_FALSE(settings.Set(Setting::kSpin, "2ms")) << "beyond the maximum of 1 ms";
  EXPECT_FALSE(settings.Set(Setting::kCurveInterval, "1us")) << "below the minimum of 1 ms";
}

TEST(Settings, FactorsAreAboveZero) {
  ReplaySettings settings;
  EXPECT_TRUE(settings.Set(Setting::kSpeedup, "2.50"));
  EXPECT_EQ(settings.text(Setting::kSpeedup), "2.5");
  for (const char* bad : {"0", "-1", "nan", "inf", "fast", ""}) {
    EXPECT_FALSE(settings.Set(Setting::kSpeedup, bad)) << bad;
  }
}

// IOFlux lets a speedup work in timeline too, while its drift threshold ignores it (U-1).
TEST(Settings, ASpeedupOutsideScaledIsRefused) {
  for (const char* mode : {"asap", "think", "timeline"}) {
    ReplaySettings settings;
    ASSERT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
    ASSERT_TRUE(settings.Set(Setting::kMode, mode));
    ASSERT_TRUE(settings.Set(Setting::kSpeedup, "4"));
    EXPECT_FALSE(settings.CheckCombination()) << mode;
    ASSERT_TRUE(settings.Set(Setting::kMode, "scaled"));
    EXPECT_TRUE(settings.CheckCombination());
  }
}

TEST(Settings, ALatenessLimitNeedsAPacedMode) {
  ReplaySettings settings;
  ASSERT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
  ASSERT_TRUE(settings.Set(Setting::kMaxLag, "5ms"));
  EXPECT_FALSE(settings.CheckCombination());
  ASSERT_TRUE(settings.Set(Setting::kMode, "think"));
  EXPECT_TRUE(settings.CheckCombination());
}

TEST(Settings, U8_ADirectAlignmentMustBeAPowerOfTwo) {
  ReplaySettings settings;
  ASSERT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
  for (const char* bytes : {"3", "4095", "4097"}) {
    ASSERT_TRUE(settings.Set(Setting::kDirectAlign, bytes));
    EXPECT_EQ(settings.CheckCombination().error().kind, ErrorKind::kUsage) << bytes;
  }
  for (const char* bytes : {"0", "1", "512", "4096", "16777216"}) {
    ASSERT_TRUE(settings.Set(Setting::kDirectAlign, bytes));
    EXPECT_TRUE(settings.CheckCombination()) << bytes;
  }
  EXPECT_FALSE(settings.Set(Setting::kDirectAlign, "33554432"));
}

TEST(Settings, ASourceRootAndCopyingGoTogether) {
  ReplaySettings settings;
  ASSERT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
  ASSERT_TRUE(settings.Set(Setting::kPrepare, "materialize-from-source"));
  EXPECT_NE(settings.CheckCombination().error().mend.find("--source-root"), std::string::npos);
  ASSERT_TRUE(settings.Set(Setting::kSourceRoot, "/"));
  EXPECT_TRUE(settings.CheckCombination());
  ASSERT_TRUE(settings.Set(Setting::kPrepare, "none"));
  EXPECT_EQ(settings.CheckCombination().error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace ioflux
