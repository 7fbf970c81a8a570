// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/checkpoint_write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/trace_tools/generate/trace_text.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kKiB = 1024;

CheckpointWriteParams Small() {
  return {.model_bytes = 256 * kKiB, .ranks = 4, .block_bytes = 32 * kKiB};
}

std::map<OpKind, std::int64_t> Counts(const TraceText& trace) {
  std::map<OpKind, std::int64_t> counts;
  for (const Op& op : trace.ops) ++counts[op.kind];
  return counts;
}

struct GoldenTrace {
  const char* name;
  CheckpointWriteParams params;
  std::int64_t ops, duration_ns;
  const char* digest;
};

TEST(CheckpointWriteGolden, OpLinesHaveTheKnownDigests) {
  const std::vector<GoldenTrace> traces = {
      {"two checkpoints",
       {.model_bytes = 256 * kKiB,
        .ranks = 4,
        .block_bytes = 32 * kKiB,
        .checkpoints = 2,
        .interval_s = 1.5},
       40,
       1'500'000'000,
       "sha256:4aed7dcd3faa6dea29fac1278f43283566cdb537b8d6e678592519633a900cd7"},
      {"remainder",
       {.model_bytes = 100'001, .ranks = 7, .block_bytes = 4096, .fsync = "none"},
       42,
       0,
       "sha256:a72c83d6dba57c4d580ab9a3b14cc9541d87c70f290b103ee2a9dfb2dcabefdd"},
      {"final fsync",
       {.model_bytes = 256 * kKiB,
        .ranks = 4,
        .block_bytes = 32 * kKiB,
        .checkpoints = 3,
        .fsync = "final"},
       52,
       0,
       "sha256:12580bfbfb22d59b09170f9f55e35dcce450f2636a5fa24ad642004259554661"},
      {"defaults",
       {},
       4120,
       0,
       "sha256:26fe88cded371a85a010a4fe7235bebd2ec8689c28594ecea636ba3680dc4a79"},
  };
  for (const GoldenTrace& golden : traces) {
    SCOPED_TRACE(golden.name);
    const TraceText trace = TextOf(GenerateCheckpointWrite(golden.params));

    EXPECT_EQ(trace.Digest(), golden.digest);
    EXPECT_EQ(static_cast<std::int64_t>(trace.ops.size()), golden.ops);
    EXPECT_EQ(trace.header.summary.num_ops, golden.ops);
    EXPECT_EQ(trace.header.summary.duration_ns, golden.duration_ns);
    EXPECT_EQ(trace.header.summary.num_streams, golden.params.ranks);
  }
}

TEST(CheckpointWriteGolden, CompleteSmallCase) {
  const TraceText trace = TextOf(GenerateCheckpointWrite({.model_bytes = 5,
                                                          .ranks = 2,
                                                          .block_bytes = 2,
                                                          .checkpoints = 2,
                                                          .interval_s = 0.5,
                                                          .fsync = "final"}));

  EXPECT_EQ(
      trace.op_lines,
      R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create","trunc"]}
{"t":0,"op_id":1,"s":0,"op":"WRITE","h":1,"off":0,"len":2}
{"t":0,"op_id":2,"s":0,"op":"CLOSE","h":1}
{"t":0,"op_id":3,"s":1,"op":"OPEN","tgt":1,"h":2,"mode":"w","flags":["create","trunc"]}
{"t":0,"op_id":4,"s":1,"op":"WRITE","h":2,"off":0,"len":2}
{"t":0,"op_id":5,"s":1,"op":"WRITE","h":2,"off":2,"len":1}
{"t":0,"op_id":6,"s":1,"op":"CLOSE","h":2}
{"t":500000000,"op_id":7,"s":0,"op":"OPEN","tgt":2,"h":3,"mode":"w","flags":["create","trunc"]}
{"t":500000000,"op_id":8,"s":0,"op":"WRITE","h":3,"off":0,"len":2}
{"t":500000000,"op_id":9,"s":0,"op":"FSYNC","h":3}
{"t":500000000,"op_id":10,"s":0,"op":"CLOSE","h":3}
{"t":500000000,"op_id":11,"s":1,"op":"OPEN","tgt":3,"h":4,"mode":"w","flags":["create","trunc"]}
{"t":500000000,"op_id":12,"s":1,"op":"WRITE","h":4,"off":0,"len":2}
{"t":500000000,"op_id":13,"s":1,"op":"WRITE","h":4,"off":2,"len":1}
{"t":500000000,"op_id":14,"s":1,"op":"FSYNC","h":4}
{"t":500000000,"op_id":15,"s":1,"op":"CLOSE","h":4}
)");
}

TEST(CheckpointWrite, EqualParametersGiveEqualBytes) {
  CheckpointWriteParams params = Small();
  params.checkpoints = 3;
  params.interval_s = 1.5;

  EXPECT_EQ(FileOf(GenerateCheckpointWrite(params)), FileOf(GenerateCheckpointWrite(params)));
}

TEST(CheckpointWrite, EveryShapeIsSound) {
  std::vector<CheckpointWriteParams> shapes(8, Small());
  shapes[0].fsync = "final";
  shapes[1].fsync = "none";
  shapes[2].fsync = "per-file";
  shapes[3].interval_s = 2;
  shapes[3].checkpoints = 3;
  shapes[4].checkpoints = 2;
  shapes[5].ranks = 1;
  shapes[6].block_bytes = shapes[6].model_bytes;
  shapes[7] = {.model_bytes = 100'001, .ranks = 7, .block_bytes = INT64_MAX};
  for (const CheckpointWriteParams& params : shapes) {
    EXPECT_FALSE(FileOf(GenerateCheckpointWrite(params)).empty());  // it validates
  }
}

TEST(CheckpointWrite, WritesTheWholeModelPerCheckpoint) {
  CheckpointWriteParams params = Small();
  params.checkpoints = 3;
  const TraceText trace = TextOf(GenerateCheckpointWrite(params));

  std::int64_t bytes = 0;
  for (const Op& op : trace.ops) bytes += op.length_bytes;
  EXPECT_EQ(bytes, 3 * params.model_bytes);
  EXPECT_EQ(trace.header.summary.total_bytes, bytes);
  EXPECT_EQ(trace.header.targets.size(), 12U);
}

TEST(CheckpointWrite, LastRankTakesTheRemainder) {
  const TraceHeader header =
      TextOf(GenerateCheckpointWrite({.model_bytes = 100'001, .ranks = 7})).header;

  for (std::size_t rank = 0; rank < 6; ++rank) EXPECT_EQ(header.targets[rank].size_bytes, 14'285);
  EXPECT_EQ(header.targets[6].size_bytes, 14'291);
}

TEST(CheckpointWrite, FsyncWordDecidesHowManyThereAre) {
  CheckpointWriteParams params = Small();
  params.checkpoints = 3;
  for (const auto& [word, count] :
       std::map<std::string, std::int64_t>{{"per-file", 12}, {"none", 0}, {"final", 4}}) {
    params.fsync = word;
    EXPECT_EQ(Counts(TextOf(GenerateCheckpointWrite(params)))[OpKind::kFSYNC], count) << word;
  }
}

TEST(CheckpointWrite, OpsOfACheckpointShareItsStart) {
  CheckpointWriteParams params = Small();
  params.checkpoints = 2;
  for (const double interval : {0.0, 1.0}) {
    params.interval_s = interval;
    const TraceText trace = TextOf(GenerateCheckpointWrite(params));
    std::set<std::int64_t> times;
    for (const Op& op : trace.ops) times.insert(op.t_ns);
    EXPECT_EQ(times, interval == 0 ? (std::set<std::int64_t>{0})
                                   : (std::set<std::int64_t>{0, 1'000'000'000}));
    EXPECT_EQ(trace.header.targets.size(), 8U);
  }
}

TEST(CheckpointWrite, HeaderSaysWhatWasGenerated) {
  CheckpointWriteParams params = Small();
  params.checkpoints = 2;
  params.interval_s = 1.5;
  const TraceHeader header = TextOf(GenerateCheckpointWrite(params)).header;

  EXPECT_EQ(header.version, 1);
  EXPECT_EQ(header.kind, "synthetic");
  EXPECT_EQ(header.profile, "checkpoint-write");
  EXPECT_EQ(header.capture_method, "synthetic");
  EXPECT_EQ(header.targets[5].name, "checkpoint_0001/shard_0001.pt");
  EXPECT_EQ(header.targets[5].id, 5);
  EXPECT_EQ(header.notes,
            "2 checkpoints of a 0 MiB model by 4 ranks, 0 MiB blocks, every 1.5s, fsync per-file");
}

TEST(CheckpointWriteModel, OpsOfARankFollowOneAnotherAndTheIntervalHolds) {
  CheckpointWriteParams params = {
      .model_bytes = 5,
      .ranks = 2,
      .block_bytes = 2,
      .checkpoints = 2,
      .interval_s = 1e-6,
      .model = {.bandwidth_bytes_per_s = 1'000'000'000, .latency_ns = 10}};
  const TraceText trace = TextOf(GenerateCheckpointWrite(params));

  EXPECT_FALSE(FileOf(GenerateCheckpointWrite(params)).empty());
  std::map<std::int64_t, std::int64_t> next_t;
  for (const Op& op : trace.ops) {
    EXPECT_EQ(op.duration_ns, 10 + op.length_bytes);
    const bool starts = op.kind == OpKind::kOPEN && op.target >= 2;
    EXPECT_EQ(op.t_ns, starts ? 1000 : next_t[op.stream]);
    next_t[op.stream] = op.t_ns + op.duration_ns;
  }
  EXPECT_EQ(trace.header.summary.duration_ns, trace.ops.back().t_ns);
}

TEST(CheckpointWriteModel, CheckpointThatOverrunsDelaysTheNext) {
  const TraceText trace = TextOf(GenerateCheckpointWrite({.model_bytes = 4,
                                                          .ranks = 1,
                                                          .block_bytes = 4,
                                                          .checkpoints = 3,
                                                          .interval_s = 1e-6,
                                                          .fsync = "none",
                                                          .model = {.latency_ns = 400}}));

  std::vector<std::int64_t> opens;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kOPEN) opens.push_back(op.t_ns);
  }
  EXPECT_THAT(opens, ElementsAre(0, 1200, 2400));
  EXPECT_EQ(trace.header.summary.duration_ns, 3200);
  EXPECT_EQ(trace.ops.back().t_ns, 3200);
}

std::string Refusal(const std::function<void(CheckpointWriteParams&)>& change) {
  CheckpointWriteParams params = Small();
  change(params);
  const Result<GeneratedTrace> trace = GenerateCheckpointWrite(params);
  EXPECT_FALSE(trace);
  if (trace) return "";
  EXPECT_EQ(trace.error().kind, ErrorKind::kUsage);
  return Describe(trace.error());
}

TEST(CheckpointWriteRefuses, EachParameterOutOfRangeByName) {
  using P = CheckpointWriteParams;
  EXPECT_EQ(Refusal([](P& p) { p.model_bytes = 0; }),
            "--model-size: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.ranks = 0; }), "--writer-ranks: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) {
              p.model_bytes = 4;
              p.ranks = 8;
            }),
            "--writer-ranks: 8 ranks cannot share a model of 4 bytes");
  EXPECT_EQ(Refusal([](P& p) { p.block_bytes = 0; }),
            "--write-block: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.checkpoints = 0; }),
            "--num-checkpoints: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.interval_s = -1; }),
            "--checkpoint-interval: it must be at least 0, but it is -1");
  for (const double interval :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(Refusal([=](P& p) { p.interval_s = interval; }),
              "--checkpoint-interval: it must be a finite number of seconds");
  }
  EXPECT_EQ(Refusal([](P& p) { p.fsync = "sometimes"; }),
            "--fsync: unknown word 'sometimes'\n  try: known: per-file, final, none");
}

TEST(CheckpointWriteRefuses, IntervalsAndBytesThatDoNotFit) {
  using P = CheckpointWriteParams;
  EXPECT_EQ(Refusal([](P& p) { p.interval_s = 9.3e9; }),
            "--checkpoint-interval: it is longer than 292 years");
  EXPECT_EQ(Refusal([](P& p) {
              p.interval_s = 9e9;
              p.checkpoints = 3;
            }),
            "--checkpoint-interval: the trace would last longer than 292 years");
  EXPECT_THAT(Refusal([](P& p) {
                p.model_bytes = INT64_MAX / 2;
                p.checkpoints = 3;
              }),
              HasSubstr("more than 2^63-1 bytes"));
}

TEST(CheckpointWriteRefuses, MoreFilesThanAHeaderHoldsAndSaysHowManyFit) {
  CheckpointWriteParams params = {.model_bytes = INT64_C(1'000'000'000), .ranks = 100};
  params.checkpoints = 100'000;
  const Result<GeneratedTrace> refused = GenerateCheckpointWrite(params);
  ASSERT_FALSE(refused);
  const std::string& mend = refused.error().mend;
  ASSERT_THAT(mend, HasSubstr("use at most "));
  params.checkpoints = std::stoll(mend.substr(std::string("use at most ").size()));
  EXPECT_TRUE(GenerateCheckpointWrite(params));
  ++params.checkpoints;
  EXPECT_FALSE(GenerateCheckpointWrite(params));

  EXPECT_THAT(Refusal([](CheckpointWriteParams& p) { p.ranks = p.model_bytes = INT64_MAX; }),
              HasSubstr("ranks"));
}

}  // namespace
}  // namespace ioflux
