// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/causal_order.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

/// Ops of a trace in file order; times and durations in units of 10 ns.
class Order : public testing::Test {
 protected:
  void Op(int stream, int t, int duration, const std::string& what) {
    ops_.push_back(R"({"t":)" + std::to_string(t * 10) + R"(,"op_id":)" +
                   std::to_string(ops_.size()) + R"(,"s":)" + std::to_string(stream) + R"(,"op":)" +
                   what +
                   (duration < 0 ? "}" : R"(,"dur":)" + std::to_string(duration * 10) + "}"));
    streams_.insert(stream);
  }
  void Create(int stream, int t, int duration = 1) {
    Op(stream, t, duration,
       R"("OPEN","tgt":0,"h":)" + Handle(stream) + R"(,"mode":"w","flags":["create"])");
  }
  void Open(int stream, int t, int duration = 1) {
    Op(stream, t, duration, R"("OPEN","tgt":0,"h":)" + Handle(stream) + R"(,"mode":"r")");
  }
  void Write(int stream, int t, int offset, int bytes, int duration = 1) {
    Op(stream, t, duration, R"("WRITE","h":)" + Handle(stream) + Range(offset, bytes));
  }
  void Read(int stream, int t, int offset, int bytes, int duration = 1) {
    Op(stream, t, duration, R"("READ","h":)" + Handle(stream) + Range(offset, bytes));
  }
  void Close(int stream, int t, int duration = 1) {
    Op(stream, t, duration, R"("CLOSE","h":)" + Handle(stream));
    ++handles_[stream];
  }
  void Verb(int stream, int t, const std::string& verb, int duration = 1) {
    Op(stream, t, duration, "\"" + verb + R"(","tgt":0)");
  }

  /// "1.2<0.3" for each need: op 2 of stream 1 waits until 3 ops of stream 0 are over.
  std::set<std::string> Waits() {
    Result<LoadedTrace> trace =
        LoadTrace(dir_.Write("t", TraceText({{"f", 0}}, ops_, static_cast<int>(streams_.size()))));
    EXPECT_TRUE(trace) << Describe(trace.error());
    if (!trace) return {};
    order_ = DeriveCausalOrder(trace.value(), {0});
    std::set<std::string> all;
    for (std::size_t stream = 0; stream < order_.waits.size(); ++stream) {
      for (const CausalWait& wait : order_.waits[stream]) {
        for (std::uint32_t i = wait.first_need; i < wait.last_need; ++i) {
          all.insert(std::to_string(stream) + "." + std::to_string(wait.op) + "<" +
                     std::to_string(order_.needs[i].stream) + "." +
                     std::to_string(order_.needs[i].ops));
        }
      }
    }
    return all;
  }

  std::uint64_t Pairs(CausalRule rule) const {
    return order_.pairs[static_cast<std::size_t>(rule)];
  }

  CausalOrder order_;

 private:
  std::string Handle(int stream) { return std::to_string(stream * 100 + handles_[stream]); }
  static std::string Range(int offset, int bytes) {
    return R"(,"off":)" + std::to_string(offset) + R"(,"len":)" + std::to_string(bytes);
  }

  TempDir dir_;
  std::vector<std::string> ops_;
  std::set<int> streams_;
  std::map<int, int> handles_;
};

using Set = std::set<std::string>;

TEST_F(Order, AReadWaitsForTheWriteOfItsBytes) {
  Create(0, 0);
  Open(1, 5);
  Write(0, 10, 0, 100);
  Write(0, 20, 100, 100);
  Read(1, 30, 0, 50);
  Read(1, 40, 150, 10);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1", "1.1<0.2", "1.2<0.3"}));
  EXPECT_EQ(Pairs(CausalRule::kReadAfterWrite), 2U);
  EXPECT_EQ(Pairs(CausalRule::kUseAfterCreate), 1U);
}

TEST_F(Order, OnlyTheLastWriterOfEachByteIsWaitedFor) {
  Create(0, 0);
  Open(2, 5);
  Create(1, 6);
  Write(0, 10, 0, 100);
  Write(1, 20, 40, 20);
  Read(2, 30, 40, 20);
  EXPECT_EQ(Waits().count("2.1<1.2"), 1U);
  EXPECT_EQ(Waits().count("2.1<0.2"), 0U) << "overwritten by stream 1";
}

TEST_F(Order, PartsOfAnOverwrittenExtentKeepTheirWriter) {
  Create(0, 0);
  Create(1, 5);
  Open(2, 6);
  Write(0, 10, 0, 100);
  Write(1, 20, 40, 20);
  Read(2, 30, 0, 100);
  const Set waits = Waits();
  EXPECT_EQ(waits.count("2.1<0.2"), 1U);
  EXPECT_EQ(waits.count("2.1<1.2"), 1U);
}

TEST_F(Order, WhatOverlappedInTheSourceWaitsForNothing) {
  Create(0, 0);
  Open(1, 5);
  Write(0, 10, 0, 100, /*duration=*/50);
  Read(1, 30, 0, 50);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1"}));
}

TEST_F(Order, WithoutDurationsALaterTimeIsAfterAndTheSameTimeIsNot) {
  Create(0, 0, -1);
  Open(1, 1, -1);
  Write(0, 2, 0, 100, -1);
  Read(1, 2, 0, 100, -1);
  Read(1, 3, 0, 100, -1);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1", "1.2<0.2"}));
}

TEST_F(Order, AStreamThatWaitedOnceDoesNotWaitAgainForLess) {
  Create(0, 0);
  Write(0, 10, 0, 100);
  Write(0, 20, 100, 100);
  Open(1, 30);
  Read(1, 40, 150, 10);
  Read(1, 50, 0, 10);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1", "1.1<0.3"}));
  EXPECT_EQ(Pairs(CausalRule::kReadAfterWrite), 2U) << "both pairs are kept";
}

TEST_F(Order, AnOpenWaitsForTheCloseOfAWriterAndNotOfAReader) {
  Create(0, 0);
  Open(1, 10);
  Close(1, 20);
  Close(0, 30);
  Open(2, 40);
  const Set waits = Waits();
  EXPECT_EQ(waits.count("2.0<0.2"), 1U);
  EXPECT_EQ(waits.count("2.0<1.2"), 0U);
  EXPECT_EQ(Pairs(CausalRule::kOpenAfterClose), 1U);
}

TEST_F(Order, ADeleteWaitsForThoseWhoUseTheNameAndLaterOnesForIt) {
  Create(0, 0);
  Close(0, 10);
  Verb(1, 20, "STAT");
  Verb(2, 30, "DELETE");
  Create(0, 40);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1", "2.0<0.1", "2.0<1.1", "0.2<2.1"}));
  EXPECT_EQ(Pairs(CausalRule::kDeleteAfterUse), 2U);
  EXPECT_EQ(Pairs(CausalRule::kUseAfterDelete), 1U);
}

TEST_F(Order, AnOpenThatCreatesNothingNewHoldsUpNobody) {
  Create(0, 0);
  Create(1, 10);
  Open(2, 20);
  EXPECT_EQ(Waits(), (Set{"1.0<0.1", "2.0<0.1"})) << "stream 2 needs the creator alone";
}

TEST_F(Order, ReadersOfOneFileHoldUpNobody) {
  for (int stream = 0; stream < 3; ++stream) Open(stream, stream * 10);
  for (int stream = 0; stream < 3; ++stream) Read(stream, 100 + stream * 10, 0, 10);
  for (int stream = 0; stream < 3; ++stream) Close(stream, 200 + stream * 10);
  EXPECT_EQ(Waits(), Set{});
}

TEST_F(Order, ManyOpensAfterManyClosesShareTheirNeeds) {
  constexpr int kStreams = 200;
  for (int stream = 0; stream < kStreams; ++stream) Create(stream, 0, 5);
  for (int stream = 0; stream < kStreams; ++stream) Close(stream, 10, 5);
  for (int stream = 0; stream < kStreams; ++stream) Open(stream, 20, 5);
  Waits();
  EXPECT_LT(order_.needs.size(), 5U * kStreams);
  for (int stream = 0; stream < kStreams; ++stream) {
    ASSERT_FALSE(order_.waits[static_cast<std::size_t>(stream)].empty());
    const CausalWait& wait = order_.waits[static_cast<std::size_t>(stream)].back();
    EXPECT_EQ(wait.op, 2U);
    EXPECT_GE(wait.last_need - wait.first_need, kStreams - 1U);
  }
}

}  // namespace
}  // namespace ioflux
