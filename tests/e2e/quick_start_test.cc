// SPDX-License-Identifier: GPL-2.0-only
//
// The quick start of the README, word for word.
#include <gtest/gtest.h>

#include "tests/e2e/replay_fixture.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

class QuickStart : public ReplayFixture {};

TEST_F(QuickStart, GeneratesReplaysAndReports) {
  MustRun(
      "ioflux gen training-read --shards 8 --shard-size 16MiB --record-size 256KiB "
      "--dataloader-workers 4 "
      "-o training.ioflux");
  dir_.Write("local-map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./ioflux-data/\"\n");

  const CommandResult run = MustRun(
      "ioflux run --trace training.ioflux --engine local --target-root ./ioflux-data "
      "--target-map local-map.yaml --prepare materialize-synthetic -o results.json");
  const CommandResult report = MustRun("ioflux report results.json");

  const TraceSummary summary = TraceReader::Open(dir_ / "training.ioflux").value().header().summary;
  const JsonValue result = LoadJson("results.json");
  EXPECT_EQ(result.GetInt("ops_completed").value(), summary.num_ops);
  EXPECT_EQ(result.GetInt("bytes_moved").value(), summary.total_bytes);
  EXPECT_EQ(result.GetInt("errors").value(), 0);
  EXPECT_TRUE(result.GetBool("complete").value());
  EXPECT_TRUE(
      result.GetObject("fio").value().GetObject("cross_check").value().GetBool("agrees").value());
  EXPECT_EQ(result.GetObject("plan").value().GetInt("prepare_created").value(), 8);
  const JsonValue series = result.GetArray("time_series").value();
  const JsonValue end = series.At(series.size() - 1);
  EXPECT_EQ(end.GetInt("elapsed_ns").value(), result.GetInt("duration_ns").value());
  EXPECT_EQ(end.GetInt("bytes").value(), result.GetInt("bytes_moved").value());
  EXPECT_EQ(run.out,
            "asap: " + std::to_string(summary.num_ops) +
                " ops in 4 streams (at most 4 at a time), 128.00 MiB to read, 0 B to write, as fast as "
                "the storage answers (the source took 137.0ms)\nwrote results.json\n");
  EXPECT_EQ(run.err, "") << "no progress when standard error is not a terminal";
  EXPECT_NE(report.out.find("128.00 MiB"), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("READ"), std::string::npos) << report.out;
}

TEST_F(QuickStart, ACheckpointTraceWritesItsFiles) {
  MustRun(
      "ioflux gen checkpoint-write --model-size 512KiB --writer-ranks 4 --write-block 32KiB -o "
      "c.ioflux");
  dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './data/'}]\n");
  MustRun("ioflux run --trace c.ioflux --engine local --target-map map.yaml -o r.json");

  const JsonValue result = LoadJson("r.json");
  EXPECT_EQ(result.GetInt("bytes_moved").value(), 512 << 10);
  EXPECT_EQ(result.GetInt("errors").value(), 0);
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(dir_.Read("data/checkpoint_0000/shard_000" + std::to_string(rank) + ".pt").size(),
              128U << 10);
  }
}

TEST_F(QuickStart, MemReplaysEveryOpWithoutTouchingAFile) {
  MakeTrainingTrace();
  MustRun("ioflux run --trace training.ioflux --engine mem -o r.json");
  const TraceSummary summary = TraceReader::Open(dir_ / "training.ioflux").value().header().summary;
  EXPECT_EQ(LoadJson("r.json").GetInt("ops_completed").value(), summary.num_ops);
  EXPECT_FALSE(dir_.Exists("ioflux-data"));
}

TEST_F(QuickStart, ACompressedTraceReplaysUnderTheDigestOfItsContent) {
  MakeTrainingTrace();
  MustRun(
      "gzip -k training.ioflux && ioflux run --trace training.ioflux --engine mem -o plain.json && "
      "ioflux run --trace training.ioflux.gz --engine mem -o packed.json");
  const auto digest = [this](const std::string& name) {
    return LoadJson(name).GetObject("plan").value().GetString("trace_digest").value();
  };
  EXPECT_EQ(digest("plain.json"), digest("packed.json"));
}

TEST_F(QuickStart, ProgressIsShownOnATerminal) {
  if (Shell("command -v script").exit_code != 0)
    GTEST_SKIP() << "no `script` to make a terminal with";
  MakeTrainingTrace();
  const CommandResult result =
      Shell("script -qec 'ioflux run --trace training.ioflux --engine mem -o r.json' /dev/null");
  EXPECT_NE(result.out.find("\r"), std::string::npos);
  EXPECT_TRUE(result.out.find("preparing") != std::string::npos ||
              result.out.find(" ops (") != std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace ioflux
