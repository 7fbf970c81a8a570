// SPDX-License-Identifier: GPL-2.0-only
//
// Traces that are wrong, or right but unusual, and what is said of them: refused with line and
// reason before anything is touched, or replayed exactly.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

constexpr const char* kOpen = R"("s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r")";

std::string Read(const std::string& range) { return R"("s":0,"op":"READ","h":1,)" + range; }

class OddTrace : public ReplayFixture {
 protected:
  struct Line {
    std::string op;
    int t = 0;
    int duration = 0;  ///< -1: none
  };

  void Write(const std::vector<Line>& lines, int streams = 1, int partial = 0, int bytes = 0) {
    std::string ops;
    int end = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Line& line = lines[i];
      ops += R"({"t":)" + std::to_string(line.t) + R"(,"op_id":)" + std::to_string(i) + "," +
             line.op + (line.duration < 0 ? "" : R"(,"dur":)" + std::to_string(line.duration)) +
             "}\n";
      end = std::max(end, line.t + std::max(line.duration, 0));
    }
    dir_.Write(
        "t.ioflux",
        R"({"ioflux_trace_version":2,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
        R"("targets":[{"id":0,"name":"f","kind":"file","size":65536}],"summary":{"num_ops":)" +
            std::to_string(lines.size()) + R"(,"num_streams":)" + std::to_string(streams) +
            R"(,"num_groups":0,"total_bytes":)" + std::to_string(bytes) + R"(,"duration_ns":)" +
            std::to_string(end) + R"(,"num_partial_reads":)" + std::to_string(partial) + "}}\n" +
            ops);
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './root/'}]\n");
    dir_.Write("root/f", std::string(65536, 'x'));
  }

  CommandResult Replay(const std::string& arguments = "") {
    MustRun("rm -f r.json");
    return Shell(
        "ioflux run --trace t.ioflux --engine local --target-root root --target-map map.yaml "
        "--cache-mode none -o r.json " +
        arguments);
  }

  void ExpectRefused(const std::string& arguments, const std::string& words) {
    const CommandResult run = Replay(arguments);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(dir_.Exists("r.json")) << "nothing was run";
  }

  void ExpectExact(const std::string& arguments, std::int64_t ops, std::int64_t bytes) {
    for (const char* io : {" --io psync", " --io uring"}) {
      const CommandResult run = Replay(arguments + io);
      EXPECT_EQ(run.exit_code, 0) << run.err;
      const JsonValue result = LoadJson("r.json");
      EXPECT_EQ(result.GetInt("ops_completed").value(), ops);
      EXPECT_EQ(result.GetInt("bytes_moved").value(), bytes);
      EXPECT_EQ(result.GetInt("errors").value(), 0);
    }
  }
};

TEST_F(OddTrace, OperationsThatOverlapInTheSourceHaveNoGapToKeep) {
  // Each starts 40 ms before the one before it ended: a negative gap is none.
  Write({{kOpen, 0, 50'000'000},
         {Read(R"("off":0,"len":512)"), 10'000'000, 50'000'000},
         {Read(R"("off":0,"len":512)"), 20'000'000, 50'000'000}},
        1, 0, 1024);
  ExpectExact("--mode think", 3, 1024);
}

TEST_F(OddTrace, WithoutAnyDurationThinkIsRefused) {
  Write({{kOpen, 0, -1}, {Read(R"("off":0,"len":512)"), 10, -1}}, 1, 0, 512);
  ExpectRefused("--mode think", "no operation of this trace has a duration");
}

TEST_F(OddTrace, GapsWithoutADurationAreCountedAsUnknown) {
  Write({{kOpen, 0, -1},
         {Read(R"("off":0,"len":512)"), 10, 5},
         {Read(R"("off":0,"len":512)"), 20, -1}},
        1, 0, 1024);
  ExpectExact("--mode think", 3, 1024);
  const JsonValue pacing = LoadJson("r.json").GetObject("pacing").value();
  EXPECT_EQ(pacing.GetInt("gaps").value(), 2);
  EXPECT_EQ(pacing.GetInt("known_gaps").value(), 1);
  EXPECT_NE(MustRun("ioflux report r.json").out.find("1 of 2 gaps known"), std::string::npos);
}

TEST_F(OddTrace, AHandleOpenedTwiceIsRefusedWithBothLines) {
  Write({{kOpen, 0}, {kOpen, 5}});
  ExpectRefused("", "t.ioflux:3");
  ExpectRefused("", "handle 1 was opened on line 2 already");
}

TEST_F(OddTrace, AHandleOfAnotherStreamIsRefused) {
  Write({{kOpen, 0}, {R"("s":1,"op":"READ","h":1,"off":0,"len":512)", 5}}, 2, 0, 512);
  ExpectRefused("", "handle 1 belongs to stream 0");
}

TEST_F(OddTrace, OperationsOfNoBytesAreReplayed) {
  Write({{kOpen, 0}, {Read(R"("off":0,"len":0)"), 5}, {Read(R"("off":99,"len":0)"), 5}});
  ExpectExact("", 3, 0);
}

TEST_F(OddTrace, OffsetsBeyondFourGibibytesAndTwoToTheSixtySecondAreReplayed) {
  Write({{kOpen, 0},
         {Read(R"("off":5368709120,"len":512,"ret":0)"), 5},
         {Read(R"("off":4611686018427387904,"len":512,"ret":0)"), 5}},
        1, 2);
  ExpectExact("", 3, 0);
}

TEST_F(OddTrace, ATargetOutsideTheTableIsRefused) {
  Write({{R"("s":0,"op":"OPEN","tgt":3,"h":1,"mode":"r")", 0}});
  ExpectRefused("", "tgt 3 is not in the table of 1 target(s)");
}

TEST_F(OddTrace, AMissingTargetIsFoundBeforeOrNamedAfterTheRun) {
  Write({{kOpen, 0}, {Read(R"("off":0,"len":512)"), 5}}, 1, 0, 512);
  MustRun("rm root/f");
  ExpectRefused("--prepare assume-existing", "./root/f: target is not there");
  const CommandResult run = Replay();
  EXPECT_EQ(run.exit_code, 1);
  const JsonValue first =
      LoadJson("r.json").GetObject("error_details").value().GetArray("first").value().At(0);
  EXPECT_EQ(first.GetString("op").value(), "OPEN");
  EXPECT_EQ(first.GetString("target").value(), "./root/f");
  EXPECT_EQ(first.GetInt("errno").value(), ENOENT);
}

TEST_F(OddTrace, ATargetAByteShortMakesTheRunInvalidAndSaysWhere) {
  Write({{kOpen, 0}, {Read(R"("off":65024,"len":512)"), 5}}, 1, 0, 512);
  dir_.Write("root/f", std::string(65535, 'x'));
  ExpectRefused("--prepare assume-existing", "target has 65535 bytes, the trace recorded 65536");
  EXPECT_EQ(Replay().exit_code, 1);
  const std::string report = MustRun("ioflux report r.json").out;
  EXPECT_NE(report.find("INVALID"), std::string::npos);
  EXPECT_NE(report.find("offset 65024 B, 511 of 512 B moved"), std::string::npos) << report;
}

TEST_F(OddTrace, ATargetAByteLongMakesAShortReadOfTheSourceInvalid) {
  Write({{kOpen, 0}, {Read(R"("off":65500,"len":512,"ret":36)"), 5}}, 1, 1, 36);
  ExpectExact("", 2, 36);
  dir_.Write("root/f", std::string(65537, 'x'));
  EXPECT_EQ(Replay().exit_code, 1);
  const std::string report = MustRun("ioflux report r.json").out;
  EXPECT_NE(report.find("37 of 36 B moved"), std::string::npos) << report;
}

}  // namespace
}  // namespace ioflux
