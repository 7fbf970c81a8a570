// SPDX-License-Identifier: GPL-2.0-only
//
// What goes wrong is said clearly, ends with the right code, and costs no earlier result.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

class Faults : public ReplayFixture {
 protected:
  static constexpr const char* kEarlier = "an earlier result\n";

  /// Runs `arguments` of `ioflux run`, which must end with `exit_code`, say `text`, and leave the
  /// earlier result alone.
  void ExpectRefused(const std::string& arguments, int exit_code, const std::string& text) {
    dir_.Write("results.json", kEarlier);
    const std::vector<std::string> before = dir_.Names();
    const CommandResult result = Shell("ioflux run " + arguments + " -o results.json");
    EXPECT_EQ(result.exit_code, exit_code) << arguments << "\n" << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << arguments << "\n" << result.err;
    EXPECT_EQ(result.out.find("wrote"), std::string::npos) << result.out;
    EXPECT_TRUE(dir_.Read("results.json") == kEarlier) << arguments;
    EXPECT_EQ(dir_.Names(), before) << "something was left behind";
  }

  const std::string local_ = "--trace training.ioflux --engine local --target-map local-map.yaml ";
};

TEST_F(Faults, AnEngineForAnotherFioIsRefusedInOneLine) {
  MakeTrainingTrace();
  const std::string other = std::string(IOFLUX_BINARY_DIR) + "/tests/libioflux-for-another-fio.so";
  const CommandResult result =
      Shell("fio --name=stream --numjobs=4 --thread --ioengine=external:" + other +
            " --trace=training.ioflux");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.signal, 0);
  const std::string text = "ioflux: this engine was built for fio-9.99 and cannot run in fio-";
  const std::size_t first = result.err.find(text);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(text, first + 1), std::string::npos) << "once is enough";
  ExpectRefused("--engine-library " + other + " --trace training.ioflux", 1, "built for fio-9.99");
}

TEST_F(Faults, AMissingTraceIsAnIoErrorAndABrokenOneIsRefusedWithItsLine) {
  ExpectRefused("--trace missing.ioflux", 2, "missing.ioflux");
  ExpectRefused("--trace " + dir_.path(), 2, "cannot");
  dir_.Write("broken.ioflux", "not json\n");
  ExpectRefused("--trace broken.ioflux", 1, "broken.ioflux:1");
  MakeTrainingTrace();
  MustRun("sed -i '6s/\"off\":[0-9]*/\"off\":-7/' training.ioflux");
  ExpectRefused("--trace training.ioflux", 1, "training.ioflux:6");
}

// What is read more than once must not block for ever, or be empty, the second time.
TEST_F(Faults, PipesAreNoInputsAndNoTargets) {
  MakeTrainingTrace();
  MustRun("mkfifo pipe.ioflux pipe.yaml");
  ExpectRefused("--trace pipe.ioflux", 2, "pipe.ioflux: the trace cannot be a named pipe");
  ExpectRefused("--trace -", 2, "the trace cannot be standard input");
  ExpectRefused("--trace training.ioflux --engine local --target-map pipe.yaml", 1,
                "pipe.yaml: the target map cannot be a named pipe");
  EXPECT_EQ(Shell("bash -c 'ioflux run --trace <(cat training.ioflux) -o r.json'").exit_code, 2);
  EXPECT_EQ(Shell("ioflux jobs --trace pipe.ioflux -o r.fio").exit_code, 2);
  MustRun("mkdir ioflux-data && mkfifo ioflux-data/shard_0003.tar");
  for (const char* prepare : {"none", "assume-existing", "materialize-synthetic"}) {
    ExpectRefused(local_ + "--target-root ./ioflux-data --prepare " + prepare, 1,
                  "shard_0003.tar' is a named pipe, not a file");
  }
}

TEST_F(Faults, ABrokenMapIsRefusedWithItsLine) {
  MakeTrainingTrace();
  ExpectRefused("--trace training.ioflux --engine local --target-map missing.yaml", 1,
                "missing.yaml");
  dir_.Write("local-map.yaml", "target_rewrite:\n  - from: \"\"\n    too: \"./x/\"\n");
  ExpectRefused(local_, 1, "local-map.yaml:3");
}

TEST_F(Faults, ABrokenRootIsRefused) {
  MakeTrainingTrace();
  ExpectRefused(local_ + "--target-root ./missing", 1, "/missing: cannot open the target root");
  dir_.Write("file", "x");
  ExpectRefused(local_ + "--target-root ./file --prepare materialize-synthetic", 1,
                "/file: cannot create the target root");
}

TEST_F(Faults, ATargetOutsideTheRootIsRefusedByName) {
  MakeTrainingTrace();
  MustRun("mkdir root");
  ExpectRefused(local_ + "--target-root ./root", 1,
                "ioflux-data/shard_0000.tar' is outside the target root");
}

TEST_F(Faults, ALinkOutOfTheRootIsRefusedAndNothingIsWrittenThroughIt) {
  MakeTrainingTrace();
  dir_.Write("victim", "precious");
  MustRun("mkdir ioflux-data && ln -s ../victim ioflux-data/shard_0003.tar");
  ExpectRefused(local_ + "--target-root ./ioflux-data --prepare materialize-synthetic", 1,
                "shard_0003.tar");
  EXPECT_EQ(dir_.Read("victim"), "precious");
}

TEST_F(Faults, MissingTargetsAreRefusedWhenTheyAreAssumedToExist) {
  MakeTrainingTrace();
  MustRun("mkdir ioflux-data");
  ExpectRefused(local_ + "--target-root ./ioflux-data --prepare assume-existing", 1,
                "shard_0000.tar");
}

// fio would cut the root at the semicolon, and the replay would write beside it.
TEST_F(Faults, ARootThatFioWouldMoveIsRefusedByName) {
  MakeTrainingTrace();
  MustRun("mkdir 'ioflux-data;1' ioflux-data");
  ExpectRefused(local_ + "--target-root './ioflux-data;1' --prepare materialize-synthetic", 2,
                "--target-root: '");
  EXPECT_EQ(MustRun("ls ioflux-data").out, "");
}

TEST_F(Faults, WritesWhereTheSourceWroteNeedToBeAskedFor) {
  MustRun(
      "ioflux gen checkpoint-write --model-size 64KiB --writer-ranks 1 --write-block 16KiB "
      "-o c.ioflux");
  dir_.Write("map.yaml", "allow_passthrough: true\n");
  const std::string run = "--trace c.ioflux --engine local ";
  ExpectRefused(run, 1, "would write to '");
  ExpectRefused(run + "--target-map map.yaml", 1, "would write to '");
  ExpectRefused(run + "--target-map map.yaml --allow-passthrough", 1, "would write to '");
  MustRun("ioflux run " + run + "--unconfined -o results.json");
  MustRun("ioflux run " + run + "--target-map map.yaml --allow-passthrough --unconfined -o r.json");
}

TEST_F(Faults, ASettingThatChangedOnItsWayIsNamed) {
  MakeTrainingTrace();
  dir_.Write("other-fio",
             "#!/bin/sh\nfor job; do :; done\nsed -i 's/^fill_seed=7$/fill_seed=8/' $job\n"
             "exec fio \"$@\"\n");
  MustRun("chmod +x other-fio");
  ExpectRefused("--trace training.ioflux --fill-seed 7 --fio ./other-fio", 1,
                "the setting `fill_seed` was to be \"7\", but the engine got \"8\"");
}

TEST_F(Faults, AnUnwritableOutputIsFoundBeforeTheReplay) {
  MakeTrainingTrace();
  const CommandResult result = Shell("ioflux run --trace training.ioflux -o missing/results.json");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("missing/results.json"), std::string::npos);
}

TEST_F(Faults, WrongUsageEndsWithTwo) {
  MakeTrainingTrace();
  for (const char* arguments :
       {"--trace training.ioflux --mode nonsense", "--trace training.ioflux --engine tape",
        "--trace training.ioflux --target-root .", "--workers 3", "",
        "--trace training.ioflux --fill-seed x"}) {
    const CommandResult result = Shell(std::string("ioflux run -o r.json ") + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments << result.err;
  }
  EXPECT_EQ(Shell("ioflux run --trace training.ioflux").exit_code, 2) << "-o is required";
}

TEST_F(Faults, AnIoErrorOfTheFileSystemIsCountedWithItsOpAndTheResultIsKept) {
  // Address 0 of a process is never mapped, so the kernel answers EIO.
  dir_.Write(
      "eio.ioflux",
      R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
      R"("targets":[{"id":0,"name":"/proc/self/mem","kind":"file","size":0}],)"
      R"("summary":{"num_ops":3,"num_streams":1,"num_groups":0,"total_bytes":4096,"duration_ns":2}})"
      "\n"
      R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"
      "\n"
      R"({"t":1,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":4096})"
      "\n"
      R"({"t":2,"op_id":2,"s":0,"op":"CLOSE","h":1})"
      "\n");
  const CommandResult run = Shell("ioflux run --trace eio.ioflux --engine local -o r.json");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const JsonValue errors = LoadJson("r.json").GetObject("error_details").value();
  const JsonValue first = errors.GetArray("first").value().At(0);
  EXPECT_EQ(first.GetString("error").value(), "Input/output error");
  EXPECT_EQ(first.GetString("target").value(), "/proc/self/mem");
  EXPECT_EQ(first.GetInt("op_id").value(), 1);
  const CommandResult report = MustRun("ioflux report r.json");
  EXPECT_NE(report.out.find("INVALID"), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("Input/output error"), std::string::npos) << report.out;
}

TEST_F(Faults, FilesOfTheRunItselfAreNoTargets) {
  MustRun(
      "ioflux gen checkpoint-write --model-size 64KiB --writer-ranks 1 --write-block 16KiB "
      "-o c.ioflux");
  dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./data/\"\n");
  const std::string target =
      MustRun("sed -n '1s/.*\"name\":\"\\([^\"]*\\)\".*/\\1/p' c.ioflux").out;
  const std::string path = "data/" + target.substr(0, target.find('\n'));
  MustRun("mkdir -p \"$(dirname " + path + ")\"");
  const std::string run = " --engine local --target-root data ";

  MustRun("ln c.ioflux " + path);
  const std::string before = dir_.Read("c.ioflux");
  ExpectRefused("--trace c.ioflux --target-map map.yaml" + run, 1,
                "is the trace itself: the run would change it");
  EXPECT_EQ(dir_.Read("c.ioflux"), before);
  MustRun("ln -f map.yaml " + path);
  ExpectRefused("--trace c.ioflux --target-map map.yaml" + run, 1,
                "is the target map itself: the run would change it");
  MustRun("rm " + path + " && ln results.json " + path);
  ExpectRefused("--trace c.ioflux --target-map map.yaml" + run, 1, "is the result itself: ");
  MustRun("rm " + path);
  const CommandResult jobs =
      Shell("ioflux jobs --trace c.ioflux --target-map map.yaml" + run + "-o " + path);
  EXPECT_EQ(jobs.exit_code, 1);
  EXPECT_NE(jobs.err.find("is the job file itself: "), std::string::npos) << jobs.err;
}

// A digest names the bytes that were replayed only if nobody replaced them in between.
TEST_F(Faults, InputsThatChangeDuringTheRunAreNoticed) {
  MakeTrainingTrace();
  struct Change {
    const char* command;
    const char* what;
  };
  for (const Change& change :
       {Change{"touch training.ioflux", "the trace"},
        Change{"cp training.ioflux n && touch -r training.ioflux n && mv n training.ioflux",
               "the trace"},
        Change{"cp local-map.yaml n && touch -r local-map.yaml n && mv n local-map.yaml",
               "the target map"}}) {
    dir_.Write("other-fio", std::string("#!/bin/sh\nfio \"$@\"\n") + change.command + "\n");
    MustRun("chmod +x other-fio");
    ExpectRefused("--trace training.ioflux --target-map local-map.yaml --fio ./other-fio", 1,
                  std::string(change.what) + " was changed during the run");
  }
}

/// A file system of `size` at ./small for one test.
class SmallFileSystem {
 public:
  SmallFileSystem(const TempDir& dir, const std::string& size) : path_(dir / "small") {
    mounted_ = RunCommand({.argv = {"mkdir", path_}}).exit_code == 0 &&
               RunCommand({.argv = {"mount", "-t", "tmpfs", "-o", "size=" + size, "none", path_}})
                       .exit_code == 0;
  }
  ~SmallFileSystem() {
    if (mounted_) RunCommand({.argv = {"umount", path_}});
  }
  bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_ = false;
};

TEST_F(Faults, PreparationThatDoesNotFitIsRefusedBeforeItWritesAnything) {
  const SmallFileSystem small(dir_, "512k");
  if (!small.mounted()) GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  MakeTrainingTrace();
  dir_.Write("local-map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./small/\"\n");
  ExpectRefused(local_ + "--target-root ./small --prepare materialize-synthetic", 1,
                "preparation needs 2097152 bytes (2.00 MiB) and 524288 (512.00 KiB) are free");
  EXPECT_TRUE(std::filesystem::is_empty(dir_ / "small"));
}

TEST_F(Faults, AFullDiskDuringTheRunIsCountedAndTheResultIsKept) {
  const SmallFileSystem small(dir_, "512k");
  if (!small.mounted()) GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  MustRun(
      "ioflux gen checkpoint-write --model-size 2MiB --writer-ranks 2 --write-block 64KiB -o "
      "c.ioflux");
  dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./small/\"\n");
  const CommandResult run = Shell(
      "ioflux run --trace c.ioflux --engine local --target-root small --target-map map.yaml -o "
      "r.json");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(dir_.Read("r.json").find("No space left on device"), std::string::npos);
}

/// Shell commands that ask the run $pid to end, as a user and as launchers do.
class StoppedRun : public Faults, public testing::WithParamInterface<const char*> {
 protected:
  /// Starts `ioflux run ARGUMENTS` of something that does not end by itself, waits until `mark` is
  /// there, and asks it to end. A run that does not hear is ended by the limit of Shell().
  CommandResult StopOnceThereIs(const std::string& mark, const std::string& arguments) {
    return Shell("ioflux run -o r.json " + arguments +
                 " & pid=$!\n"
                 "n=0; while [ ! -e " +
                 mark + " ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\n" + GetParam() +
                 "; wait $pid");
  }

  static std::string Header(const std::string& targets, int ops) {
    return R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
           R"("targets":[)" +
           targets + R"(],"summary":{"num_ops":)" + std::to_string(ops) +
           R"(,"num_streams":1,"num_groups":0,"total_bytes":)";
  }
};

TEST_P(StoppedRun, EndsAndLeavesAResultMarkedIncomplete) {
  // Each of these reads fills 64 MiB with zeros; all of them take minutes.
  constexpr int kReads = 20000;
  std::string ops =
      R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create"]})"
      "\n"
      R"({"t":0,"op_id":1,"s":0,"op":"OPEN","tgt":1,"h":2,"mode":"r"})"
      "\n";
  for (int i = 0; i < kReads; ++i) {
    ops += R"({"t":1,"op_id":)" + std::to_string(i + 2) +
           R"(,"s":0,"op":"READ","h":2,"off":0,"len":67108864})" + "\n";
  }
  dir_.Write("long.ioflux", Header(R"({"id":0,"name":"first","kind":"file","size":0},)"
                                   R"({"id":1,"name":"/dev/zero","kind":"file","size":0})",
                                   kReads + 2) +
                                std::to_string(std::int64_t{kReads} << 26) +
                                R"(,"duration_ns":1}})" + "\n" + ops);

  const CommandResult run =
      StopOnceThereIs("first", "--trace long.ioflux --engine local --unconfined");

  EXPECT_FALSE(run.timed_out) << "the signal was not heard";
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.err.find("incomplete"), std::string::npos) << run.err;
  const JsonValue result = LoadJson("r.json");
  EXPECT_FALSE(result.GetBool("complete").value());
  EXPECT_NE(result.GetString("incomplete_reason").value().find("the run was interrupted"),
            std::string::npos);
  EXPECT_GT(result.GetInt("ops_completed").value(), 0);
  EXPECT_LT(result.GetInt("ops_completed").value(), kReads);
  EXPECT_NE(MustRun("ioflux report r.json").out.find("INCOMPLETE"), std::string::npos);
}

TEST_P(StoppedRun, WhilePreparingSaysSoAndLeavesNoResult) {
  // So many files that making them takes seconds even in memory.
  std::string targets = R"({"id":0,"name":"first","kind":"file","size":1})";
  for (int id = 1; id < 150000; ++id) {
    const std::string n = std::to_string(id);
    targets += R"(,{"id":)" + n + R"(,"name":"many/)" + n + R"(","kind":"file","size":1})";
  }
  dir_.Write("endless.ioflux", Header(targets, 1) + R"(0,"duration_ns":0}})" + "\n" +
                                   R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})" + "\n");

  const CommandResult run = StopOnceThereIs(
      "many/3",
      "--trace endless.ioflux --engine local --unconfined --prepare materialize-synthetic");

  EXPECT_FALSE(run.timed_out) << "the signal was not heard";
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(run.err.starts_with(
      "ioflux: the run was interrupted before its first operation, while preparing the targets; "))
      << run.err;
  EXPECT_NE(run.err.find(" of 150000 target(s) are ready: \"first\", \"many/1\", "),
            std::string::npos)
      << run.err;
  EXPECT_EQ(dir_.Names(), (std::vector<std::string>{"endless.ioflux", "first", "many"}));
}

TEST_F(Faults, ARunThatIsStoppedWhileFioStartsSaysSo) {
  MakeTrainingTrace();
  // Asks for the stop in fio's stead, so that it comes before fio can take it.
  dir_.Write("slow-fio", "#!/bin/sh\nkill -INT $PPID\nexec sleep 100\n");
  MustRun("chmod +x slow-fio");
  ExpectRefused("--trace training.ioflux --fio ./slow-fio", 1,
                "interrupted before its first operation, while fio started");
}

std::string WayToStop(const testing::TestParamInfo<const char*>& way) {
  static const char* const kNames[] = {"ByCtrlC", "ByTerm", "ByASignalSentTwiceAtOnce"};
  return kNames[way.index];
}

INSTANTIATE_TEST_SUITE_P(Faults, StoppedRun,
                         testing::Values("kill -INT $pid", "kill -TERM $pid",
                                         "kill -INT $pid; kill -INT $pid"),
                         WayToStop);

// The same refusal names flags to a user of ioflux and options to a user of fio.
TEST_F(Faults, AdviceNamesWhatItsReaderCanType) {
  MakeTrainingTrace();
  struct Case {
    const char* flags;
    const char* options;
    const char* says_flag;
    const char* says_option;
  };
  for (const Case& c :
       {Case{"--engine local --prepare assume-existing",
             "--backend=local --prepare=assume-existing", "use --prepare materialize-synthetic",
             "use prepare=materialize-synthetic"},
        Case{"--engine local --target-root ./absent --target-map local-map.yaml",
             "--backend=local --target_root=./absent --target_map=local-map.yaml",
             "use --prepare materialize-synthetic", "use prepare=materialize-synthetic"},
        Case{"--engine local --prepare materialize-synthetic",
             "--backend=local --prepare=materialize-synthetic", "give --target-root",
             "give target_root"},
        Case{"--engine mem --target-root x", "--backend=mem --target_root=x", "use --engine local",
             "use backend=local"},
        Case{"--engine mem --max-lag 5ms", "--backend=mem --max_lag=5ms", "leave --max-lag out",
             "leave max_lag out"}}) {
    const CommandResult ours =
        Shell("ioflux run --trace training.ioflux -o r.json " + std::string(c.flags));
    const CommandResult fio = Shell(
        "fio --name=stream --ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux "
        "--numjobs=4 --thread " +
        std::string(c.options));
    EXPECT_NE(ours.exit_code, 0);
    EXPECT_NE(fio.exit_code, 0);
    EXPECT_NE(ours.err.find(c.says_flag), std::string::npos) << ours.err;
    EXPECT_EQ(ours.err.find(c.says_option), std::string::npos) << ours.err;
    EXPECT_NE(fio.err.find(c.says_option), std::string::npos) << fio.err;
    EXPECT_EQ(fio.err.find(c.says_flag), std::string::npos) << fio.err;
  }
}

}  // namespace
}  // namespace ioflux
