// SPDX-License-Identifier: GPL-2.0-only
//
// Producers and consumers in the real fio: what fails when streams wait for nobody succeeds in
// causal order, with jobs of one stream and of many, as threads and as processes.
#include <gtest/gtest.h>

#include <string>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

class CausalReplay : public ReplayFixture {
 protected:
  static constexpr int kChunks = 20;
  static constexpr int kPairs = 5;
  static constexpr int kStepNs = 2'000'000;

  /// Each producer makes a file, writes and syncs it chunk by chunk; its consumer starts at once in
  /// the source's time, looks, opens and reads every chunk just after it was written, then deletes.
  /// The producer thinks between chunks and the consumer waits for its storage, so in think mode
  /// the consumer runs ahead.
  void WriteTrace() {
    std::string ops;
    std::string targets;
    int op_id = 0;
    const auto op = [&](int t, int duration, int stream, const std::string& what) {
      ops += R"({"t":)" + std::to_string(t) + R"(,"op_id":)" + std::to_string(op_id++) +
             R"(,"s":)" + std::to_string(stream) + R"(,"op":)" + what + R"(,"dur":)" +
             std::to_string(duration) + "}\n";
    };
    const auto each = [&](int t, int duration, int add, const auto& what) {
      for (int pair = 0; pair < kPairs; ++pair) op(t, duration, 2 * pair + add, what(pair));
    };
    const auto text = [](int number) { return std::to_string(number); };
    for (int pair = 0; pair < kPairs; ++pair) {
      targets += (pair == 0 ? "" : ",") + std::string(R"({"id":)") + text(pair) + R"(,"name":"f)" +
                 text(pair) + R"(","kind":"file","size":0})";
    }
    each(0, 1, 0, [&](int p) {
      return R"("OPEN","tgt":)" + text(p) + R"(,"h":)" + text(2 * p) +
             R"(,"mode":"w","flags":["create","trunc"])";
    });
    each(10, 1, 1, [&](int p) { return R"("STAT","tgt":)" + text(p); });
    each(20, 1, 1, [&](int p) {
      return R"("OPEN","tgt":)" + text(p) + R"(,"h":)" + text(2 * p + 1) + R"(,"mode":"r")";
    });
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const std::string range = R"(,"off":)" + text(chunk * 4096) + R"(,"len":4096)";
      each(100 + chunk * kStepNs, 1, 0,
           [&](int p) { return R"("WRITE","h":)" + text(2 * p) + range; });
      each(150 + chunk * kStepNs, kStepNs - 100, 1,
           [&](int p) { return R"("READ","h":)" + text(2 * p + 1) + range; });
    }
    each(50'000'000, 1, 0, [&](int p) { return R"("CLOSE","h":)" + text(2 * p); });
    each(50'000'010, 1, 1, [&](int p) { return R"("CLOSE","h":)" + text(2 * p + 1); });
    each(50'000'100, 1, 1, [&](int p) { return R"("DELETE","tgt":)" + text(p); });
    dir_.Write("t.ioflux",
               R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
               R"("targets":[)" +
                   targets + R"(],"summary":{"num_ops":)" + text(op_id) + R"(,"num_streams":)" +
                   text(2 * kPairs) + R"(,"num_groups":0,"total_bytes":)" +
                   text(2 * kPairs * kChunks * 4096) + R"(,"duration_ns":50000101}})" + "\n" + ops);
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
    MustRun("mkdir -p root");
  }

  CommandResult Run(const std::string& arguments) {
    MustRun("rm -rf root && mkdir root");
    return Shell(
        "ioflux run --trace t.ioflux --engine local --target-root root --target-map map.yaml "
        "-o r.json " +
        arguments);
  }

  void ExpectKept(const JsonValue& result) {
    EXPECT_EQ(result.GetInt("errors").value(), 0);
    EXPECT_TRUE(result.GetBool("complete").value());
    const JsonValue order = result.GetObject("causal_order").value();
    const JsonValue pairs = order.GetObject("pairs").value();
    EXPECT_EQ(pairs.GetInt("read_after_write").value(), kPairs * kChunks);
    EXPECT_GE(pairs.GetInt("use_after_create").value(), 2 * kPairs);
    EXPECT_EQ(pairs.GetInt("delete_after_use").value(), kPairs);
    EXPECT_EQ(order.GetInt("broken").value(), 0);
  }
};

TEST_F(CausalReplay, AConsumerThatFailsInStreamOrderSucceedsInCausalOrder) {
  WriteTrace();
  const CommandResult alone = Run("--mode think");
  EXPECT_EQ(alone.exit_code, 1) << "no producer is ahead of its consumer by itself";
  EXPECT_NE(alone.err.find("--order causal"), std::string::npos) << alone.err;
  EXPECT_GT(LoadJson("r.json").GetInt("errors").value(), 0);
  for (const char* jobs :
       {"", "--io uring --streams-per-job 10", "--io uring --streams-per-job 3",
        "--io uring --streams-per-job 1", "--max-inflight 2", "--io uring --max-inflight 2",
        "--mode timeline", "--mode think --io uring"}) {
    const CommandResult run = Run(std::string("--order causal ") + jobs);
    EXPECT_EQ(run.exit_code, 0) << jobs << run.err;
    ExpectKept(LoadJson("r.json"));
  }
  EXPECT_NE(MustRun("ioflux report r.json").out.find("order: causal"), std::string::npos);
}

TEST_F(CausalReplay, ProcessesAndLoopsKeepItToo) {
  WriteTrace();
  for (const char* jobs : {"--numjobs=10", "--numjobs=10 --thread --loops=3",
                           "--numjobs=3 --io=uring --loops=3", "--numjobs=2 --io=uring --thread"}) {
    MustRun("rm -rf root side.* && mkdir root");
    const CommandResult run = Shell(
        "fio --name=s --ioengine=external:$IOFLUX_LIBRARY --trace=t.ioflux --backend=local "
        "--target_root=root --target_map=map.yaml --order=causal --side_file=side "
        "--output=/dev/null " +
        std::string(jobs));
    EXPECT_EQ(run.exit_code, 0) << jobs << run.err << run.out;
    EXPECT_EQ(Shell("grep -L '\"count\": *0,\\|\"count\":0,' side.*.json").out, "") << jobs;
  }
}

TEST_F(CausalReplay, AProducerThatFailsHoldsUpNobodyForEver) {
  WriteTrace();
  // The producer of f0 cannot make its file, and its consumer cannot find it.
  MustRun("rm -rf root && mkdir -p root/f0");
  const CommandResult run = Shell(
      "ioflux run --trace t.ioflux --engine local --target-root root --target-map map.yaml "
      "--order causal -o r.json");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_GT(LoadJson("r.json").GetInt("errors").value(), 0);
  EXPECT_TRUE(LoadJson("r.json").GetBool("complete").value());
}

}  // namespace
}  // namespace ioflux
