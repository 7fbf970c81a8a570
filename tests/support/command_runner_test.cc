// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/command_runner.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

TEST(CommandRunner, CapturesOutputErrorAndExitCode) {
  const CommandResult result = RunCommand({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}});

  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
}

TEST(CommandRunner, FeedsInputLargerThanAPipeAndReadsItBack) {
  const std::string text(1 << 20, 'x');

  const CommandResult result = RunCommand({.argv = {"cat"}, .stdin_text = text});

  EXPECT_EQ(result.out, text);
  EXPECT_EQ(result.exit_code, 0);
}

TEST(CommandRunner, ProgramThatIgnoresItsInputIsNoFailure) {
  const CommandResult result =
      RunCommand({.argv = {"true"}, .stdin_text = std::string(1 << 20, 'x')});

  EXPECT_EQ(result.exit_code, 0);
}

TEST(CommandRunner, SetsFolderAndEnvironment) {
  const TempDir dir;

  const CommandResult result = RunCommand({.argv = {"sh", "-c", "pwd; echo $IOFLUX_WORD"},
                                           .cwd = dir.path(),
                                           .env = {{"IOFLUX_WORD", "here"}}});

  EXPECT_EQ(result.out, dir.path() + "\nhere\n");
}

TEST(CommandRunner, KillsWhatRunsTooLong) {
  const CommandResult result =
      RunCommand({.argv = {"sleep", "600"}, .timeout = std::chrono::seconds(0)});

  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(CommandRunner, ProgramThatDoesNotExistEndsWith127) {
  EXPECT_EQ(RunCommand({.argv = {"no-such-program-anywhere"}}).exit_code, 127);
}

TEST(TempDir, IsGoneAfterwards) {
  std::string path;
  {
    const TempDir dir;
    path = dir.path();
    dir.Write("sub/file", "content");
    EXPECT_EQ(dir.Read("sub/file"), "content");
    EXPECT_EQ(dir.Names(), std::vector<std::string>{"sub"});
  }
  EXPECT_EQ(RunCommand({.argv = {"test", "-e", path}}).exit_code, 1);
}

}  // namespace
}  // namespace ioflux
