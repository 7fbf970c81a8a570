// SPDX-License-Identifier: GPL-2.0-only
//
// What every command does with its output: it never replaces an input, and text that does not
// arrive is no success.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

const char* const kTrace =
    R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
    R"("targets":[{"id":0,"name":"a","kind":"file","size":8}],"summary":{"num_ops":1,)"
    R"("num_streams":1,"num_groups":0,"total_bytes":0,"duration_ns":0}})"
    "\n"
    R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})"
    "\n";
const char* const kCapture =
    "10 1796110939.543031 openat(AT_FDCWD, \"/tmp/a\", O_RDONLY) = 3 <0.000010>\n"
    "10 1796110939.543131 read(3, \"\", 10) = 0 <0.000010>\n";

class Output : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    dir_.Write("t.ioflux", kTrace);
    dir_.Write("c.strace", kCapture);
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: 'd/'}]\n");
  }
  CommandResult Shell(const std::string& command) {
    return RunCommand(
        {.argv = {"sh", "-c", command},
         .cwd = dir_.path(),
         .env = {{"PATH", std::string(IOFLUX_BINARY_DIR) + "/bin:" + std::getenv("PATH")}}});
  }
  TempDir dir_;
};

class ReplacedInput : public Output {};

TEST_P(ReplacedInput, IsAUsageErrorAndStaysAsItIs) {
  const CommandResult result = Shell(GetParam());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.err.find("would replace"), std::string::npos) << result.err;
  EXPECT_EQ(dir_.Read("t.ioflux"), kTrace);
  EXPECT_EQ(dir_.Read("c.strace"), kCapture);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, ReplacedInput,
    testing::Values("ioflux run --trace t.ioflux -o t.ioflux",
                    "ioflux run --trace t.ioflux --target-map map.yaml -o ./map.yaml",
                    "ln t.ioflux other && ioflux run --trace t.ioflux -o other",
                    "ioflux jobs --trace t.ioflux -o t.ioflux",
                    "ioflux import strace -o c.strace c.strace",
                    "ioflux import strace -o new --report c.strace c.strace",
                    "ioflux import strace -o new --report ./new c.strace"));

class LostOutput : public Output {};

TEST_P(LostOutput, IsSaidAndEndsWithAFailure) {
  const CommandResult result = Shell(GetParam());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
}

INSTANTIATE_TEST_SUITE_P(Commands, LostOutput,
                         testing::Values("ioflux validate t.ioflux > /dev/full",
                                         "ioflux validate --json t.ioflux >&-",
                                         "ioflux import strace -o - c.strace > /dev/full",
                                         "ioflux --help > /dev/full"));

class NoFileOutput : public Output {};

// Opening a pipe that nobody reads would wait for ever.
TEST_P(NoFileOutput, IsRefusedAtOnceWithTheReason) {
  for (const std::string kind : {"mkfifo out", "mkdir out"}) {
    ASSERT_EQ(Shell("rm -rf out new && " + kind).exit_code, 0);
    const CommandResult result = Shell("timeout 20 " + std::string(GetParam()));
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find("out: cannot write there: it is a"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(dir_.Exists("new"));
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, NoFileOutput,
                         testing::Values("ioflux gen training-read --shards 1 -o out",
                                         "ioflux gen checkpoint-write -o out",
                                         "ioflux import strace -o out c.strace",
                                         "ioflux import strace -o new --report out c.strace",
                                         "ioflux jobs --trace t.ioflux -o out",
                                         "ioflux run --trace t.ioflux -o out"));

class ReplacedOutput : public Output {};

TEST_P(ReplacedOutput, KeepsItsMode) {
  const CommandResult result =
      Shell("echo old > out && chmod 600 out && " + std::string(GetParam()) + " && stat -c %a out");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.ends_with("\n600\n")) << result.out;
  EXPECT_NE(dir_.Read("out"), "old\n");
}

INSTANTIATE_TEST_SUITE_P(Commands, ReplacedOutput,
                         testing::Values("ioflux gen training-read --shards 1 -o out",
                                         "ioflux import strace -o out c.strace",
                                         "ioflux import strace -o new --report out c.strace"));

TEST_F(Output, StandardOutputUnderItsNameIsWritten) {
  const CommandResult named = Shell("ioflux gen training-read --shards 1 -o /dev/stdout | cat");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_TRUE(named.out.starts_with("{\"ioflux_trace_version\"")) << named.out.substr(0, 200);
}

// Half a trace on a pipe cannot be taken back.
TEST_F(Output, ARefusedGenerationPrintsNothing) {
  for (const char* flags : {"training-read --shards 300000", "checkpoint-write --writer-ranks 0",
                            "training-read --epochs 9223372036854775807 --shard-size 1"}) {
    const CommandResult result = Shell("ioflux gen " + std::string(flags) + " -o -");
    EXPECT_EQ(result.exit_code, 2) << flags;
    EXPECT_EQ(result.out, "") << flags;
  }
}

}  // namespace
}  // namespace ioflux
