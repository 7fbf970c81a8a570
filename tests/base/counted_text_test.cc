// SPDX-License-Identifier: GPL-2.0-only
#include "base/counted_text.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

TEST(WithCounts, EachCountTakesTheNextPlace) {
  EXPECT_EQ(WithCounts("{} of {} op(s)", {2, 10}), "2 of 10 op(s)");
  EXPECT_EQ(WithCounts("{} op(s)", {UINT64_MAX, 1}), "18446744073709551615 op(s)");
}

TEST(WithCounts, WithoutCountsANameKeepsItsBraces) {
  EXPECT_EQ(WithCounts("opened buffered: a{}.bin", {}), "opened buffered: a{}.bin");
}

}  // namespace
}  // namespace ioflux
