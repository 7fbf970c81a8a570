// SPDX-License-Identifier: GPL-2.0-only
//
// What README.md and docs/target-map.md tell a user to do, done with the bytes they show and we
// ship.
#include <gtest/gtest.h>

#include "tests/e2e/replay_fixture.h"
#include "tests/support/document.h"

namespace ioflux {
namespace {

class Readme : public ReplayFixture {
 protected:
  /// The trace of the README, and beside it the two files a user copies.
  void CopyShippedFiles() {
    MustRun(IndentedCommand(SourceFile("README.md"), "ioflux gen training-read"));
    for (const char* name : {"replay.fio", "local-map.yaml"})
      dir_.Write(name, SourceFile(std::string("job_templates/") + name));
  }

  /// Plain fio moves all of the trace, with as many jobs as it has streams.
  void ExpectWholeReplay(const std::string& job_file) {
    const std::string command = "fio " + job_file;
    const CommandResult result = MustRun(command);
    EXPECT_NE(result.out.find("io=128MiB (134MB)"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Starting 4 "), std::string::npos) << result.out;
    EXPECT_TRUE(dir_.Exists("ioflux-data/shard_0000.tar"));
  }
};

TEST_F(Readme, ShowsTheShippedJobFileAndMap) {
  const std::string readme = SourceFile("README.md");
  const std::string job_file = SourceFile("job_templates/replay.fio");
  const std::string map = SourceFile("job_templates/local-map.yaml");
  EXPECT_NE(readme.find("```ini\n" + job_file + "```\n"), std::string::npos);
  EXPECT_NE(readme.find("```yaml\n" + map + "```\n"), std::string::npos);
}

TEST_F(Readme, TheShippedJobFileAndMapReplayAsTheyAre) {
  CopyShippedFiles();
  ExpectWholeReplay("replay.fio");
}

TEST_F(Readme, WithoutTheLineThreadTheShippedJobFileReplaysInProcesses) {
  CopyShippedFiles();
  std::string process = SourceFile("job_templates/replay.fio");
  process.erase(process.find("\nthread\n"), 7);
  dir_.Write("process.fio", process);
  ExpectWholeReplay("process.fio");
}

TEST_F(Readme, TheCommandsOfSixtySecondsReplayAndReport) {
  CopyShippedFiles();
  const std::string readme = SourceFile("README.md");
  MustRun(IndentedCommand(readme, "ioflux run --trace training.ioflux"));
  const CommandResult report = MustRun(IndentedCommand(readme, "ioflux report results.json"));
  EXPECT_NE(report.out.find("532 ops completed  128.00 MiB moved"), std::string::npos)
      << report.out;
}

TEST_F(Readme, TheCommandOfTheTargetMapPageReplaysATraceOfAbsoluteNames) {
  const std::string page = SourceFile("docs/target-map.md");
  dir_.Write("job.ioflux",
             R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns",)"
             R"("scrubbed":false,"targets":[{"id":0,"name":"/home/me/input.bin",)"
             R"("kind":"file","size":4096}],"summary":{"num_ops":3,"num_streams":1,"num_groups":0,)"
             R"("total_bytes":4096,"duration_ns":2}})"
             "\n"
             R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"
             "\n"
             R"({"t":1,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":4096})"
             "\n"
             R"({"t":2,"op_id":2,"s":0,"op":"CLOSE","h":1})"
             "\n");
  for (const FencedBlock& block : FencedBlocks(page)) {
    if (block.text.starts_with("# sandbox.yaml\n")) dir_.Write("sandbox.yaml", block.text);
  }
  MustRun(IndentedCommand(page, "ioflux run --trace job.ioflux"));
  EXPECT_EQ(dir_.Read("sandbox/home/me/input.bin").size(), 4096U);
  EXPECT_EQ(LoadJson("results.json").GetInt("bytes_moved").value(), 4096);
}

}  // namespace
}  // namespace ioflux
