// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux run --dry-run` against the real commands: what it says, and that it touches nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

using testing::HasSubstr;
using testing::Not;

class DryRun : public ReplayFixture {
 protected:
  const std::string run_ =
      "ioflux run --trace training.ioflux --engine local --target-root ./ioflux-data "
      "--target-map local-map.yaml --prepare materialize-synthetic ";

  /// Every file with its size and times, and every folder.
  std::string Snapshot() {
    return Shell("find . -path ./seen -prune -o -printf '%p %y %s %T@ %C@\\n' | sort").out;
  }
};

TEST_F(DryRun, SaysWhatWouldBeMadeAndReadAndTouchesNothing) {
  MakeTrainingTrace();
  const std::string before = Snapshot();

  const CommandResult dry = MustRun(run_ + "--dry-run");

  EXPECT_EQ(Snapshot(), before) << "not even the target root is made";
  EXPECT_THAT(dry.out, HasSubstr("make            8 targets, 2.00 MiB: ./ioflux-data/"));
  EXPECT_THAT(dry.out, HasSubstr("read            8 targets, "));
  EXPECT_THAT(dry.out, HasSubstr("ioflux-data, which would be made"));
  EXPECT_THAT(dry.out, HasSubstr("Nothing was touched."));
  EXPECT_EQ(dry.err, "");
}

TEST_F(DryRun, SaysHowOftenTheRunIsRepeated) {
  MakeTrainingTrace();
  EXPECT_THAT(MustRun(run_ + "--dry-run").out, Not(HasSubstr("Repeated")));
  const std::string repeated = run_ + "--trials 3 --warmup 1 --dry-run ";
  EXPECT_THAT(MustRun(repeated).out, HasSubstr("Repeated: 1 warm-up and 3 trials, each prepared"));
  const Result<JsonValue> json = JsonValue::Parse(MustRun(repeated + "--json").out, "outline");
  ASSERT_TRUE(json);
  EXPECT_EQ(json.value().GetInt("trials").value(), 3);
  EXPECT_EQ(json.value().GetInt("warmups").value(), 1);
}

TEST_F(DryRun, TheKernelSeesNoCallThatCouldChangeAnything) {
  if (Shell("strace -o /dev/null true").exit_code != 0) GTEST_SKIP() << "strace cannot run here";
  MakeTrainingTrace();
  MustRun(run_ + "-o r.json");
  MustRun("truncate -s 5 ioflux-data/shard_0000.tar");  // one to make again, seven to keep
  dir_.Write("seen", "");
  const std::string before = Snapshot();

  const CommandResult dry = MustRun("strace -f -o seen -e trace=%file,%desc " + run_ + "--dry-run");

  EXPECT_EQ(Snapshot(), before);
  EXPECT_THAT(dry.out, HasSubstr("make again      1 target, 256.00 KiB"));
  EXPECT_THAT(dry.out, HasSubstr("keep            7 targets"));
  static const std::regex kChanges(
      R"(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE|\b(creat|mkdir|mkdirat|rmdir|unlink|unlinkat|rename)"
      R"(|renameat|renameat2|link|linkat|symlink|symlinkat|truncate|ftruncate|fallocate|pwrite64)"
      R"(|pwritev|chmod|fchmod|fchmodat|utimensat|fsync|fdatasync|copy_file_range)\(|DONTNEED)");
  std::istringstream lines(dir_.Read("seen"));
  int calls = 0;
  for (std::string line; std::getline(lines, line); ++calls)
    EXPECT_FALSE(std::regex_search(line, kChanges)) << line;
  EXPECT_GT(calls, 50) << "strace saw nothing";
}

TEST_F(DryRun, AsJsonItHasTheNumbers) {
  MakeTrainingTrace();
  const CommandResult dry = MustRun(run_ + "--mode timeline --dry-run --json");

  const Result<JsonValue> json = JsonValue::Parse(dry.out, "dry");
  ASSERT_TRUE(json) << Describe(json.error());
  const JsonValue make = json.value().GetObject("prepare").value().GetObject("make").value();
  EXPECT_EQ(make.GetInt("targets").value(), 8);
  EXPECT_EQ(make.GetInt("bytes").value(), 2 << 20);
  EXPECT_EQ(make.GetArray("first_names").value().size(), 5U);
  EXPECT_FALSE(json.value().GetBool("refused").value());
  EXPECT_TRUE(json.value().Has("planned_ns"));
  EXPECT_EQ(json.value().GetInt("peak_streams").value(), 4);
  EXPECT_GT(json.value().GetArray("space").value().At(0).GetInt("free_bytes").value(), 2 << 20);
}

TEST_F(DryRun, ARunThatWouldBeRefusedEndsWithOneAndTheReason) {
  MakeTrainingTrace();
  const std::string refused =
      "ioflux run --trace training.ioflux --engine local --prepare assume-existing ";
  const CommandResult dry = Shell(refused + "--dry-run");
  const CommandResult json = Shell(refused + "--dry-run --json");
  const CommandResult real = Shell(refused + "-o r.json");

  EXPECT_EQ(dry.exit_code, 1);
  EXPECT_THAT(dry.err, HasSubstr("the run would be refused: "));
  EXPECT_THAT(dry.out, Not(HasSubstr("Nothing was touched")));
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(JsonValue::Parse(json.out, "dry").value().GetBool("refused").value());
  EXPECT_EQ(real.exit_code, 1) << "the real run agrees";
  EXPECT_THAT(real.err, HasSubstr("target is not there"));
  EXPECT_THAT(dry.err, HasSubstr("target is not there"));
}

// fio would read another path than was meant; whoever looks first hears of it as whoever runs.
TEST_F(DryRun, APathThatNoJobFileCanHoldIsRefusedAsInARealRun) {
  MakeTrainingTrace();
  for (const std::string name : {"a;b", "a#b", "a${b"}) {
    dir_.Write(name + "/t.ioflux", dir_.Read("training.ioflux"));
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: './" + name + "/'}]\n");
    for (const std::string& arguments :
         {"--engine mem --trace '" + name + "/t.ioflux'",
          "--engine local --trace training.ioflux --target-map map.yaml --target-root './" + name +
              "' --prepare materialize-synthetic"}) {
      const CommandResult dry = Shell("ioflux run " + arguments + " --dry-run");
      const CommandResult real = Shell("ioflux run " + arguments + " -o r.json");
      EXPECT_EQ(real.exit_code, 2) << arguments << real.err;
      EXPECT_EQ(dry.exit_code, real.exit_code) << arguments << dry.err;
      EXPECT_THAT(real.err, HasSubstr("cannot be written in a fio job file"));
      EXPECT_THAT(dry.err, HasSubstr(real.err.substr(std::string("ioflux: ").size())));
      EXPECT_EQ(real.out, "") << "nothing is announced";
    }
  }
}

TEST_F(DryRun, UsageIsJudgedAsInARealRun) {
  MakeTrainingTrace();
  EXPECT_EQ(Shell(run_ + "--mode asap --speedup 2 --dry-run").exit_code, 2);
  EXPECT_EQ(Shell(run_ + "--json -o r.json").exit_code, 2);
  const CommandResult nowhere = Shell(run_);
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("-o FILE"));
  EXPECT_EQ(Shell("ioflux run --trace missing.ioflux --dry-run").exit_code, 2);
}

TEST_F(DryRun, ARealRunSaysFirstWhatItIsAboutToDoAndWarnsOfAnImplausiblePace) {
  dir_.Write(
      "slow.ioflux",
      R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","capture_method":"synthetic",)"
      R"("scrubbed":false,"targets":[{"id":0,"name":"a","kind":"file","size":1}],"summary":)"
      R"({"num_ops":1,"num_streams":1,"num_groups":0,"total_bytes":0,"duration_ns":691200000000000,)"
      R"("num_partial_reads":0}})"
      "\n"
      R"({"t":691200000000000,"op_id":0,"s":0,"op":"STAT","tgt":0})"
      "\n");
  const CommandResult asap = MustRun("ioflux run --trace slow.ioflux -o r.json");
  EXPECT_THAT(asap.out, HasSubstr("asap: 1 op in 1 stream (at most 1 at a time)"));
  EXPECT_EQ(asap.err, "");
  const CommandResult dry = MustRun("ioflux run --trace slow.ioflux --mode timeline --dry-run");
  EXPECT_THAT(dry.out, HasSubstr("takes 8 days: is its time_unit right?"));
}

}  // namespace
}  // namespace ioflux
