// SPDX-License-Identifier: GPL-2.0-only
#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace ioflux {
namespace {

constexpr std::array<std::string_view, 4> kModes = {"asap", "think", "timeline", "max-inflight"};

TEST(NearestName, FindsSlipsSwapsCaseAndUnderscores) {
  EXPECT_EQ(NearestName("asp", kModes), "asap");
  EXPECT_EQ(NearestName("thikn", kModes), "think");
  EXPECT_EQ(NearestName("TIMELINE", kModes), "timeline");
  EXPECT_EQ(NearestName("max_inflight", kModes), "max-inflight");
  EXPECT_EQ(NearestName("maxinflite", kModes), "max-inflight");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(NearestName("gallop", kModes), "");
  EXPECT_EQ(NearestName("", kModes), "");
  EXPECT_EQ(NearestName(std::string(100'000, 'a'), kModes), "");
  EXPECT_EQ(NearestName("asap", {}), "");
}

TEST(SuggestName, ListsTheKnownWordsWhenNothingIsNear) {
  EXPECT_EQ(SuggestName("asp", kModes), "did you mean 'asap'?");
  EXPECT_EQ(SuggestName("gallop", kModes), "known: asap, think, timeline, max-inflight");
}

}  // namespace
}  // namespace ioflux
