// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/causal_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace ioflux {
namespace {

std::int64_t Now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr StopQuestion kNever{};

/// Op 1 of stream 1 waits for two ops of stream 0; both streams have three ops.
CausalGate TwoStreams() {
  CausalOrder order;
  order.needs = {{.stream = 0, .ops = 2}};
  order.waits = {{}, {{.op = 1, .first_need = 0, .last_need = 1}}};
  order.involved = {0, 1};
  return CausalGate::Create(std::move(order), {3, 3}).value();
}

TEST(CausalGate, AnOpMayStartWhenWhatItNeedsIsOver) {
  CausalGate gate = TwoStreams();
  CausalCursor first(&gate, 0);
  CausalCursor second(&gate, 1);
  EXPECT_TRUE(second.MayStart(0, 0));
  EXPECT_FALSE(second.MayStart(1, 0));
  first.Done(1);
  EXPECT_FALSE(second.MayStart(1, 0));
  first.Done(2);
  EXPECT_TRUE(second.MayStart(1, 0));
  EXPECT_TRUE(second.MayStart(2, 0));
}

TEST(CausalGate, EveryPassWaitsForTheSamePass) {
  CausalGate gate = TwoStreams();
  CausalCursor first(&gate, 0);
  CausalCursor second(&gate, 1);
  first.Done(3);
  EXPECT_TRUE(second.MayStart(1, 0));
  second.Done(3);
  second.Rewind();
  EXPECT_TRUE(second.MayStart(0, 1));
  EXPECT_FALSE(second.MayStart(1, 1));
  first.Done(5);
  EXPECT_TRUE(second.MayStart(1, 1));
}

TEST(CausalGate, NoStreamBeginsAPassBeforeTheOthersHaveEndedTheirs) {
  CausalGate gate = TwoStreams();
  CausalCursor first(&gate, 0);
  CausalCursor second(&gate, 1);
  first.Done(3);
  first.Rewind();
  EXPECT_FALSE(first.MayStart(0, 1)) << "stream 1 may still read what would be overwritten";
  second.Done(3);
  EXPECT_TRUE(first.MayStart(0, 1));
}

TEST(CausalGate, AWaiterWakesWhenTheOpIsOver) {
  CausalGate gate = TwoStreams();
  std::atomic<bool> passed = false;
  std::thread waiter([&] {
    CausalCursor second(&gate, 1);
    EXPECT_TRUE(second.Await(1, 0, {.now_ns = Now}, kNever));
    passed = true;
  });
  CausalCursor first(&gate, 0);
  first.Done(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(passed);
  first.Done(2);
  waiter.join();
  EXPECT_TRUE(passed);
  EXPECT_EQ(gate.waits(), 1U);
  EXPECT_GT(gate.waited_ns(), 0U);
  EXPECT_EQ(gate.broken(), 0U);
}

TEST(CausalGate, AStreamThatEndsLetsOthersPassAndThatIsCounted) {
  CausalGate gate = TwoStreams();
  CausalCursor first(&gate, 0);
  CausalCursor second(&gate, 1);
  first.Done(1);
  first.Withdraw();
  EXPECT_TRUE(second.MayStart(1, 0));
  EXPECT_EQ(gate.broken(), 1U);
}

TEST(CausalGate, AStreamThatEndedAfterItsOpsBreaksNothing) {
  CausalGate gate = TwoStreams();
  CausalCursor first(&gate, 0);
  CausalCursor second(&gate, 1);
  first.Done(3);
  first.Withdraw();
  EXPECT_TRUE(second.MayStart(1, 0));
  EXPECT_EQ(gate.broken(), 0U);
}

TEST(CausalGate, AWaitEndsWhenToldToStop) {
  CausalGate gate = TwoStreams();
  CausalCursor second(&gate, 1);
  EXPECT_FALSE(second.Await(1, 0, {.now_ns = Now}, {.ask = [](void*) { return true; }}));
}

}  // namespace
}  // namespace ioflux
