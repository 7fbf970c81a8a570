// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/trace_loader.h"

#include <gtest/gtest.h>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Loader : public testing::Test {
 protected:
  Result<LoadedTrace> Load(const std::string& text) {
    return LoadTrace(dir_.Write("t.ioflux", text));
  }

  LoadedTrace Loaded(const std::string& text) {
    Result<LoadedTrace> trace = Load(text);
    EXPECT_TRUE(trace) << Describe(trace.error());
    return trace ? std::move(trace).value() : LoadedTrace();
  }

  TempDir dir_;
};

TEST_F(Loader, StreamsComeInAscendingOrderWithTheirOwnOps) {
  const LoadedTrace trace = Loaded(TraceText({{"a", 10}},
                                             {R"({"t":0,"op_id":0,"s":7,"op":"STAT","tgt":0})",
                                              R"({"t":0,"op_id":1,"s":-2,"op":"STAT","tgt":0})",
                                              R"({"t":1,"op_id":2,"s":7,"op":"STAT","tgt":0})"},
                                             2));
  ASSERT_EQ(trace.streams.size(), 2U);
  EXPECT_EQ(trace.streams[0].stream, -2);
  EXPECT_EQ(trace.streams[0].ops.size(), 1U);
  EXPECT_EQ(trace.streams[1].stream, 7);
  EXPECT_EQ(trace.streams[1].ops.size(), 2U);
}

TEST_F(Loader, HandlesBecomeSlotsThatAreReusedAfterClose) {
  const LoadedTrace trace =
      Loaded(TraceText({{"a", 10}, {"b", 10}},
                       {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":900000,"mode":"r"})",
                        R"({"t":0,"op_id":1,"s":0,"op":"CLOSE","h":900000})",
                        R"({"t":0,"op_id":2,"s":0,"op":"OPEN","tgt":1,"h":-5,"mode":"r"})",
                        R"({"t":0,"op_id":3,"s":0,"op":"READ","h":-5,"off":1,"len":4})",
                        R"({"t":0,"op_id":4,"s":0,"op":"CLOSE","h":-5})"}));
  EXPECT_EQ(trace.streams[0].slots, 1U);
  EXPECT_EQ(trace.targets[0].read_extent_bytes, 0);
  EXPECT_EQ(trace.targets[1].read_extent_bytes, 5);
  EXPECT_EQ(trace.streams[0].bytes, 4);
}

TEST_F(Loader, ATargetThatTheTraceCreatesNeedNotExist) {
  const LoadedTrace trace = Loaded(TraceText(
      {{"new", 8}, {"database", 100}},
      {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"rw","flags":["create","trunc"]})",
       R"({"t":0,"op_id":1,"s":0,"op":"WRITE","h":1,"off":0,"len":8})",
       R"({"t":0,"op_id":2,"s":0,"op":"READ","h":1,"off":0,"len":8})",
       R"({"t":0,"op_id":3,"s":0,"op":"CLOSE","h":1})",
       R"({"t":0,"op_id":4,"s":0,"op":"OPEN","tgt":1,"h":2,"mode":"rw","flags":["create"]})",
       R"({"t":0,"op_id":5,"s":0,"op":"READ","h":2,"off":0,"len":16})",
       R"({"t":0,"op_id":6,"s":0,"op":"CLOSE","h":2})"}));
  EXPECT_TRUE(trace.targets[0].created_by_trace);
  EXPECT_FALSE(trace.targets[1].created_by_trace)
      << "it is read before it is written, so it was there";
  EXPECT_TRUE(trace.targets[1].written);
  EXPECT_TRUE(trace.writes());
}

TEST_F(Loader, ReadingAloneWritesNothing) {
  EXPECT_FALSE(
      Loaded(TraceText({{"a", 1}}, {R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})"})).writes());
}

TEST_F(Loader, U7_EveryOpenFlagWordIsCountedKnownOrNot) {
  const LoadedTrace trace = Loaded(TraceText(
      {{"a", 1}},
      {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r","flags":["direct","seq","odd"]})",
       R"({"t":0,"op_id":1,"s":0,"op":"OPEN","tgt":0,"h":2,"mode":"r","flags":["seq"]})"}));
  const std::map<std::string, std::uint64_t> expected = {{"direct", 1}, {"odd", 1}, {"seq", 2}};
  EXPECT_EQ(trace.open_flag_words, expected);
}

TEST_F(Loader, U7_EachOpenFlagWordReachesTheOperation) {
  const std::map<std::string, std::uint32_t> expected = {
      {"create", kOpenCreate}, {"trunc", kOpenTruncate},
      {"sync", kOpenSync},     {"append", kOpenAppend},
      {"direct", kOpenDirect}, {"seq", kOpenSequential},
      {"rand", kOpenRandom},   {"odd", 0}};
  for (const auto& [word, bit] : expected) {
    const LoadedTrace trace = Loaded(TraceText(
        {{"a", 1}}, {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r","flags":[")" +
                     word + R"("]})"}));
    OpCursor cursor(trace.streams[0].ops);
    ReplayOp op;
    ASSERT_TRUE(cursor.Next(op));
    EXPECT_EQ(op.open_bits, kOpenRead | bit) << word;
  }
}

TEST_F(Loader, AnInvalidTraceIsRefusedWithItsFirstFindings) {
  const Result<LoadedTrace> trace =
      Load(TraceText({{"a", 1}}, {R"({"t":0,"op_id":0,"s":0,"op":"READ","h":9,"off":0,"len":1})"}));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().where.line, 2U);
  EXPECT_NE(trace.error().what.find("line 2 [h]"), std::string::npos) << trace.error().what;
  EXPECT_NE(trace.error().mend.find("ioflux validate"), std::string::npos);
}

TEST_F(Loader, ACutTraceIsRefused) {
  std::string text = TraceText({{"a", 1}}, {R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})",
                                            R"({"t":0,"op_id":1,"s":0,"op":"STAT","tgt":0})"});
  text.erase(text.rfind("{\"t\""));
  EXPECT_FALSE(Load(text));
}

TEST_F(Loader, StopsWhenAskedAtTheStartAndOnTheWay) {
  std::vector<std::string> ops;
  for (int i = 0; i < 10000; ++i) {
    ops.push_back(R"({"t":0,"op_id":)" + std::to_string(i) + R"(,"s":0,"op":"STAT","tgt":0})");
  }
  const std::string path = dir_.Write("long.ioflux", TraceText({{"a", 1}}, ops));
  for (int yes = 1; yes <= 3; ++yes) {
    int asked = 0;
    const auto trace = LoadTrace(path, [&] { return ++asked == yes; });
    ASSERT_FALSE(trace) << yes;
    EXPECT_EQ(trace.error().kind, ErrorKind::kFailed);
    EXPECT_EQ(trace.error().what, "stopped while loading the trace");
  }
  EXPECT_TRUE(LoadTrace(path, [] { return false; }));
}

TEST_F(Loader, AMissingFileIsAnIoError) {
  EXPECT_EQ(LoadTrace(dir_ / "missing").error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
