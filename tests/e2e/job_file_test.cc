// SPDX-License-Identifier: GPL-2.0-only
//
// Plain fio, with hand-written and generated job files.
#include <gtest/gtest.h>

#include "ioengine/replay/settings.h"
#include "tests/e2e/replay_fixture.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

class JobFile : public ReplayFixture {
 protected:
  /// Reads and bytes over all jobs of a fio JSON document.
  std::pair<std::int64_t, std::int64_t> Reads(const std::string& name) {
    std::pair<std::int64_t, std::int64_t> sum{0, 0};
    const JsonValue jobs = LoadJson(name).GetArray("jobs").value();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const JsonValue read = jobs.At(i).GetObject("read").value();
      sum.first += read.GetInt("total_ios").value();
      sum.second += read.GetInt("io_bytes").value();
    }
    return sum;
  }

  /// Data ops and bytes of the training trace.
  std::pair<std::int64_t, std::int64_t> Expected() {
    const TraceSummary summary =
        TraceReader::Open(dir_ / "training.ioflux").value().header().summary;
    return {summary.num_ops - 2 * 8,
            summary.total_bytes};  // an OPEN and a CLOSE for each of 8 shards
  }
};

TEST_F(JobFile, TheTemplateHasAtMostTwelveLines) {
  const std::string text =
      ReadFileForTest(std::string(IOFLUX_SOURCE_DIR) + "/job_templates/replay.fio");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12);
}

TEST_F(JobFile, TheTemplateReplaysOnThreadAndOnProcessJobs) {
  MakeTrainingTrace();
  const std::string text =
      ReadFileForTest(std::string(IOFLUX_SOURCE_DIR) + "/job_templates/replay.fio");
  dir_.Write("thread.fio", text);
  std::string process = text;
  process.erase(process.find("thread\n"), 7);
  dir_.Write("process.fio", process);

  MustRun("fio --output-format=json --output=thread.json thread.fio");
  MustRun("fio --output-format=json --output=process.json process.fio");

  EXPECT_EQ(Reads("thread.json"), Expected());
  EXPECT_EQ(Reads("process.json"), Expected());
}

TEST_F(JobFile, ProcessJobsLeaveASideFileEachAndTogetherHoldTheTrace) {
  MakeTrainingTrace();
  MustRun(
      "fio --output=/dev/null --name=stream --ioengine=external:$IOFLUX_LIBRARY "
      "--trace=training.ioflux "
      "--side_file=side --numjobs=4");
  std::int64_t ops = 0;
  for (int job = 1; job <= 4; ++job) {
    const JsonValue side = LoadJson("side." + std::to_string(job) + ".json");
    EXPECT_TRUE(side.GetBool("complete").value());
    ops += side.GetArray("streams").value().At(0).GetInt("ops").value();
  }
  EXPECT_EQ(ops, TraceReader::Open(dir_ / "training.ioflux").value().header().summary.num_ops);
}

TEST_F(JobFile, LoopsReplayTheTraceAgain) {
  MakeTrainingTrace();
  MustRun(
      "fio --output-format=json --output=o.json --name=stream --ioengine=external:$IOFLUX_LIBRARY "
      "--trace=training.ioflux --numjobs=4 --thread --loops=3");
  EXPECT_EQ(Reads("o.json").first, 3 * Expected().first);
}

TEST_F(JobFile, AGeneratedJobFileRunsFromAnyFolder) {
  MakeTrainingTrace();
  MustRun(
      "ioflux jobs --trace training.ioflux --engine local --target-root ./ioflux-data "
      "--target-map local-map.yaml --prepare materialize-synthetic -o job.fio");
  // The map is relative to the working directory, as everywhere; make it absolute for another
  // folder.
  dir_.Write("local-map.yaml",
             "target_rewrite:\n  - from: \"\"\n    to: \"" + dir_.path() + "/ioflux-data/\"\n");
  MustRun("cd / && fio --output-format=json --output=" + (dir_ / "o.json") + " " +
          (dir_ / "job.fio"));
  EXPECT_EQ(Reads("o.json"), Expected());
}

TEST_F(JobFile, EverySettingAppearsInHelpJobFileAndEngine) {
  MakeTrainingTrace();
  const CommandResult run_help = MustRun("ioflux run --help");
  const CommandResult jobs_help = MustRun("ioflux jobs --help");
  const CommandResult job = MustRun("ioflux jobs --trace training.ioflux -o -");
  const CommandResult engine = MustRun("fio --enghelp=$IOFLUX_LIBRARY");
  for (const SettingInfo& info : AllSettings()) {
    const std::string option(info.option);
    EXPECT_NE(engine.out.find(option), std::string::npos) << option;
    const CommandResult help = MustRun("fio --enghelp=$IOFLUX_LIBRARY," + option);
    EXPECT_NE(help.out.find(info.help), std::string::npos) << option << "\n" << help.out;
    for (const SettingChoice& choice : info.choices) {
      // fio lists words only where nothing else is legal.
      if (info.type != SettingType::kChoice) continue;
      EXPECT_NE(help.out.find(choice.help), std::string::npos) << option << "\n" << help.out;
    }
    if (info.audience == SettingAudience::kEngine) continue;
    EXPECT_NE(run_help.out.find("--" + std::string(info.flag)), std::string::npos) << info.flag;
    EXPECT_NE(jobs_help.out.find("--" + std::string(info.flag)), std::string::npos) << info.flag;
    EXPECT_NE(job.out.find(option + "="), std::string::npos) << option;
  }
}

TEST_F(JobFile, OptionsOfFioThatWouldChangeTheReplayAreRefusedByName) {
  MakeTrainingTrace();
  for (const char* option :
       {"--verify=md5", "--rate_iops=10", "--iodepth=4", "--end_fsync=1", "--fsync=1"}) {
    const CommandResult result = Shell(
        std::string("fio --name=stream --ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux "
                    "--numjobs=4 --thread ") +
        option);
    EXPECT_NE(result.exit_code, 0) << option;
    EXPECT_NE(result.err.find("cannot be used with a trace"), std::string::npos)
        << option << result.err;
  }
}

}  // namespace
}  // namespace ioflux
