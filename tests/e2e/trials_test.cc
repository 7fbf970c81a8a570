// SPDX-License-Identifier: GPL-2.0-only
//
// Sets of trials with the real fio: every trial is the same experiment, and no finished one is
// lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Trials : public ReplayFixture {
 protected:
  /// Two ranks write two files below ./data.
  void MakeCheckpointTrace() {
    MustRun(
        "ioflux gen checkpoint-write --model-size 256KiB --writer-ranks 2 --write-block 64KiB "
        "-o c.ioflux && mkdir -p data");
    dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./data/\"\n");
  }

  /// One target that is read and then deleted.
  void MakeDeletingTrace() {
    dir_.Write("delete.ioflux",
               R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
               R"("targets":[{"id":0,"name":"victim","kind":"file","size":8}],)"
               R"("summary":{"num_ops":4,"num_streams":1,"num_groups":0,"total_bytes":8,)"
               R"("duration_ns":3}})"
               "\n"
               R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"
               "\n"
               R"({"t":1,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":8})"
               "\n"
               R"({"t":2,"op_id":2,"s":0,"op":"CLOSE","h":1})"
               "\n"
               R"({"t":3,"op_id":3,"s":0,"op":"DELETE","tgt":0})"
               "\n");
    MustRun("mkdir -p data");
    dir_.Write("data/victim", "precious");
    dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./data/\"\n");
  }

  /// A fio that does `before` (a shell command that knows $run, from 1) and then runs.
  void MakeFio(const std::string& before) {
    dir_.Write("hooked-fio", "#!/bin/sh\nrun=$(($(cat " + dir_ / "runs" +
                                 " 2>/dev/null || echo 0) + 1))\necho $run > " + dir_ / "runs" +
                                 "\n" + before + "\nexec fio \"$@\"\n");
    MustRun("chmod +x hooked-fio");
  }

  std::vector<std::int64_t> OfTrials(const std::string& file, const std::string& object,
                                     const std::string& key) {
    std::vector<std::int64_t> values;
    const JsonValue trials = LoadJson(file).Find("trials");
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const JsonValue trial = trials.At(i);
      values.push_back((object.empty() ? trial : trial.Find(object)).GetIntOr(key, 0).value());
    }
    return values;
  }

  const std::string local_ =
      "ioflux run --engine local --target-root data --target-map map.yaml -o r.json ";
};

TEST_F(Trials, OnMemoryAreOneSetWithStatistics) {
  MakeTrainingTrace();
  const CommandResult run =
      MustRun("ioflux run --trace training.ioflux --trials 3 --warmup 2 --csv all.csv -o r.json");
  EXPECT_THAT(run.out, HasSubstr("wrote r.json\n"));
  for (const char* line : {"warmup 1/2\n", "warmup 2/2\n", "trial 1/3\n", "trial 3/3\n",
                           "3 trials valid, 0 failed; duration: median "})
    EXPECT_THAT(run.err, HasSubstr(line));
  const JsonValue set = LoadJson("r.json");
  EXPECT_EQ(set.GetString("artifact").value(), "trial_set");
  EXPECT_TRUE(set.GetBool("complete").value());
  EXPECT_EQ(set.GetInt("warmup_trials").value(), 2);
  EXPECT_EQ(set.Find("warmups").At(1).GetInt("errors").value(), 0);
  EXPECT_EQ(set.Find("trials").size(), 3u);
  EXPECT_EQ(set.Find("summary").Find("duration_ns").GetInt("n").value(), 3);
  EXPECT_FALSE(set.Find("summary").Find("duration_ns").GetBool("ci95_available").value());
  EXPECT_EQ(set.Find("shared").Find("settings").GetString("fill_seed").value(), "1");

  const CommandResult report = MustRun("ioflux report --csv again.csv r.json");
  EXPECT_THAT(report.out, HasSubstr("Trials: 3 measured, 2 warm-ups (discarded)\n"));
  EXPECT_THAT(report.out, HasSubstr("95% CI: unavailable, a 95 % interval needs 6 valid trials"));
  EXPECT_EQ(dir_.Read("again.csv"), dir_.Read("all.csv"));
  EXPECT_EQ(std::ranges::count(dir_.Read("all.csv"), '\n'), 4);
  MustRun("ioflux run --trace training.ioflux --csv all.csv -o one.json");
  EXPECT_EQ(std::ranges::count(dir_.Read("all.csv"), '\n'), 5);
}

TEST_F(Trials, OneTrialWithoutWarmUpIsTheSingleResult) {
  MakeTrainingTrace();
  MustRun("ioflux run --trace training.ioflux --trials 1 --warmup 0 -o r.json");
  EXPECT_EQ(LoadJson("r.json").GetString("artifact").value(), "result");
  MustRun("ioflux run --trace training.ioflux --warmup 1 -o r.json");
  EXPECT_EQ(LoadJson("r.json").GetString("artifact").value(), "trial_set");
}

TEST_F(Trials, EachCreatesWhatTheTraceCreates) {
  MakeCheckpointTrace();
  const CommandResult run =
      MustRun(local_ + "--trace c.ioflux --prepare materialize-synthetic --trials 3 --warmup 1");
  EXPECT_THAT(run.err, HasSubstr("2 file(s) that the trace created are removed between the runs"));
  EXPECT_THAT(OfTrials("r.json", "plan", "prepare_left_to_trace"), ElementsAre(2, 2, 2));
  EXPECT_THAT(OfTrials("r.json", "plan", "prepare_left_over"), ElementsAre(0, 0, 0));
  EXPECT_EQ(MustRun("find data -type f | wc -l").out, "2\n") << "the last run's files stay";
}

TEST_F(Trials, OverwriteAndNeverRemoveWhatWasThereBefore) {
  MakeCheckpointTrace();
  const std::string run = local_ + "--trace c.ioflux --prepare materialize-synthetic --trials 2";
  MustRun(run);
  MustRun("cd data && find . -type f -exec ln {} {}.link \\;");
  const CommandResult again = MustRun(run);
  EXPECT_THAT(again.err, Not(HasSubstr("are removed")));
  EXPECT_THAT(OfTrials("r.json", "plan", "prepare_left_over"), ElementsAre(2, 2));
  EXPECT_EQ(MustRun("find data -type f -links 2 | wc -l").out, "4\n")
      << "the files that were there are the same files still";
}

TEST_F(Trials, OfColdCachesAreEachCold) {
  MakeTrainingTrace();
  MustRun(
      "mkdir ioflux-data && ioflux run --engine local --target-root ioflux-data --target-map "
      "local-map.yaml --trace training.ioflux --prepare materialize-synthetic --cache-mode cold "
      "--trials 3 -o r.json");
  const JsonValue trials = LoadJson("r.json").Find("trials");
  for (std::size_t i = 0; i < 3; ++i) {
    const JsonValue environment = trials.At(i).Find("run_env");
    EXPECT_EQ(environment.GetString("cache_mode").value(), "cold");
    const JsonValue at_start =
        environment.Find("cache_evidence").Find("residency").Find("at_start");
    if (at_start.is_null()) GTEST_SKIP() << "residency cannot be measured on this file system";
    EXPECT_EQ(at_start.GetInt("resident_pages").value(), 0) << "trial " << i + 1;
  }
  EXPECT_THAT(OfTrials("r.json", "plan", "prepare_created"), ElementsAre(8, 0, 0));
  EXPECT_THAT(OfTrials("r.json", "plan", "prepare_kept"), ElementsAre(0, 8, 8));
}

TEST_F(Trials, OneThatCannotRunEndsTheSetAndCostsNoFinishedOne) {
  MakeDeletingTrace();
  const CommandResult run =
      Shell(local_ + "--trace delete.ioflux --prepare assume-existing --trials 3 --csv all.csv");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("target is not there"));
  EXPECT_THAT(run.out, HasSubstr("wrote r.json"));
  const JsonValue set = LoadJson("r.json");
  EXPECT_FALSE(set.GetBool("complete").value());
  EXPECT_THAT(set.GetString("incomplete_reason").value(),
              StartsWith("trial 2 of 3 could not run: "));
  EXPECT_THAT(set.GetString("incomplete_reason").value(), HasSubstr("target is not there"));
  EXPECT_EQ(set.Find("trials").size(), 1u);
  EXPECT_EQ(std::ranges::count(dir_.Read("all.csv"), '\n'), 2);
  const CommandResult report = MustRun("ioflux report r.json");
  EXPECT_THAT(report.out, StartsWith("INCOMPLETE — trial 2 of 3 could not run: "));
  EXPECT_THAT(report.out, HasSubstr("Trials: 1 of 3 measured\n"));
}

TEST_F(Trials, OneThatFailsIsCountedAndTheSetGoesOn) {
  MakeDeletingTrace();
  // Run 2 finds no victim, the others do.
  MakeFio("[ $run = 2 ] || printf precious > " + dir_ / "data/victim");
  const CommandResult run = Shell(local_ +
                                  "--trace delete.ioflux --trials 3 --csv all.csv --fio "
                                  "./hooked-fio");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("ioflux: trial 2: the run is invalid: "));
  EXPECT_THAT(run.err, HasSubstr("2 trials valid, 1 failed"));
  const JsonValue set = LoadJson("r.json");
  EXPECT_TRUE(set.GetBool("complete").value());
  EXPECT_EQ(set.Find("summary").GetInt("valid_trials").value(), 2);
  EXPECT_EQ(set.Find("summary").Find("duration_ns").GetInt("n").value(), 2);
  EXPECT_EQ(std::ranges::count(dir_.Read("all.csv"), '\n'), 4) << "failed trials have rows too";
  EXPECT_THAT(MustRun("ioflux report r.json").out,
              HasSubstr("INVALID — 1 of 3 trials failed: [2]"));
}

TEST_F(Trials, AFailingWarmUpEndsTheSetWithItsReason) {
  MakeDeletingTrace();
  MustRun("rm data/victim");
  const CommandResult run = Shell(local_ + "--trace delete.ioflux --trials 2 --warmup 2");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warm-up 1 of 2 failed: "));
  EXPECT_THAT(run.err, Not(HasSubstr("warmup 2/2")));
  const JsonValue set = LoadJson("r.json");
  EXPECT_FALSE(set.GetBool("complete").value());
  EXPECT_GT(set.Find("warmups").At(0).GetInt("errors").value(), 0);
  const CommandResult report = Shell("ioflux report r.json");
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_THAT(report.err, HasSubstr("the set holds no trials: warm-up 1 of 2 failed: "));
}

TEST_F(Trials, OnesThatCannotStartAtAllLeaveTheEarlierResult) {
  MakeDeletingTrace();
  MustRun("rm data/victim");
  dir_.Write("r.json", "an earlier result\n");
  const CommandResult run =
      Shell(local_ + "--trace delete.ioflux --prepare assume-existing --trials 2");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("target is not there"));
  EXPECT_EQ(dir_.Read("r.json"), "an earlier result\n");
}

TEST_F(Trials, ATraceThatIsChangedInBetweenEndsTheSet) {
  MakeTrainingTrace();
  MustRun(
      "ioflux gen training-read --shards 4 --shard-size 64KiB --record-size 16KiB "
      "--dataloader-workers 4 -o other.ioflux");
  // The first trial is on disk, and only then the trace is another one.
  MakeFio("[ $run != 1 ] || (while [ ! -e " + dir_ / "r.json" + " ]; do sleep 0.01; done; mv " +
          dir_ / "other.ioflux " + dir_ / "training.ioflux) >/dev/null 2>&1 &");
  const CommandResult run =
      Shell("ioflux run --trace training.ioflux --trials 40 --fio ./hooked-fio -o r.json");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue set = LoadJson("r.json");
  EXPECT_FALSE(set.GetBool("complete").value());
  EXPECT_THAT(set.GetString("incomplete_reason").value(), HasSubstr("changed"));
  EXPECT_LT(set.Find("trials").size(), 40u);
  EXPECT_GE(set.Find("trials").size(), 1u);
}

/// Starts a set whose second run does not end, waits until that run is there, and does `then`.
class StoppedTrials : public Trials {
 protected:
  CommandResult InTheSecondRun(const std::string& then, const std::string& arguments) {
    MakeTrainingTrace();
    MakeFio("[ $run = 1 ] || { touch " + dir_ / "second" + "; exec sleep 100; }");
    return Shell(
        "ioflux run --trace training.ioflux --fio ./hooked-fio -o r.json " + arguments +
        " & pid=$!\n"
        "n=0; while [ ! -e second ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\n" +
        then + "; wait $pid");
  }
};

TEST_F(StoppedTrials, ByCtrlCKeepTheFinishedOnes) {
  const CommandResult run = InTheSecondRun("kill -INT $pid", "--trials 3 --csv all.csv");
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue set = LoadJson("r.json");
  EXPECT_FALSE(set.GetBool("complete").value());
  EXPECT_THAT(set.GetString("incomplete_reason").value(), HasSubstr("interrupted"));
  EXPECT_EQ(set.Find("trials").size(), 1u);
  EXPECT_EQ(std::ranges::count(dir_.Read("all.csv"), '\n'), 2);
  EXPECT_THAT(run.err, Not(HasSubstr("trial 3/3")));
  EXPECT_THAT(MustRun("ioflux report r.json").out, HasSubstr("Trials: 1 of 3 measured"));
}

TEST_F(StoppedTrials, ByKillLeaveAReadableSet) {
  const CommandResult run = InTheSecondRun("kill -KILL $pid", "--trials 3");
  EXPECT_FALSE(run.timed_out);
  const JsonValue set = LoadJson("r.json");
  EXPECT_FALSE(set.GetBool("complete").value());
  EXPECT_EQ(set.Find("trials").size(), 1u);
  const CommandResult report = MustRun("ioflux report r.json");
  EXPECT_THAT(report.out, StartsWith("INCOMPLETE — 1 of 3 trials: the set was still under way"));
}

TEST_F(StoppedTrials, InTheMiddleOfATrialRecordItApart) {
  // Makes a file, and looks at it five seconds later.
  dir_.Write("slow.ioflux",
             R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
             R"("targets":[{"id":0,"name":"first","kind":"file","size":0}],"summary":{"num_ops":3,)"
             R"("num_streams":1,"num_groups":0,"total_bytes":0,"duration_ns":5000000000}})"
             "\n"
             R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create"]})"
             "\n"
             R"({"t":1,"op_id":1,"s":0,"op":"CLOSE","h":1})"
             "\n"
             R"({"t":5000000000,"op_id":2,"s":0,"op":"STAT","tgt":0})"
             "\n");
  MakeFio("[ $run = 1 ] || touch " + dir_ / "second");
  const CommandResult run = Shell(
      "ioflux run --trace slow.ioflux --mode timeline --engine local --unconfined --trials 3 "
      "--fio ./hooked-fio -o r.json & pid=$!\n"
      "n=0; while ! [ -e second -a -e first ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); "
      "done\nkill -INT $pid; wait $pid");
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue set = LoadJson("r.json");
  EXPECT_EQ(set.Find("trials").size(), 1u);
  EXPECT_EQ(set.Find("trials").At(0).GetInt("ops_completed").value(), 3);
  EXPECT_FALSE(set.Find("unfinished_trial").GetBool("complete").value());
  EXPECT_EQ(set.GetString("incomplete_reason").value(), "trial 2 of 3 was interrupted");
  EXPECT_THAT(MustRun("ioflux report r.json").out,
              HasSubstr("[stopped, in no figure: incomplete: the run was interrupted: "));
}

TEST_F(Trials, WrongNumbersAndACsvOfOtherColumnsAreRefusedBeforeTheReplay) {
  MakeTrainingTrace();
  const std::string run = "ioflux run --trace training.ioflux -o r.json ";
  for (const char* numbers :
       {"--trials 0", "--trials -1", "--trials x", "--warmup -1", "--trials 1001", "--csv r.json",
        "--csv training.ioflux", "--csv -", "--csv missing/all.csv"}) {
    EXPECT_EQ(Shell(run + numbers).exit_code, 2) << numbers;
  }
  dir_.Write("other.csv", "a,b,c\n");
  const CommandResult other = Shell(run + "--csv other.csv");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("other.csv:1: its first line does not name the columns"));
  EXPECT_EQ(dir_.Read("other.csv"), "a,b,c\n");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "r.json"));
}

TEST_F(Trials, GoToStandardOutputAsOneDocument) {
  MakeTrainingTrace();
  const CommandResult run = Shell(
      "ioflux run --trace training.ioflux --trials 2 -o - | grep -c '\"artifact\": "
      "\"trial_set\"'");
  EXPECT_EQ(run.out, "1\n") << run.err;
}

}  // namespace
}  // namespace ioflux
