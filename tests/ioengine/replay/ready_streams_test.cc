// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/ready_streams.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

std::vector<std::uint32_t> Drain(ReadyStreams& ready) {
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    order.push_back(ready.front());
    ready.Pop();
  }
  return order;
}

TEST(ReadyStreams, AsapTakesThemInTheOrderTheyCame) {
  ReadyStreams ready(/*paced=*/false, 3);
  for (int round = 0; round < 3; ++round) {  // the ring goes round
    ready.Push(2, 0);
    ready.Push(0, 0);
    EXPECT_EQ(ready.front_due_ns(), INT64_MIN);
    EXPECT_EQ(Drain(ready), (std::vector<std::uint32_t>{2, 0}));
  }
  EXPECT_EQ(ready.front_due_ns(), INT64_MAX);
}

TEST(ReadyStreams, PacedTakesTheEarliestFirst) {
  ReadyStreams ready(/*paced=*/true, 4);
  ready.Push(0, 30);
  ready.Push(1, -10);
  ready.Push(2, 20);
  ready.Push(3, 20);
  EXPECT_EQ(ready.front_due_ns(), -10);
  EXPECT_EQ(Drain(ready), (std::vector<std::uint32_t>{1, 2, 3, 0}));
  EXPECT_EQ(ready.front_due_ns(), INT64_MAX);
}

}  // namespace
}  // namespace ioflux
