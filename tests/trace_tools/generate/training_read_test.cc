// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/training_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
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
constexpr std::int64_t kMiB = 1024 * kKiB;

TrainingReadParams Small() {
  return {.shards = 8, .shard_bytes = 256 * kKiB, .record_bytes = 32 * kKiB, .workers = 2};
}

std::vector<std::int64_t> OpenedShards(const TraceText& trace) {
  std::vector<std::int64_t> shards;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kOPEN) shards.push_back(op.target);
  }
  return shards;
}

std::int64_t Count(const TraceText& trace, OpKind kind) {
  return std::count_if(trace.ops.begin(), trace.ops.end(),
                       [&](const Op& op) { return op.kind == kind; });
}

struct GoldenTrace {
  const char* name;
  TrainingReadParams params;
  std::int64_t ops, reads, streams, duration_ns;
  const char* digest;
};

const std::vector<GoldenTrace>& GoldenTraces() {
  static const std::vector<GoldenTrace> traces = {
      {"A",
       {.shards = 2,
        .shard_bytes = 64 * kKiB,
        .record_bytes = 8 * kKiB,
        .workers = 1,
        .shuffle = false,
        .seed = 1},
       23,
       19,
       1,
       22'000'000,
       "sha256:9f501dd89b713339c49227b22f536566605986a15c1f4b977f8700ba14e23f2c"},
      {"B",
       {.shards = 8,
        .shard_bytes = 256 * kKiB,
        .record_bytes = 32 * kKiB,
        .workers = 2,
        .shuffle = false,
        .seed = 1},
       85,
       69,
       2,
       44'000'000,
       "sha256:1623efb895d61d187e518772d796cdc5ef7fcc03527ce7e101d54ed170ac8477"},
      {"C",
       {.shards = 8, .shard_bytes = 16 * kMiB, .record_bytes = 256 * kKiB, .workers = 4},
       532,
       516,
       4,
       137'000'000,
       "sha256:34062141044824deb804fb684a79f1c5f5b3e3bf3337ad147b4da72610f0575a"},
      {"D",
       {.shards = 4,
        .shard_bytes = 128 * kKiB,
        .record_bytes = 16 * kKiB,
        .epochs = 2,
        .workers = 2,
        .read_within_shard = "random",
        .seed = 3},
       92,
       76,
       2,
       45'000'000,
       "sha256:0f1997c5e213a3237247aadb8c29957e120f0b53cca75bb71db9a8b9fd10d3b9"},
      {"E",
       {.shards = 16, .shard_bytes = 16 * kMiB, .record_bytes = 64 * kKiB, .workers = 4},
       4131,
       4099,
       4,
       1'046'000'000,
       "sha256:9edd4cbefaef42bb921efb008432b77f2218363cc0856e7b317db1ebaeebd0a4"},
      {"F",
       {},
       134'024,
       131'976,
       8,
       16'849'000'000,
       "sha256:f0a06ee0dc292c20f3f375362d183686c556e8cb409efadddb2cbee234c43c66"},
      {"G",
       {.shards = 3, .shard_bytes = 10, .record_bytes = 10, .workers = 5},
       10,
       4,
       3,
       3'000'000,
       "sha256:d916f75c65e1457b1b31bbffa89de2aac5715d81d72496fd7daaf7e5f639f14f"},
  };
  return traces;
}

TEST(TrainingReadGolden, OpLinesHaveTheKnownDigests) {
  for (const GoldenTrace& golden : GoldenTraces()) {
    SCOPED_TRACE(golden.name);
    const TraceText trace = TextOf(GenerateTrainingRead(golden.params));

    EXPECT_EQ(trace.Digest(), golden.digest);
    EXPECT_EQ(static_cast<std::int64_t>(trace.ops.size()), golden.ops);
    EXPECT_EQ(Count(trace, OpKind::kREAD), golden.reads);
    EXPECT_EQ(trace.header.summary.num_ops, golden.ops);
    EXPECT_EQ(trace.header.summary.num_streams, golden.streams);
    EXPECT_EQ(trace.header.summary.duration_ns, golden.duration_ns);
    EXPECT_EQ(trace.ops.back().t_ns, golden.duration_ns);
  }
}

TEST(TrainingReadGolden, TraceAInFull) {
  const TraceText trace = TextOf(GenerateTrainingRead(GoldenTraces()[0].params));

  EXPECT_TRUE(trace.op_lines.starts_with(
      R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r","flags":["seq"]})"
      "\n"
      R"({"t":1000000,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":4840})"
      "\n"));
  std::map<std::int64_t, std::vector<std::int64_t>> lengths;
  for (const Op& op : trace.ops) {
    EXPECT_EQ(op.t_ns, op.op_id * 1'000'000);
    if (op.kind == OpKind::kREAD) lengths[op.handle].push_back(op.length_bytes);
  }
  EXPECT_THAT(lengths[1], ElementsAre(4840, 8940, 5634, 4413, 9177, 5999, 13060, 4830, 7613, 1030));
  EXPECT_THAT(lengths[2], ElementsAre(6914, 7608, 6564, 10444, 1745, 3122, 4998, 18741, 5400));
}

TEST(TrainingReadGolden, TraceGInFull) {
  const TraceText trace = TextOf(GenerateTrainingRead(GoldenTraces()[6].params));

  EXPECT_EQ(trace.op_lines,
            R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":1,"h":1,"mode":"r","flags":["seq"]}
{"t":0,"op_id":1,"s":1,"op":"OPEN","tgt":0,"h":2,"mode":"r","flags":["seq"]}
{"t":0,"op_id":2,"s":2,"op":"OPEN","tgt":2,"h":3,"mode":"r","flags":["seq"]}
{"t":1000000,"op_id":3,"s":0,"op":"READ","h":1,"off":0,"len":6}
{"t":1000000,"op_id":4,"s":1,"op":"READ","h":2,"off":0,"len":10}
{"t":1000000,"op_id":5,"s":2,"op":"READ","h":3,"off":0,"len":10}
{"t":2000000,"op_id":6,"s":0,"op":"READ","h":1,"off":6,"len":4}
{"t":2000000,"op_id":7,"s":1,"op":"CLOSE","h":2}
{"t":2000000,"op_id":8,"s":2,"op":"CLOSE","h":3}
{"t":3000000,"op_id":9,"s":0,"op":"CLOSE","h":1}
)");
}

TEST(TrainingReadGolden, TraceDOpensAndRandomOffsets) {
  const TraceText trace = TextOf(GenerateTrainingRead(GoldenTraces()[3].params));

  std::string opens;
  std::vector<std::int64_t> offsets;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kOPEN) {
      opens += std::to_string(op.target) + "/" + std::to_string(op.stream) + "/" +
               std::to_string(op.t_ns / 1'000'000) + " ";
      EXPECT_THAT(op.flags, ElementsAre("rand"));
    }
    if (op.kind == OpKind::kREAD && op.handle == 1) offsets.push_back(op.offset);
  }
  EXPECT_EQ(opens, "1/0/0 0/1/0 2/0/13 3/1/13 0/0/24 2/1/27 3/0/33 1/1/36 ");
  EXPECT_THAT(offsets, ElementsAre(130603, 77068, 14558, 0, 48800, 59449, 40149, 92339, 100162,
                                   33046, 116572));
}

TEST(TrainingRead, EqualParametersGiveEqualBytesAndAnotherSeedOthers) {
  TrainingReadParams other = Small();
  other.seed = 43;

  EXPECT_EQ(FileOf(GenerateTrainingRead(Small())), FileOf(GenerateTrainingRead(Small())));
  EXPECT_NE(FileOf(GenerateTrainingRead(Small())), FileOf(GenerateTrainingRead(other)));
}

TEST(TrainingRead, EveryShapeIsSoundAndReadsEveryByteOnceAnEpoch) {
  std::vector<TrainingReadParams> shapes(9, Small());
  shapes[1].shuffle = false;
  shapes[2].read_within_shard = "random";
  shapes[3].epochs = 3;
  shapes[4].workers = 1;
  shapes[5].workers = 16;
  shapes[6].shards = shapes[6].workers = 1;
  shapes[7].epochs = 2;
  shapes[7].workers = 3;
  shapes[8].workers = INT64_MAX;
  for (const TrainingReadParams& params : shapes) {
    EXPECT_FALSE(FileOf(GenerateTrainingRead(params)).empty());  // WriteGeneratedTrace validates
    const TraceText trace = TextOf(GenerateTrainingRead(params));
    std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> extents;  // handle: off -> len
    std::set<std::int64_t> streams;
    for (const Op& op : trace.ops) {
      streams.insert(op.stream);
      if (op.kind == OpKind::kREAD) extents[op.handle][op.offset] = op.length_bytes;
    }
    for (const auto& [handle, pieces] : extents) {
      std::int64_t next = 0;
      for (const auto& [offset, bytes] : pieces) {
        EXPECT_EQ(offset, next);
        next += bytes;
      }
      EXPECT_EQ(next, params.shard_bytes);
    }
    EXPECT_EQ(static_cast<std::int64_t>(extents.size()), params.shards * params.epochs);
    EXPECT_EQ(trace.header.summary.total_bytes, params.shards * params.shard_bytes * params.epochs);
    EXPECT_EQ(static_cast<std::int64_t>(streams.size()), trace.header.summary.num_streams);
    EXPECT_EQ(trace.header.summary.num_streams, std::min(params.workers, params.shards));
    EXPECT_EQ(trace.header.summary.num_ops, static_cast<std::int64_t>(trace.ops.size()));
  }
}

TEST(TrainingRead, MeanReadIsNearTheRecordSize) {
  const TraceText trace = TextOf(GenerateTrainingRead({.shards = 32,
                                                       .shard_bytes = kMiB,
                                                       .record_bytes = 16 * kKiB,
                                                       .workers = 4,
                                                       .shuffle = false,
                                                       .seed = 7}));

  const std::int64_t mean = trace.header.summary.total_bytes / Count(trace, OpKind::kREAD);
  EXPECT_EQ(mean, 16'312);
}

TEST(TrainingRead, ShuffleAloneDecidesTheOrderOfTheShards) {
  TrainingReadParams params = Small();
  params.workers = 1;
  params.shuffle = false;
  EXPECT_THAT(OpenedShards(TextOf(GenerateTrainingRead(params))),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));

  params.shards = 16;
  const auto in_order = OpenedShards(TextOf(GenerateTrainingRead(params)));
  params.shuffle = true;
  const auto shuffled = OpenedShards(TextOf(GenerateTrainingRead(params)));
  EXPECT_NE(shuffled, in_order);
  EXPECT_THAT(shuffled, ::testing::UnorderedElementsAreArray(in_order));
}

TEST(TrainingRead, TimeNeverFallsAndIdsRiseInEveryStream) {
  TrainingReadParams params = Small();
  params.shards = 16;
  params.workers = 3;
  const TraceText trace = TextOf(GenerateTrainingRead(params));

  std::map<std::int64_t, std::int64_t> last_id;
  std::int64_t last_t = 0;
  for (const Op& op : trace.ops) {
    EXPECT_GE(op.t_ns, last_t);
    last_t = op.t_ns;
    const auto [entry, first] = last_id.try_emplace(op.stream, -1);
    EXPECT_GT(op.op_id, entry->second);
    entry->second = op.op_id;
  }
}

TEST(TrainingRead, HeaderSaysWhatWasGenerated) {
  const TraceHeader header = TextOf(GenerateTrainingRead(Small())).header;

  EXPECT_EQ(header.version, 1);
  EXPECT_EQ(header.kind, "synthetic");
  EXPECT_EQ(header.profile, "training-read");
  EXPECT_EQ(header.capture_method, "synthetic");
  EXPECT_EQ(header.generated_by, "ioflux gen 0.1.0");
  EXPECT_EQ(header.time_unit, "ns");
  EXPECT_EQ(header.capture_limitations, "");
  EXPECT_EQ(header.created_utc, "");
  EXPECT_FALSE(header.scrubbed);
  EXPECT_EQ(header.summary.num_groups, 0);
  ASSERT_EQ(header.targets.size(), 8U);
  EXPECT_EQ(header.targets[7].id, 7);
  EXPECT_EQ(header.targets[7].name, "shard_0007.tar");
  EXPECT_EQ(header.targets[7].kind, "file");
  EXPECT_EQ(header.targets[7].size_bytes, 256 * kKiB);
  EXPECT_EQ(header.notes,
            "8 shards × 0 MiB, 2 workers, 1 epochs, shuffle true, sequential reads within a shard");
}

TEST(TrainingReadModel, EveryOpHasADurationAndTheNextFollowsItAndTheComputeTime) {
  TrainingReadParams params = GoldenTraces()[6].params;  // 3 shards of 10 bytes, 5 workers
  params.model = {.bandwidth_bytes_per_s = 1'000'000'000, .latency_ns = 100};
  params.compute_ns = 1000;
  const TraceText trace = TextOf(GenerateTrainingRead(params));

  EXPECT_FALSE(FileOf(GenerateTrainingRead(params)).empty());
  std::map<std::int64_t, std::int64_t> next_t;
  for (const Op& op : trace.ops) {
    EXPECT_EQ(op.t_ns, next_t[op.stream]);
    EXPECT_TRUE(op.Has(OpField::kDuration));
    EXPECT_EQ(op.duration_ns, 100 + op.length_bytes);
    next_t[op.stream] = op.t_ns + op.duration_ns + 1000;
  }
  EXPECT_EQ(trace.header.summary.duration_ns, trace.ops.back().t_ns);
  EXPECT_EQ(trace.header.summary.num_ops, 10);
  EXPECT_THAT(trace.header.notes, HasSubstr("modelled"));
}

TEST(TrainingReadModel, ComputeTimeAloneModelsInstantOps) {
  TrainingReadParams params = Small();
  params.compute_ns = 5'000'000;
  const TraceText trace = TextOf(GenerateTrainingRead(params));

  for (const Op& op : trace.ops) {
    EXPECT_TRUE(op.Has(OpField::kDuration));
    EXPECT_EQ(op.duration_ns, 0);
    EXPECT_EQ(op.t_ns % 5'000'000, 0);
  }
}

TEST(TrainingReadModel, DoesNotChangeWhatIsRead) {
  TrainingReadParams params = GoldenTraces()[3].params;
  const TraceText plain = TextOf(GenerateTrainingRead(params));
  params.model.latency_ns = 1'000'000;
  params.compute_ns = 0;
  const TraceText modelled = TextOf(GenerateTrainingRead(params));

  // 1 ms latency and no compute time is the very rhythm of a trace without a model.
  ASSERT_EQ(plain.ops.size(), modelled.ops.size());
  for (std::size_t i = 0; i < plain.ops.size(); ++i) {
    Op without = modelled.ops[i];
    EXPECT_EQ(without.duration_ns, 1'000'000);
    without.present &= static_cast<std::uint16_t>(~static_cast<unsigned>(OpField::kDuration));
    std::string plain_line, modelled_line;
    AppendOpLine(plain_line, plain.ops[i]);
    AppendOpLine(modelled_line, without);
    EXPECT_EQ(plain_line, modelled_line);
  }
}

std::string Refusal(const std::function<void(TrainingReadParams&)>& change) {
  TrainingReadParams params = Small();
  change(params);
  const Result<GeneratedTrace> trace = GenerateTrainingRead(params);
  EXPECT_FALSE(trace);
  if (trace) return "";
  EXPECT_EQ(trace.error().kind, ErrorKind::kUsage);
  return Describe(trace.error());
}

TEST(TrainingReadRefuses, EachParameterOutOfRangeByName) {
  using P = TrainingReadParams;
  EXPECT_EQ(Refusal([](P& p) { p.shards = 0; }), "--shards: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.shard_bytes = -1; }),
            "--shard-size: it must be above 0, but it is -1");
  EXPECT_EQ(Refusal([](P& p) { p.record_bytes = 0; }),
            "--record-size: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.record_bytes = 262'145; }),
            "--record-size: a record of 262145 bytes does not fit into a shard of 262144 bytes");
  EXPECT_EQ(Refusal([](P& p) { p.record_size_dist = "uniform"; }),
            "--record-size-dist: unknown word 'uniform'\n  try: known: lognormal");
  EXPECT_EQ(Refusal([](P& p) { p.epochs = 0; }), "--epochs: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.workers = 0; }),
            "--dataloader-workers: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.read_within_shard = "sequental"; }),
            "--read-within-shard: unknown word 'sequental'\n  try: did you mean 'sequential'?");
  EXPECT_EQ(Refusal([](P& p) { p.model.bandwidth_bytes_per_s = 0; }),
            "--model-bandwidth: it must be above 0, but it is 0");
  EXPECT_EQ(Refusal([](P& p) { p.compute_ns = -1; }),
            "--compute-time: it must be at least 0, but it is -1");
}

TEST(TrainingReadRefuses, TheFirstOfSeveralInTheOrderOfTheFlags) {
  EXPECT_THAT(Refusal([](TrainingReadParams& p) { p.epochs = p.shard_bytes = p.workers = 0; }),
              HasSubstr("--shard-size"));
}

TEST(TrainingReadRefuses, BytesAndDurationsThatDoNotFit) {
  using P = TrainingReadParams;
  EXPECT_THAT(Refusal([](P& p) { p.shard_bytes = p.record_bytes = INT64_MAX / 7; }),
              HasSubstr("more than 2^63-1 bytes"));
  EXPECT_THAT(Refusal([](P& p) { p.compute_ns = INT64_MAX / 10; }), HasSubstr("292 years"));
  EXPECT_THAT(Refusal([](P& p) {
                p.shard_bytes = p.record_bytes = INT64_MAX / 8;
                p.model.bandwidth_bytes_per_s = 1;
              }),
              HasSubstr("292 years"));
}

TEST(TrainingReadRefuses, MoreShardsThanAHeaderHoldsAndSaysHowManyFit) {
  TrainingReadParams params = {.shard_bytes = 1, .record_bytes = 1};
  params.shards = INT64_C(1'000'000'000'000);
  const Result<GeneratedTrace> refused = GenerateTrainingRead(params);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);

  const std::string& mend = refused.error().mend;
  ASSERT_THAT(mend, HasSubstr("use at most "));
  const std::int64_t largest = std::stoll(mend.substr(std::string("use at most ").size()));
  params.shards = largest;
  const Result<GeneratedTrace> fits = GenerateTrainingRead(params);
  ASSERT_TRUE(fits) << Describe(fits.error());
  std::string line;
  AppendHeaderLine(line, fits.value().header);
  EXPECT_LE(line.size() - 1, kMaxLineBytes);
  EXPECT_GT(line.size() + 200, kMaxLineBytes);
  params.shards = largest + 1;
  EXPECT_FALSE(GenerateTrainingRead(params));
}

}  // namespace
}  // namespace ioflux
