// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/byte_sink.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TraceHeader ImportedHeader() {
  TraceHeader header;
  header.kind = "imported";
  header.capture_method = "import:test";
  header.capture_limitations = "made up";
  return header;
}

OpOrigin At(std::int64_t t_ns) { return {.t_ns = t_ns}; }

BuiltTrace Finish(TraceBuilder& builder) {
  Result<BuiltTrace> trace = builder.Finish(ImportedHeader());
  if (!trace) ADD_FAILURE() << Describe(trace.error());
  return std::move(trace).value();
}

// "t stream id" of every operation.
std::vector<std::string> OrderOf(const BuiltTrace& trace) {
  StringSink sink;
  EXPECT_TRUE(trace.Write(sink));
  auto reader = TraceReader::FromBytes(sink.text(), "built", {});
  EXPECT_TRUE(reader);
  std::vector<std::string> order;
  Op op;
  while (reader.value().Next(op).value()) {
    order.push_back(std::to_string(op.t_ns) + " s" + std::to_string(op.stream) + " #" +
                    std::to_string(op.op_id));
  }
  return order;
}

TEST(TraceBuilder, StreamsAreMergedByTimeThenStreamThenArrival) {
  TraceBuilder builder;
  const StreamId a = builder.AddStream("pid 1");
  const StreamId b = builder.AddStream("pid 2");
  const TargetId target = builder.AddTarget();
  builder.SetTarget(target, "/a", 9216);
  const HandleId ha = builder.Open(At(1000), a, target, OpenMode::kRead, 0);
  const HandleId hb = builder.Open(At(1050), b, target, OpenMode::kRead, 0);
  builder.Read(At(1100), ha, 0, 4096, 4096);
  builder.Read(At(1150), hb, 0, 1024, 1024);
  builder.Read(At(1200), ha, 4096, 4096, 4096);
  builder.Close(At(1250), hb);
  builder.Close(At(1250), ha);

  const BuiltTrace trace = Finish(builder);

  EXPECT_THAT(OrderOf(trace), ElementsAre("0 s0 #0", "50 s1 #1", "100 s0 #2", "150 s1 #3",
                                          "200 s0 #4", "250 s0 #5", "250 s1 #6"));
  EXPECT_EQ(trace.header().summary.num_ops, 7);
  EXPECT_EQ(trace.header().summary.total_bytes, 9216);
  EXPECT_EQ(trace.header().summary.duration_ns, 250);
}

TEST(TraceBuilder, AnOperationBeforeItsPredecessorTakesItsTime) {
  TraceBuilder builder;
  const StreamId stream = builder.AddStream("pid 1");
  const TargetId target = builder.AddTarget();
  builder.SetTarget(target, "/a", 0);
  for (const std::int64_t t : {0, 500, 300, 600}) builder.Stat(At(t), stream, target);

  const BuiltTrace trace = Finish(builder);

  EXPECT_THAT(OrderOf(trace), ElementsAre("0 s0 #0", "500 s0 #1", "500 s0 #2", "600 s0 #3"));
  EXPECT_EQ(trace.clamped(), 1u);
}

TEST(TraceBuilder, ASyntheticCloseYieldsToTheCallsOfItsStream) {
  TraceBuilder builder;
  const StreamId stream = builder.AddStream("pid 1");
  const TargetId target = builder.AddTarget();
  builder.SetTarget(target, "/a", 0);
  const HandleId handle = builder.Open(At(0), stream, target, OpenMode::kRead, 0);
  builder.Read(At(10), handle, 0, 1, 1);
  builder.Close({.t_ns = 30, .synthetic = true}, handle);
  builder.Stat(At(20), stream, target);  // had begun when another thread closed the file

  const BuiltTrace trace = Finish(builder);

  EXPECT_THAT(OrderOf(trace), ElementsAre("0 s0 #0", "10 s0 #1", "20 s0 #2", "30 s0 #3"));
  EXPECT_EQ(trace.clamped(), 0u);
}

TEST(TraceBuilder, TargetsAreNumberedByFirstUseAndUnusedOnesLeaveNoTrace) {
  TraceBuilder builder;
  const StreamId stream = builder.AddStream("pid 1");
  const TargetId unused = builder.AddTarget();
  const TargetId second = builder.AddTarget();
  const TargetId first = builder.AddTarget();
  builder.SetTarget(unused, "/unused", 0);
  builder.SetTarget(second, "/second", 7);
  builder.SetTarget(first, "/first", 0);
  builder.Stat(At(0), stream, first);
  builder.Stat(At(1), stream, second);

  const BuiltTrace trace = Finish(builder);

  ASSERT_EQ(trace.header().targets.size(), 2u);
  EXPECT_EQ(trace.header().targets[0].name, "/first");
  EXPECT_EQ(trace.header().targets[1].name, "/second");
}

TEST(TraceBuilder, DroppedTargetsTakeTheirOperationsAlong) {
  TraceBuilder builder;
  const StreamId stream = builder.AddStream("pid 1");
  const TargetId folder = builder.AddTarget();
  const TargetId file = builder.AddTarget();
  builder.SetTarget(file, "/d/f", 1);
  const HandleId handle =
      builder.Open({.t_ns = 100, .call = 4, .lines = 2}, stream, folder, OpenMode::kRead, 0);
  builder.Close({.t_ns = 110, .lines = 1}, handle);
  builder.Stat(At(200), stream, file);
  std::uint64_t lines = 0;

  builder.DropTargets([&](TargetId target) { return target == folder; },
                      [&](TargetId, const OpRecord& record) { lines += record.lines; });
  const BuiltTrace trace = Finish(builder);

  EXPECT_EQ(lines, 3u);
  EXPECT_THAT(OrderOf(trace), ElementsAre("0 s0 #0")) << "time starts with what is left";
}

TEST(TraceBuilder, AReadOnAHandleThatWasNeverOpenedIsRefused) {
  TraceBuilder builder;
  builder.AddStream("pid 1");
  builder.Read(At(0), /*handle=*/99, 0, 10, 10);

  const Result<BuiltTrace> trace = builder.Finish(ImportedHeader());

  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::kInput);
  EXPECT_THAT(trace.error().what, HasSubstr("line 2 [h]"));
}

TEST(TraceBuilder, AHeaderThatContradictsItselfIsRefused) {
  TraceBuilder builder;
  TraceHeader header = ImportedHeader();
  header.capture_method = "synthetic";

  EXPECT_FALSE(builder.Finish(header));
}

TEST(TraceBuilder, PartialReadsNeedVersionTwo) {
  TraceBuilder builder;
  const StreamId stream = builder.AddStream("pid 1");
  const TargetId target = builder.AddTarget();
  builder.SetTarget(target, "/a", 0);
  const HandleId handle = builder.Open(At(0), stream, target, OpenMode::kRead, kOpenRandom);
  builder.Read(At(1), handle, 0, 100, 10);
  builder.WidenMode(handle, OpenMode::kWrite);

  const BuiltTrace trace = Finish(builder);

  EXPECT_EQ(trace.header().version, 2);
  EXPECT_EQ(trace.header().summary.num_partial_reads, 1);
}

}  // namespace
}  // namespace ioflux
