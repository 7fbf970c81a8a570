// SPDX-License-Identifier: GPL-2.0-only
//
// The paced modes in the real fio: when operations start, as the engine stamped it and as strace
// saw it. A busy machine may make them late, and the result then says so; never early.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class Pacing : public ReplayFixture {
 protected:
  /// `reads` reads of one stream, recorded `step_ns` apart, each of `duration_ns`; `first_op_id`.
  static std::string Reads(int stream, int reads, std::int64_t step_ns, std::int64_t duration_ns) {
    const std::string s = std::to_string(stream);
    std::string ops;
    for (int i = 0; i < reads; ++i) {
      ops += R"({"t":)" + std::to_string(i * step_ns) + R"(,"op_id":)" + std::to_string(i + 1) +
             R"(,"s":)" + s + R"(,"op":"READ","h":)" + s + R"(,"off":)" + std::to_string(i * 512) +
             R"(,"len":512,"dur":)" + std::to_string(duration_ns) + "}\n";
    }
    return ops;
  }

  void WriteTrace(const std::string& name, int reads, std::int64_t step_ns,
                  std::int64_t duration_ns) {
    dir_.Write(
        name,
        R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
        R"("targets":[{"id":0,"name":"data/f","kind":"file","size":65536}],"summary":{"num_ops":)" +
            std::to_string(reads + 1) + R"(,"num_streams":1,"num_groups":0,"total_bytes":)" +
            std::to_string(512 * reads) + R"(,"duration_ns":)" +
            std::to_string((reads - 1) * step_ns + duration_ns) + "}}\n" +
            R"({"t":0,"op_id":0,"s":1,"op":"OPEN","tgt":0,"h":1,"mode":"r","dur":0})" + "\n" +
            Reads(1, reads, step_ns, duration_ns));
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
    MustRun("mkdir -p root/data && head -c 65536 /dev/zero > root/data/f");
  }

  bool CanInject() {
    return Shell("strace -o /dev/null -e inject=pread64:delay_exit=1 true").exit_code == 0;
  }

  JsonValue Run(const std::string& arguments, const std::string& around = "") {
    MustRun(around + "ioflux run --engine local --target-root root --target-map map.yaml " +
            arguments + " -o r.json");
    return LoadJson("r.json");
  }
};

std::int64_t DurationNs(const JsonValue& result) { return result.GetInt("duration_ns").value(); }

std::int64_t Drift(const JsonValue& result, const char* which) {
  return result.GetObject("fidelity")
      .value()
      .GetObject("schedule_drift")
      .value()
      .GetInt(which)
      .value();
}

// With modelled durations think mode knows every gap of what the generators make.
TEST_F(Pacing, ThinkKnowsEveryGapOfAGeneratedTrace) {
  for (const std::string flags :
       {"checkpoint-write --model-size 256KiB --writer-ranks 4 --write-block 16KiB "
        "--num-checkpoints 2 --checkpoint-interval 0.05 --model-bandwidth 1GiB",
        "checkpoint-write --model-size 256KiB --writer-ranks 2 --write-block 16KiB "
        "--model-latency 100us --fsync none",
        "training-read --shards 4 --shard-size 64KiB --record-size 8KiB --dataloader-workers 2 "
        "--model-bandwidth 1GiB --compute-time 100us",
        "training-read --shards 4 --shard-size 64KiB --record-size 8KiB --dataloader-workers 2 "
        "--compute-time 100us"}) {
    SCOPED_TRACE(flags);
    MustRun("rm -rf d && ioflux gen " + flags + " -o g.ioflux");
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './d/'}]\n");
    MustRun(
        "ioflux run --trace g.ioflux --engine local --target-root d --target-map map.yaml "
        "--prepare materialize-synthetic --mode think -o r.json");
    const JsonValue result = LoadJson("r.json");
    EXPECT_EQ(result.GetInt("errors").value(), 0);
    EXPECT_EQ(result.GetObject("plan").value().GetString("mode").value(), "think");
    const JsonValue pacing = result.GetObject("pacing").value();
    EXPECT_GT(pacing.GetInt("gaps").value(), 0);
    EXPECT_EQ(pacing.GetInt("known_gaps").value(), pacing.GetInt("gaps").value());
  }
}

TEST_F(Pacing, ATimelineTakesTheTimeOfTheSource) {
  WriteTrace("t.ioflux", 10, 50 * kMs, 1 * kMs);
  const JsonValue result = Run("--trace t.ioflux --mode timeline");
  EXPECT_GE(DurationNs(result), 450 * kMs);
  EXPECT_EQ(result.GetInt("errors").value(), 0);
  EXPECT_EQ(result.GetObject("plan").value().GetString("mode").value(), "timeline");
}

TEST_F(Pacing, ScaledDividesIt) {
  WriteTrace("t.ioflux", 10, 50 * kMs, 1 * kMs);
  EXPECT_GE(DurationNs(Run("--trace t.ioflux --mode scaled --speedup 0.5")), 900 * kMs);
  EXPECT_GE(DurationNs(Run("--trace t.ioflux --mode scaled --speedup 5")), 90 * kMs);
}

TEST_F(Pacing, ThinkKeepsEveryGapBehindEveryCompletion) {
  WriteTrace("t.ioflux", 10, 50 * kMs, 40 * kMs);
  // Nine gaps of 10 ms; the source's 40 ms of storage time are not waited for.
  const JsonValue result = Run("--trace t.ioflux --mode think");
  EXPECT_GE(DurationNs(result), 90 * kMs);
  const JsonValue pacing = result.GetObject("pacing").value();
  EXPECT_EQ(pacing.GetInt("gaps").value(), 10);
  EXPECT_EQ(pacing.GetInt("known_gaps").value(), 10);
}

TEST_F(Pacing, ASlowStorageMakesThinkLongerAndATimelineLate) {
  if (!CanInject()) GTEST_SKIP() << "strace cannot delay system calls here";
  WriteTrace("t.ioflux", 10, 20 * kMs, 1 * kMs);
  // Each read returns 50 ms late: ten of them add 500 ms to ten reads and nine gaps of 19 ms.
  const std::string slow =
      "strace -f -o /dev/null -e trace=pread64 -e inject=pread64:delay_exit=50000 ";
  const JsonValue think = Run("--trace t.ioflux --mode think", slow);
  EXPECT_GE(DurationNs(think), (10 * 50 + 9 * 19) * kMs);
  EXPECT_FALSE(think.GetObject("fidelity").value().GetBool("low_fidelity").value() &&
               think.GetObject("fidelity").value().GetString("low_fidelity_category").value() ==
                   "behind_schedule");

  const JsonValue timeline = Run("--trace t.ioflux --mode timeline", slow);
  EXPECT_GE(DurationNs(timeline), 10 * 50 * kMs);
  // The last read was due at 180 ms and could not start before 450 ms.
  EXPECT_GE(Drift(timeline, "max_ns"), (450 - 180) * kMs);
  EXPECT_EQ(timeline.GetObject("fidelity").value().GetString("low_fidelity_category").value(),
            "behind_schedule");
  EXPECT_EQ(timeline.GetObject("fidelity")
                .value()
                .GetObject("coverage")
                .value()
                .GetInt("ops_skipped")
                .value(),
            0);
}

TEST_F(Pacing, AThinkRunOfATraceWithoutDurationsIsRefused) {
  MakeTrainingTrace();
  const CommandResult run =
      Shell("ioflux run --trace training.ioflux --engine mem --mode think -o r.json");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("duration"), std::string::npos) << run.err;
}

TEST_F(Pacing, ALateOperationEndsTheRunIfAsked) {
  if (!CanInject()) GTEST_SKIP() << "strace cannot delay system calls here";
  WriteTrace("t.ioflux", 10, 20 * kMs, 1 * kMs);
  const std::string slow =
      "strace -f -o /dev/null -e trace=pread64 -e inject=pread64:delay_exit=100000 ";
  const CommandResult run =
      Shell(slow +
            "ioflux run --engine local --target-root root --target-map map.yaml --trace t.ioflux "
            "--mode timeline --max-lag 50ms --on-max-lag abort -o r.json");
  EXPECT_EQ(run.exit_code, 1);
  const JsonValue result = LoadJson("r.json");
  EXPECT_FALSE(result.GetBool("complete").value());
  EXPECT_NE(result.GetString("incomplete_reason").value().find("max_lag"), std::string::npos);
  const JsonValue stream = result.GetArray("per_stream").value().At(0);
  EXPECT_GE(stream.GetInt("late_ops").value(), 1);
  EXPECT_GE(stream.GetInt("worst_lag_ns").value(), 50 * kMs);
}

TEST_F(Pacing, AnHourLongGapEndsAtOnceOnCtrlC) {
  WriteTrace("t.ioflux", 3, 3'600'000 * kMs, 1 * kMs);
  const CommandResult run = Shell(
      "ioflux run --engine local --target-root root --target-map map.yaml --trace t.ioflux "
      "--mode timeline -o r.json & pid=$!\n" +
      UntilOpen("root/data/f") + "sleep 0.5; kill -INT $pid; wait $pid; exit $?");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue result = LoadJson("r.json");
  EXPECT_FALSE(result.GetBool("complete").value());
  EXPECT_EQ(result.GetInt("ops_completed").value(), 2);
}

TEST_F(Pacing, RuntimeAndStatusRequestsAreServedDuringAGap) {
  WriteTrace("t.ioflux", 3, 3'600'000 * kMs, 1 * kMs);
  MustRun(
      "ioflux jobs --engine local --target-root root --target-map map.yaml --trace t.ioflux "
      "--mode timeline -o t.fio");
  const CommandResult run =
      MustRun("fio --runtime=3s --status-interval=1s --output-format=json t.fio > out.json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  // One document a second, and the last one.
  std::size_t documents = 0;
  const std::string text = dir_.Read("out.json");
  for (std::size_t at = text.find("\"fio version\""); at != std::string::npos;
       at = text.find("\"fio version\"", at + 1)) {
    ++documents;
  }
  EXPECT_GE(documents, 3U);
}

TEST_F(Pacing, ARampTimeThatEndsWithTheLastOperationOfAPassEndsNoJob) {
  // fio forgets at the end of its ramp what was moved, and ends a job whose pass moved nothing.
  dir_.Write("t.ioflux",
             R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
             R"("targets":[{"id":0,"name":"data/f","kind":"file","size":65536}],"summary":)"
             R"({"num_ops":3,"num_streams":1,"num_groups":0,"total_bytes":512,)"
             R"("duration_ns":300000000}})"
             "\n"
             R"({"t":0,"op_id":0,"s":1,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"
             "\n"
             R"({"t":0,"op_id":1,"s":1,"op":"READ","h":1,"off":0,"len":512})"
             "\n"
             R"({"t":300000000,"op_id":2,"s":1,"op":"FSYNC","h":1})"
             "\n");
  dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
  MustRun("mkdir -p root/data && head -c 65536 /dev/zero > root/data/f");
  for (const char* io : {"psync", "uring"}) {
    for (const char* how : {"--time_based --runtime=1", "--loops=4"}) {
      MustRun(std::string("fio --name=s --ioengine=external:$IOFLUX_LIBRARY --trace=t.ioflux "
                          "--backend=local --target_root=root --target_map=map.yaml --thread "
                          "--mode=timeline --output-format=json --output=fio.json --side_file=side "
                          "--ramp_time=200ms --io=") +
              io + " " + how);
      const JsonValue streams = LoadJson("side.1.json").GetArray("streams").value();
      EXPECT_GE(streams.At(0).GetInt("passes").value(), 3) << io << " " << how;
    }
  }
}

TEST_F(Pacing, ReadsAtTheEndOfAFileDoNotEndTheReplay) {
  std::string ops;
  constexpr int kReads = 60;
  for (int i = 0; i < kReads; ++i) {
    ops += R"({"t":1,"op_id":)" + std::to_string(i + 1) +
           R"(,"s":1,"op":"READ","h":1,"off":65536,"len":131072,"ret":0})" + "\n";
  }
  dir_.Write(
      "eof.ioflux",
      R"({"ioflux_trace_version":2,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
      R"("targets":[{"id":0,"name":"data/f","kind":"file","size":65536}],"summary":{"num_ops":61,)"
      R"("num_streams":1,"num_groups":0,"total_bytes":0,"duration_ns":1,"num_partial_reads":60}})"
      "\n"
      R"({"t":0,"op_id":0,"s":1,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"
      "\n" +
          ops);
  dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
  MustRun("mkdir -p root/data && head -c 65536 /dev/zero > root/data/f");
  const JsonValue result = Run("--trace eof.ioflux");
  EXPECT_EQ(result.GetInt("ops_completed").value(), kReads + 1);
  EXPECT_EQ(result.GetInt("errors").value(), 0);
  EXPECT_TRUE(result.GetBool("complete").value());
}

}  // namespace
}  // namespace ioflux
