// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/deadline_wait.h"

#include <gtest/gtest.h>
#include <time.h>

namespace ioflux {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::int64_t Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

constexpr HostClock kClock{.now_ns = Now};
constexpr StopQuestion kAlways{.ask = [](void*) { return true; }};

TEST(DeadlineWait, NeverReturnsBeforeTheDeadline) {
  for (const std::int64_t spin_ns : {std::int64_t{0}, std::int64_t{60'000}}) {
    const DeadlineWait wait(kClock, spin_ns);
    for (const std::int64_t ahead_ns : {std::int64_t{10'000}, kMs, 5 * kMs}) {
      const std::int64_t due_ns = Now() + ahead_ns;
      EXPECT_TRUE(wait.Until(due_ns, {}));
      EXPECT_GE(Now(), due_ns);
    }
  }
}

TEST(DeadlineWait, APassedDeadlineIsNotWaitedForAndNobodyIsAsked) {
  EXPECT_TRUE(DeadlineWait(kClock, 0).Until(Now() - kMs, kAlways));
}

TEST(DeadlineWait, ALongWaitEndsWhenToldToStop) {
  const std::int64_t hour_ns = std::int64_t{3600} * 1000 * kMs;
  EXPECT_FALSE(DeadlineWait(kClock, 60'000).Until(Now() + hour_ns, kAlways));
}

TEST(AutoSpin, IsOffWhereOperationsAreDense) {
  constexpr std::int64_t kSecond = 1'000 * kMs;
  EXPECT_EQ(AutoSpinNs(kSecond, 1000, 2), 60'000);  // 2 ms per op and processor
  EXPECT_EQ(AutoSpinNs(kSecond, 50'000, 2), 0);     // 40 us
  EXPECT_EQ(AutoSpinNs(0, 1000, 2), 0);
  EXPECT_EQ(AutoSpinNs(kSecond, 0, 2), 0);
}

}  // namespace
}  // namespace ioflux
