// SPDX-License-Identifier: GPL-2.0-only
#include "cli/stop_request.h"

#include <gtest/gtest.h>

#include <csignal>

namespace ioflux {
namespace {

TEST(StopRequest, NothingIsAskedBeforeASignal) { EXPECT_EQ(StopRequest().count(), 0); }

TEST(StopRequest, OneWishSignalledTwiceAtOnceIsOneRequest) {
  const StopRequest stop;
  std::raise(SIGINT);
  std::raise(SIGTERM);
  EXPECT_EQ(stop.count(), 1);
}

TEST(StopRequest, EverySignalThatEndsAProgramByDefaultIsHeard) {
  for (const int signal : kStopSignals) {
    const StopRequest stop;
    std::raise(signal);
    EXPECT_EQ(stop.count(), 1) << signal;
  }
}

TEST(StopRequest, EachLifeCountsForItself) {
  {
    const StopRequest stop;
    std::raise(SIGINT);
    EXPECT_EQ(stop.count(), 1);
  }
  const StopRequest stop;
  EXPECT_EQ(stop.count(), 0);
  std::raise(SIGTERM);
  EXPECT_EQ(stop.count(), 1);
}

TEST(StopRequest, OneInsideAnotherForgetsNothingAndEndsNothing) {
  const StopRequest whole;
  std::raise(SIGINT);
  EXPECT_EQ(StopRequest().count(), 1);
  std::raise(SIGTERM);  // the inner one is gone: this must not end the program
  EXPECT_EQ(whole.count(), 1);
}

}  // namespace
}  // namespace ioflux
