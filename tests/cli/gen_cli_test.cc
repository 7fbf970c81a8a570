// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux gen` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/sha256.h"
#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

/// `ioflux gen PROFILE WORDS -o -`.
CommandResult Generate(const std::string& profile, const Words& words) {
  Words arguments = {"gen", profile};
  arguments.insert(arguments.end(), words.begin(), words.end());
  arguments.insert(arguments.end(), {"-o", "-"});
  return RunIoflux(arguments);
}

std::string OpLinesDigest(const std::string& trace) {
  return DigestOfBytes(trace.substr(trace.find('\n') + 1));
}

TEST(GenCli, WritesTheFileAndSaysSo) {
  const TempDir dir;

  const CommandResult result = RunIoflux({"gen", "training-read", "-o", dir / "t.ioflux"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "wrote " + (dir / "t.ioflux") + "\n");
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(dir.Names(), ElementsAre("t.ioflux"));
  EXPECT_EQ(OpLinesDigest(dir.Read("t.ioflux")),
            "sha256:f0a06ee0dc292c20f3f375362d183686c556e8cb409efadddb2cbee234c43c66");
}

TEST(GenCli, DashWritesTheTraceAndNothingElseToStandardOutput) {
  const CommandResult result = Generate("checkpoint-write", {});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("{"));
  EXPECT_THAT(result.out, Not(HasSubstr("wrote")));
  EXPECT_EQ(OpLinesDigest(result.out),
            "sha256:26fe88cded371a85a010a4fe7235bebd2ec8689c28594ecea636ba3680dc4a79");
}

TEST(GenCli, ReadmeQuickStartIsByteIdentical) {
  const CommandResult result =
      Generate("training-read", {"--shards", "8", "--shard-size", "16MiB", "--record-size",
                                 "256KiB", "--dataloader-workers", "4"});

  EXPECT_EQ(OpLinesDigest(result.out),
            "sha256:34062141044824deb804fb684a79f1c5f5b3e3bf3337ad147b4da72610f0575a");
}

TEST(GenCli, EveryFlagOfCheckpointWriteArrives) {
  const CommandResult result = Generate(
      "checkpoint-write", {"-model-size=256KiB", "-writer-ranks", "4", "--write-block=32KiB",
                           "--num-checkpoints", "3", "--checkpoint-interval=0", "-fsync", "final"});

  EXPECT_EQ(OpLinesDigest(result.out),
            "sha256:12580bfbfb22d59b09170f9f55e35dcce450f2636a5fa24ad642004259554661");
}

TEST(GenCli, EveryFlagOfTrainingReadArrives) {
  const CommandResult result = Generate(
      "training-read", {"-shards", "4", "-shard-size", "128KiB", "-record-size", "16KiB",
                        "-record-size-dist", "lognormal", "-epochs", "2", "-dataloader-workers",
                        "2", "-read-within-shard", "random", "-shuffle", "-seed", "3"});

  EXPECT_EQ(OpLinesDigest(result.out),
            "sha256:0f1997c5e213a3237247aadb8c29957e120f0b53cca75bb71db9a8b9fd10d3b9");
}

TEST(GenCli, ShuffleFalseWorksInBothFormsAndLosesNoLaterFlag) {
  const std::string digest =
      "sha256:9f501dd89b713339c49227b22f536566605986a15c1f4b977f8700ba14e23f2c";
  const Words rest = {"--shards",      "2",    "--shard-size",         "64KiB",
                      "--record-size", "8KiB", "--dataloader-workers", "1",
                      "--seed",        "1"};
  for (const Words& shuffle : {Words{"--shuffle=false"}, Words{"--shuffle", "false"}}) {
    Words words = shuffle;
    words.insert(words.end(), rest.begin(), rest.end());
    EXPECT_EQ(OpLinesDigest(Generate("training-read", words).out), digest);
  }
}

TEST(GenCli, EverySpellingOfASizeGivesTheSameTrace) {
  const auto trace = [](const std::string& shard, const std::string& record) {
    return Generate("training-read",
                    {"--shards", "2", "--shard-size", shard, "--record-size", record})
        .out;
  };
  const std::string binary = trace("4194304", "131072");

  EXPECT_FALSE(binary.empty());
  EXPECT_EQ(trace("4MiB", "128KiB"), binary);
  EXPECT_EQ(trace("4mib", "128kib"), binary);
  EXPECT_EQ(trace("4M", "128K"), binary);
  EXPECT_EQ(trace("4 MiB", "128 KiB"), binary);
  EXPECT_EQ(trace("4MB", "128KB"), trace("4000000", "128000"));
}

TEST(GenCli, IntegersTakeEveryBase) {
  const std::string decimal = Generate("training-read", {"--shards", "16", "--seed", "42"}).out;
  EXPECT_EQ(Generate("training-read", {"--shards", "0x1_0", "--seed", "0b101010"}).out, decimal);
  EXPECT_EQ(Generate("training-read", {"--shards", "020", "--seed", "0o52"}).out, decimal);
}

TEST(GenCli, UsageErrorsEndWithTwoAndWriteNothing) {
  const TempDir dir;
  const std::string file = dir / "t.ioflux";
  for (const Words& words :
       {Words{}, Words{"gen"}, Words{"gen", "no-such-profile", "-o", file},
        Words{"gen", "training-read"}, Words{"gen", "training-read", "-o"},
        Words{"gen", "training-read", "-o", file, "--shard-size", "badsize"},
        Words{"gen", "training-read", "-o", file, "--shard-size", "-1"},
        Words{"gen", "training-read", "-o", file, "--shard-size", "9007199254740993GiB"},
        Words{"gen", "training-read", "-o", file, "--shards", "many"},
        Words{"gen", "training-read", "-o", file, "--no-such-flag"},
        Words{"gen", "training-read", "-o", file, "leftover"},
        Words{"gen", "training-read", "-o", file, "--", "leftover"},
        Words{"gen", "training-read", "-o", file, "--shuffle=perhaps"},
        Words{"gen", "training-read", "-o", file, "--model-latency", "5"},
        Words{"gen", "checkpoint-write", "-o", file, "--checkpoint-interval", "soon"}}) {
    const CommandResult result = RunIoflux(words);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(words);
    EXPECT_NE(result.err, "") << ::testing::PrintToString(words);
    EXPECT_EQ(result.out, "") << ::testing::PrintToString(words);
  }
  EXPECT_THAT(dir.Names(), IsEmpty());
}

TEST(GenCli, UnknownFlagGetsTheNearestName) {
  EXPECT_THAT(RunIoflux({"gen", "training-read", "-shrads", "3"}).err,
              HasSubstr("did you mean '--shards'?"));
}

TEST(GenCli, BadParameterEndsWithTwoAndLeavesTheExistingFile) {
  const TempDir dir;
  const std::string file = dir.Write("t.ioflux", "precious\n");
  for (const Words& words : {Words{"gen", "training-read", "--shards", "0"},
                             Words{"gen", "training-read", "--shard-size", "0"},
                             Words{"gen", "training-read", "--record-size-dist", "uniform"},
                             Words{"gen", "training-read", "--shards", "300000"},
                             Words{"gen", "training-read", "--model-bandwidth", "0"},
                             Words{"gen", "checkpoint-write", "--checkpoint-interval", "NaN"},
                             Words{"gen", "checkpoint-write", "--checkpoint-interval", "-1"},
                             Words{"gen", "checkpoint-write", "--checkpoint-interval", "1e10"},
                             Words{"gen", "checkpoint-write", "--fsync", "sometimes"}}) {
    Words with_output = words;
    with_output.insert(with_output.end(), {"-o", file});
    const CommandResult result = RunIoflux(with_output);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(words);
    EXPECT_THAT(result.err, HasSubstr(words[2])) << ::testing::PrintToString(words);
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(dir.Read("t.ioflux"), "precious\n");
  EXPECT_THAT(dir.Names(), ElementsAre("t.ioflux"));
}

TEST(GenCli, TooManyShardsSayHowManyFit) {
  const CommandResult result = Generate("training-read", {"--shards", "300000"});

  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("use at most 2"));
}

TEST(GenCli, OutputThatCannotBeWrittenEndsWithTwo) {
  const TempDir dir;
  dir.Write("file", "");
  for (const std::string& path : {dir / "absent/t.ioflux", dir.path(), dir / "file/t.ioflux"}) {
    const CommandResult result = RunIoflux({"gen", "training-read", "-o", path});
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_THAT(result.err, HasSubstr(path));
    EXPECT_EQ(result.out, "");
  }
  if (access("/dev/full", W_OK) == 0) {
    EXPECT_EQ(RunIoflux({"gen", "training-read", "-o", "/dev/full"}).exit_code, 2);
  }
  EXPECT_THAT(dir.Names(), ElementsAre("file"));
}

TEST(GenCli, AFileSizeLimitIsAnErrorThatLeavesNothingBehind) {
  const TempDir dir;
  dir.Write("t.ioflux", "precious\n");
  for (const std::string command : {"gen training-read --shards 64 -o t.ioflux",
                                    "gen training-read --shards 64 -o new.ioflux"}) {
    const CommandResult result =
        RunCommand({.argv = {"sh", "-c", "ulimit -f 8 && exec " + IofluxBinary() + " " + command},
                    .cwd = dir.path()});

    EXPECT_EQ(result.signal, 0) << command;
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr("File too large")) << command;
    EXPECT_THAT(dir.Names(), ElementsAre("t.ioflux")) << command;
    EXPECT_EQ(dir.Read("t.ioflux"), "precious\n");
  }
}

TEST(GenCli, ExplicitPrefetchDepthIsWarnedAboutByValue) {
  const CommandResult four = Generate("training-read", {"--shards", "1", "--prefetch-depth", "4"});
  EXPECT_EQ(four.exit_code, 0);
  EXPECT_THAT(four.err, HasSubstr("--prefetch-depth 4"));
  EXPECT_THAT(four.err, HasSubstr("not modelled"));

  EXPECT_EQ(Generate("training-read", {"--shards", "1", "--prefetch-depth", "1"}).err, "");
  EXPECT_EQ(Generate("training-read", {"--shards", "1"}).err, "");
}

TEST(GenCli, ModelFlagsPutADurationOnEveryOp) {
  const CommandResult result =
      Generate("training-read", {"--shards", "1", "--shard-size", "1000", "--record-size", "1000",
                                 "--model-bandwidth", "1MB", "--model-latency", "1ms",
                                 "--compute-time", "2ms", "--seed", "7"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr(R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r",)"
                        R"("flags":["seq"],"dur":1000000})"));
  EXPECT_THAT(result.out, HasSubstr(R"({"t":3000000,"op_id":1,)"));
}

TEST(GenCli, HelpEndsWithZeroAndNamesEveryFlag) {
  for (const char* word : {"-h", "--help", "-help"}) {
    const CommandResult result = RunIoflux({"gen", "training-read", word});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    for (const char* flag :
         {"--shards INT=1024", "--shard-size SIZE=64MiB", "--record-size SIZE=512KiB",
          "--record-size-dist WORD=lognormal", "--epochs INT=1", "--dataloader-workers INT=8",
          "--read-within-shard WORD=sequential", "--prefetch-depth INT=2", "--shuffle BOOL=true",
          "--seed INT=42", "--model-bandwidth", "--model-latency", "--compute-time", "-o"}) {
      EXPECT_THAT(result.out, HasSubstr(flag));
    }
  }
  const CommandResult checkpoint = RunIoflux({"gen", "checkpoint-write", "--help"});
  EXPECT_EQ(checkpoint.exit_code, 0);
  for (const char* flag :
       {"--model-size SIZE=16GiB", "--writer-ranks INT=8", "--write-block SIZE=4MiB",
        "--num-checkpoints INT=1", "--checkpoint-interval REAL=0", "--fsync WORD=per-file"}) {
    EXPECT_THAT(checkpoint.out, HasSubstr(flag));
  }
  EXPECT_EQ(RunIoflux({"gen", "--help"}).exit_code, 0);
  EXPECT_EQ(RunIoflux({"help"}).exit_code, 0);
}

}  // namespace
}  // namespace ioflux
