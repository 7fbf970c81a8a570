// SPDX-License-Identifier: GPL-2.0-only
//
// Many streams in the real fio: exact counts and exact bytes, with a job for each stream and with
// jobs that replay many through io_uring.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

constexpr int kReads = 8;
constexpr int kWrites = 4;

class ManyStreams : public ReplayFixture {
 protected:
  /// Every stream reads one shared file, partly at its end, and writes a file of its own:
  /// OPEN, READ x 8, STAT, CLOSE, OPEN, WRITE x 4,
  /// FSYNC (one stream in a hundred, the others STAT), CLOSE. `step_ns` between its ops.
  void WriteTrace(int streams, std::int64_t step_ns = 0) {
    streams_ = streams;
    std::string targets = R"({"id":0,"name":"shared","kind":"file","size":65536})";
    for (int s = 0; s < streams; ++s) {
      targets += R"(,{"id":)" + std::to_string(s + 1) + R"(,"name":"w)" + std::to_string(s) +
                 R"(","kind":"file","size":0})";
    }
    std::string ops;
    std::int64_t op_id = 0;
    for (int step = 0; step < kSteps; ++step) {
      for (int s = 0; s < streams; ++s) {
        ops += R"({"t":)" + std::to_string(step * step_ns) + R"(,"op_id":)" +
               std::to_string(op_id++) + R"(,"s":)" + std::to_string(s) + R"(,"op":)" +
               Op(step, s) + (step_ns > 0 ? R"(,"dur":10})" : "}") + "\n";
      }
    }
    dir_.Write("t.ioflux",
               R"({"ioflux_trace_version":2,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
               R"("targets":[)" +
                   targets + R"(],"summary":{"num_ops":)" + std::to_string(op_id) +
                   R"(,"num_streams":)" + std::to_string(streams) +
                   R"(,"num_groups":0,"total_bytes":)" + std::to_string(BytesOf(streams)) +
                   R"(,"duration_ns":)" +
                   std::to_string((kSteps - 1) * step_ns + (step_ns > 0 ? 10 : 0)) +
                   R"(,"num_partial_reads":)" + std::to_string(streams) + "}}\n" + ops);
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
  }

  static std::string Op(int step, int s) {
    const std::string h = std::to_string(2 * s + (step > kReads + 2 ? 1 : 0));
    if (step == 0) return R"("OPEN","tgt":0,"h":)" + h + R"(,"mode":"r")";
    if (step < kReads) {
      return R"("READ","h":)" + h + R"(,"off":)" + std::to_string((s + step) % 15 * 4096) +
             R"(,"len":4096)";
    }
    if (step == kReads) return R"("READ","h":)" + h + R"(,"off":65500,"len":4096,"ret":36)";
    if (step == kReads + 1) return R"("STAT","tgt":0)";
    if (step == kReads + 2 || step == kSteps - 1) return R"("CLOSE","h":)" + h;
    if (step == kReads + 3) {
      return R"("OPEN","tgt":)" + std::to_string(s + 1) + R"(,"h":)" + h +
             R"(,"mode":"w","flags":["create","trunc"])";
    }
    if (step == kSteps - 2) return s % 100 == 0 ? R"("FSYNC","h":)" + h : R"("STAT","tgt":0)";
    return R"("WRITE","h":)" + h + R"(,"off":)" + std::to_string((step - kReads - 4) * 100) +
           R"(,"len":100)";
  }

  static std::int64_t BytesOf(int streams) {
    return std::int64_t{streams} * ((kReads - 1) * 4096 + 36 + kWrites * 100);
  }

  JsonValue Run(const std::string& arguments, const std::string& around = "") {
    MustRun("rm -rf root");
    const CommandResult run = MustRun(
        around +
        "ioflux run --trace t.ioflux --engine local --target-root root --target-map map.yaml "
        "--prepare materialize-synthetic -o r.json " +
        arguments);
    said_ = run.err;
    return LoadJson("r.json");
  }

  void ExpectExact(const JsonValue& result) {
    EXPECT_TRUE(result.GetBool("complete").value());
    EXPECT_EQ(result.GetInt("errors").value(), 0);
    EXPECT_EQ(result.GetInt("ops_completed").value(), std::int64_t{streams_} * kSteps);
    EXPECT_EQ(result.GetInt("bytes_moved").value(), BytesOf(streams_));
    EXPECT_TRUE(
        result.GetObject("fio").value().GetObject("cross_check").value().GetBool("agrees").value());
    const JsonValue streams = result.GetArray("per_stream").value();
    ASSERT_EQ(streams.size(), static_cast<std::size_t>(streams_));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      ASSERT_EQ(streams.At(i).GetInt("ops").value(), kSteps) << "stream " << i;
    }
  }

  /// One digest over the bytes of all files that were written.
  std::string WrittenBytes() {
    return MustRun("cd root && ls | grep '^w' | sort | xargs cat | sha256sum").out;
  }

  static constexpr int kSteps = kReads + kWrites + 6;
  int streams_ = 0;
  std::string said_;
};

TEST_F(ManyStreams, CountsAndBytesAreExactWithEitherKindOfJob) {
  for (const int streams : {1, 4, 100, 1000}) {
    WriteTrace(streams);
    ExpectExact(Run("--io psync"));
    const std::string bytes = WrittenBytes();
    for (const char* jobs : {"auto", "7", "1000"}) {
      if (streams == 1000 && std::string(jobs) == "7") continue;  // the same again, only slower
      ExpectExact(Run(std::string("--io uring --streams-per-job ") + jobs));
      EXPECT_EQ(WrittenBytes(), bytes) << streams << " streams, " << jobs << " per job";
    }
  }
}

TEST_F(ManyStreams, TenThousandRunInOneProcess) {
  if (Shell("test $(ulimit -Hn) = unlimited || test $(ulimit -Hn) -ge 11000").exit_code != 0) {
    GTEST_SKIP() << "this process may not open 11,000 files";
  }
  WriteTrace(10'000);
  ExpectExact(Run("--io uring"));
  ExpectExact(Run("--io uring --streams-per-job 10000"));
}

TEST_F(ManyStreams, TheLimitOfOperationsInFlightHoldsOverAllJobs) {
  WriteTrace(100);
  for (const char* jobs : {"100", "30", "1"}) {
    const JsonValue result =
        Run(std::string("--io uring --max-inflight 4 --streams-per-job ") + jobs);
    ExpectExact(result);
    const JsonValue backlog = result.GetObject("fidelity").value().GetObject("backlog").value();
    EXPECT_LE(backlog.GetInt("peak_inflight_depth").value(), 4);
    EXPECT_GT(backlog.GetInt("total_events").value(), 0);
  }
}

TEST_F(ManyStreams, PacedStreamsOfAJobKeepTheirTimes) {
  WriteTrace(50, /*step_ns=*/5'000'000);
  for (const char* mode : {"think", "timeline", "scaled --speedup 0.5"}) {
    const JsonValue result = Run(std::string("--io uring --streams-per-job 50 --mode ") + mode);
    ExpectExact(result);
    EXPECT_GE(result.GetInt("duration_ns").value(), (kSteps - 1) * 5'000'000 - kSteps * 10) << mode;
  }
}

TEST_F(ManyStreams, LoopsRuntimeAndProcessesCountWholePasses) {
  WriteTrace(20);
  Run("--io psync");  // makes the files
  const std::string fio =
      "fio --name=s --ioengine=external:$IOFLUX_LIBRARY --trace=t.ioflux --backend=local "
      "--target_root=root --target_map=map.yaml --io=uring --side_file=side --output-format=json "
      "--output=fio.json ";
  for (const char* jobs : {"--numjobs=1 --thread", "--numjobs=4 --thread", "--numjobs=4"}) {
    MustRun("rm -f side.*");
    MustRun(fio + jobs + " --group_reporting --loops=3 --iodepth=16 --iodepth_batch=8");
    const JsonValue read =
        LoadJson("fio.json").GetArray("jobs").value().At(0).GetObject("read").value();
    EXPECT_EQ(read.GetInt("total_ios").value(), 3 * 20 * kReads) << jobs;
    EXPECT_EQ(read.GetInt("io_bytes").value(), 3 * 20 * ((kReads - 1) * 4096 + 36)) << jobs;
    EXPECT_EQ(MustRun("ls side.*.json | wc -l").out,
              std::string(jobs).find("thread") != std::string::npos ? "1\n" : "4\n");
  }
  MustRun(fio + "--numjobs=2 --thread --group_reporting --time_based --runtime=1 --ramp_time=0.3");
  const JsonValue timed = LoadJson("fio.json").GetArray("jobs").value().At(0);
  EXPECT_GE(timed.GetObject("read").value().GetInt("runtime").value(), 900);
  EXPECT_EQ(timed.GetInt("error").value(), 0);
}

TEST_F(ManyStreams, AGapOfAnHourEndsAtOnceOnCtrlC) {
  WriteTrace(50, /*step_ns=*/3'600'000'000'000);
  MustRun("mkdir root && head -c 65536 /dev/zero > root/shared");
  const CommandResult run = Shell(
      "ioflux run --trace t.ioflux --engine local --target-root root --target-map map.yaml "
      "--io uring --mode timeline -o r.json & pid=$!\n" +
      UntilOpen("root/shared") + "sleep 0.5; kill -INT $pid; wait $pid; exit $?");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue result = LoadJson("r.json");
  EXPECT_FALSE(result.GetBool("complete").value());
  EXPECT_EQ(result.GetInt("ops_completed").value(), 50) << "the first of every stream";
}

TEST_F(ManyStreams, ASubmissionThatTheKernelDidNotTakeIsMadeAgain) {
  const std::string inject =
      "strace -f -o /dev/null -e trace=io_uring_enter -e inject=io_uring_enter:";
  if (Shell(inject + "retval=0:when=3 true").exit_code != 0)
    GTEST_SKIP() << "strace cannot inject results here";
  WriteTrace(10);
  for (const char* fault : {"error=EINTR:when=4..6", "retval=0:when=3..5", "error=EBUSY:when=5"}) {
    ExpectExact(Run("--io uring --streams-per-job 10", inject + fault + " "));
  }
}

TEST_F(ManyStreams, WhereIoUringIsRefusedBlockingCallsDoItAndTheResultSaysSo) {
  const std::string deny = std::string(IOFLUX_BINARY_DIR) + "/tests/deny_io_uring ";
  if (Shell(deny + "true").exit_code != 0) GTEST_SKIP() << "seccomp filters cannot be set here";
  WriteTrace(10);
  for (const std::string jobs : {"auto", "5"}) {
    const JsonValue result = Run("--io uring --streams-per-job " + jobs, deny);
    ExpectExact(result);
    EXPECT_NE(said_.find("io_uring cannot be used here"), std::string::npos) << said_;
    bool named = false;
    const JsonValue limitations =
        result.GetObject("run_env").value().GetArray("engine_limitations").value();
    for (std::size_t i = 0; i < limitations.size(); ++i) {
      named = named || limitations.At(i).AsString().value().find("io_uring cannot be used here") !=
                           std::string::npos;
    }
    EXPECT_TRUE(named) << jobs;
  }
}

}  // namespace
}  // namespace ioflux
