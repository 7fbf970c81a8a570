// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/settings.h"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace ioflux
