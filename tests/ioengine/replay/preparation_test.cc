// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/preparation.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ioengine/backend/local_backend.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Preparation : public testing::Test {
 protected:
  Preparation() : backend_(FileRoot::Confined(dir_.path(), false).value()) {
    where_.root = FileRoot::Confined(dir_.path(), false).value();
    where_.root_path = dir_.path();
    where_.on_files = true;
  }

  void Load(const std::vector<TextTarget>& targets, const std::vector<std::string>& ops,
            int partial = 0) {
    trace_ = LoadTrace(traces_.Write("t", TraceText(targets, ops, 1, partial))).value();
    for (const TextTarget& target : targets) {
      const std::string path = target.name.substr(target.name.find_first_not_of('/'));
      where_.targets.push_back({.name = target.name, .path = path});
    }
  }

  PreparationInput InputOf(PrepareMode mode) {
    if (mode == PrepareMode::kMaterializeFromSource)
      sources_ = SourceFiles::At(source_dir_.path()).value();
    return {.mode = mode,
            .trace = &trace_,
            .where = &where_,
            .payload = &payload_,
            .sources = sources_ ? &*sources_ : nullptr};
  }

  Result<PrepareReport> Run(PrepareMode mode, bool stop = false) {
    const PreparationInput input = InputOf(mode);
    IOFLUX_ASSIGN_OR_RETURN(const PreparationPlan plan, PlanPreparation(input));
    return Prepare(input, plan, backend_, [stop] { return stop; });
  }

  std::string Generated(const std::string& name, std::size_t size_bytes) {
    std::string bytes(size_bytes, 0);
    payload_.Fill(0, PayloadTargetHash(name), 0, bytes);
    return bytes;
  }

  std::uintmax_t SizeOf(const std::string& name) { return std::filesystem::file_size(dir_ / name); }

  TempDir dir_;
  TempDir traces_;
  TempDir source_dir_;
  LoadedTrace trace_;
  RunTargets where_;
  Payload payload_{Payload::Mode::kSeeded, 1};
  std::optional<SourceFiles> sources_;
  LocalBackend backend_;
};

const std::string kStat = R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})";
const std::vector<std::string> kRead = {
    R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})",
    R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":100,"len":50,"ret":20})"};

TEST_F(Preparation, MaterialisesTheRecordedSizeWithSeededContent) {
  Load({{"deep/shard", 3000000}}, {kStat});

  const Result<PrepareReport> report = Run(PrepareMode::kMaterializeSynthetic);

  ASSERT_TRUE(report) << Describe(report.error());
  EXPECT_EQ(report.value().created, 1);
  EXPECT_EQ(report.value().bytes_written, 3000000);
  EXPECT_TRUE(dir_.Read("deep/shard") == Generated("deep/shard", 3000000));
}

TEST_F(Preparation, AnUnknownSizeIsWhatTheReadsMoved) {
  Load({{"a", 0}}, kRead, 1);
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().derived_size_from_ops, 1);
  EXPECT_EQ(SizeOf("a"), 120U);
}

TEST_F(Preparation, U16_ARecordedSizeThatTheReadsExceedIsRaised) {
  Load({{"a", 60}}, kRead, 1);
  ASSERT_TRUE(Run(PrepareMode::kMaterializeSynthetic));
  EXPECT_EQ(SizeOf("a"), 120U);
}

TEST_F(Preparation, U16_AStatOnlyTargetOfUnknownSizeBecomesAnEmptyFile) {
  Load({{"a", 0}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created_empty, 1);
  EXPECT_EQ(SizeOf("a"), 0U);
}

TEST_F(Preparation, U16_WhatTheTraceCreatesIsLeftToItButItsFolderIsMade) {
  Load(
      {{"out/new", 8}},
      {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create","trunc"]})"});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().left_to_trace, 1);
  EXPECT_TRUE(dir_.Exists("out"));
  EXPECT_FALSE(dir_.Exists("out/new"));
}

TEST_F(Preparation, TwoTargetsOnOnePathAreMadeOnceForTheLargerNeed) {
  Load({{"a", 10}, {"b", 500}}, {kStat, R"({"t":0,"op_id":1,"s":0,"op":"STAT","tgt":1})"});
  where_.targets[0].path = where_.targets[1].path = "same";
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 1);
  EXPECT_EQ(SizeOf("same"), 500U);
}

TEST_F(Preparation, ALongerFileIsCutToSize) {
  dir_.Write("a", std::string(1000, 'x'));
  Load({{"a", 10}}, {kStat});
  ASSERT_TRUE(Run(PrepareMode::kMaterializeSynthetic));
  EXPECT_EQ(SizeOf("a"), 10U);
}

TEST_F(Preparation, AssumeExistingAcceptsTheRightSizeAndSkipsUnknownOnes) {
  dir_.Write("a", std::string(10, 'x'));
  dir_.Write("b", "anything");
  Load({{"a", 10}, {"b", 0}}, {kStat});
  const PrepareReport report = Run(PrepareMode::kAssumeExisting).value();
  EXPECT_EQ(report.verified, 1);
  EXPECT_EQ(report.skipped_size_unknown, 1);
  EXPECT_EQ(report.bytes_written, 0);
}

TEST_F(Preparation, AssumeExistingRefusesAMissingFileAndAWrongSize) {
  Load({{"a", 10}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kAssumeExisting).error().kind, ErrorKind::kRefused);
  dir_.Write("a", "short");
  const Error error = Run(PrepareMode::kAssumeExisting).error();
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_EQ(error.where.path, "a");
  EXPECT_NE(error.what.find("5 bytes"), std::string::npos);
}

TEST_F(Preparation, NoneTouchesNothing) {
  Load({{"a", 10}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kNone).value().created, 0);
  EXPECT_FALSE(dir_.Exists("a"));
}

TEST_F(Preparation, AStopIsHeardBeforeTheNextTarget) {
  Load({{"a", 10}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic, /*stop=*/true).error().kind,
            ErrorKind::kFailed);
  EXPECT_FALSE(dir_.Exists("a"));
}

// --- what does not come to its end
// -----------------------------------------------------------------

TEST_F(Preparation, AStoppedPreparationLeavesNoPartOfAFile) {
  Load({{"first", 10}, {"folder/second", 50 << 20}}, {kStat});
  const PreparationInput input = InputOf(PrepareMode::kMaterializeSynthetic);
  const PreparationPlan plan = PlanPreparation(input).value();
  // Heard once the large one is being written, which no single chunk finishes.
  const auto stopping = [this] { return LookAt(where_.root, "folder/second").size_bytes > 0; };

  const Error error = Prepare(input, plan, backend_, stopping).error();

  EXPECT_FALSE(dir_.Exists("folder/second"));
  EXPECT_EQ(dir_.Exists("first"), error.what.find("\"first\"") != std::string::npos) << error.what;
  EXPECT_TRUE(error.what.starts_with("stopped while preparing the targets; ")) << error.what;
  EXPECT_NE(error.what.find(" of 2 target(s) are ready"), std::string::npos) << error.what;
}

TEST_F(Preparation, AFileThatWasThereBeforeIsNotRemoved) {
  dir_.Write("a", "of the user");
  Load({{"a", 50 << 20}}, {kStat});
  const PreparationInput input = InputOf(PrepareMode::kMaterializeSynthetic);
  const PreparationPlan plan = PlanPreparation(input).value();
  const auto stopping = [this] { return LookAt(where_.root, "a").size_bytes > 1000; };

  EXPECT_FALSE(Prepare(input, plan, backend_, stopping));
  EXPECT_TRUE(dir_.Exists("a"));
}

TEST_F(Preparation, AFailureNamesWhatIsReadyAndRemovesThePartThatIsNot) {
  Load({{"a", 1000}, {"b", 5 << 20}}, {kStat});
  const FileSizeLimit limit(1 << 20);

  const Error error = Run(PrepareMode::kMaterializeSynthetic).error();

  EXPECT_FALSE(dir_.Exists("b"));
  EXPECT_EQ(dir_.Exists("a"),
            error.what.find("1 of 2 target(s) are ready: \"a\"") != std::string::npos)
      << error.what;
  EXPECT_EQ(error.where.path, "b");
}

// --- what is already there
// -------------------------------------------------------------------------

TEST_F(Preparation, U16_AFileThatIsAlreadyRightIsKept) {
  dir_.Write("a", Generated("a", 100000));
  Load({{"a", 100000}}, {kStat});
  const auto before = std::filesystem::last_write_time(dir_ / "a");

  const PrepareReport report = Run(PrepareMode::kMaterializeSynthetic).value();

  EXPECT_EQ(report.kept, 1);
  EXPECT_EQ(report.created, 0);
  EXPECT_EQ(report.bytes_written, 0);
  EXPECT_FALSE(report.touched_same_data());
  EXPECT_EQ(std::filesystem::last_write_time(dir_ / "a"), before);
}

TEST_F(Preparation, ASecondPreparationKeepsWhatTheFirstMade) {
  Load({{"a", 5000}, {"b", 0}}, {kStat});
  ASSERT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 2);
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().kept, 2);
}

TEST_F(Preparation, ContentOfAnotherSeedIsWrittenAgain) {
  std::string stale(100000, 0);
  Payload(Payload::Mode::kSeeded, 2).Fill(0, PayloadTargetHash("a"), 0, stale);
  dir_.Write("a", stale);
  Load({{"a", 100000}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 1);
  EXPECT_TRUE(dir_.Read("a") == Generated("a", 100000));
}

TEST_F(Preparation, ChangedBytesAtTheEndAreSeen) {
  std::string changed = Generated("a", 100000);
  changed.back() ^= 1;
  dir_.Write("a", changed);
  Load({{"a", 100000}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 1);
  EXPECT_TRUE(dir_.Read("a") == Generated("a", 100000));
}

TEST_F(Preparation, AFileThatTheTraceWritesIsMadeAfresh) {
  dir_.Write("a", Generated("a", 100));
  Load({{"a", 100}}, {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"rw"})",
                      R"({"t":0,"op_id":1,"s":0,"op":"WRITE","h":1,"off":50,"len":5})"});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 1);
}

TEST_F(Preparation, AReservedFileOfZerosIsNotTakenForOneOfZeroBytes) {
  payload_ = Payload(Payload::Mode::kZero, 1);
  dir_.Write("hole", "");
  ASSERT_EQ(truncate((dir_ / "hole").c_str(), 1 << 20), 0);
  Load({{"hole", 1 << 20}}, {kStat});
  if (LookAt(where_.root, "hole").allocated_bytes > 0) GTEST_SKIP() << "no holes here";

  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created, 1);
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().kept, 1);
}

TEST_F(Preparation, WhatTheTraceCreatesButIsThereIsCounted) {
  dir_.Write("a", "of an earlier run");
  Load(
      {{"a", 8}},
      {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create","trunc"]})"});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().left_over, 1);
  EXPECT_EQ(dir_.Read("a"), "of an earlier run");
}

TEST_F(Preparation, ATargetThatOthersAreBelowIsAFolder) {
  Load({{"data", 0}, {"data/a", 10}}, {kStat});
  ASSERT_TRUE(Run(PrepareMode::kMaterializeSynthetic));
  EXPECT_TRUE(std::filesystem::is_directory(dir_ / "data"));
  EXPECT_EQ(SizeOf("data/a"), 10U);
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().kept, 2);
}

TEST_F(Preparation, APipeIsLeftAlone) {
  ASSERT_EQ(mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  Load({{"pipe", 0}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().kept, 1);
}

TEST_F(Preparation, ManyTargetsAreMadeByManyThreadsEachOnce) {
  std::vector<TextTarget> targets;
  for (int i = 0; i < 200; ++i)
    targets.push_back(
        {.name = "d" + std::to_string(i % 7) + "/f" + std::to_string(i), .size_bytes = 1000 + i});
  Load(targets, {kStat});

  const PrepareReport report = Run(PrepareMode::kMaterializeSynthetic).value();

  EXPECT_EQ(report.created, 200);
  EXPECT_EQ(report.bytes_written, 200 * 1000 + 199 * 100);
  for (const TextTarget& target : targets)
    EXPECT_TRUE(dir_.Read(target.name) ==
                Generated(target.name, static_cast<std::size_t>(target.size_bytes)));
}

TEST_F(Preparation, TheFirstProblemIsShownAndTheOthersAreCounted) {
  Load({{"a", 10}, {"b", 10}, {"c", 10}}, {kStat});
  const Error error = Run(PrepareMode::kAssumeExisting).error();
  EXPECT_EQ(error.where.path, "a");
  EXPECT_NE(error.what.find("2 more target(s)"), std::string::npos) << error.what;
}

TEST_F(Preparation, AssumeExistingRefusesAFileOfUnknownSizeThatIsTooShortForTheReads) {
  dir_.Write("a", std::string(100, 'x'));
  Load({{"a", 0}}, kRead, 1);
  const Error error = Run(PrepareMode::kAssumeExisting).error();
  EXPECT_NE(error.what.find("100 bytes"), std::string::npos) << error.what;
  EXPECT_NE(error.what.find("reads 120"), std::string::npos) << error.what;
}

// --- from a source
// ---------------------------------------------------------------------------------

TEST_F(Preparation, U17_AnAbsoluteNameIsLookedUpBelowTheSourceRoot) {
  source_dir_.Write("mnt/train/a", "the original");
  Load({{"/mnt/train/a", 12}}, {kStat});

  const PrepareReport report = Run(PrepareMode::kMaterializeFromSource).value();

  EXPECT_EQ(report.copied, 1);
  EXPECT_EQ(report.created, 0);
  EXPECT_EQ(report.bytes_written, 12);
  EXPECT_EQ(dir_.Read("mnt/train/a"), "the original");
}

TEST_F(Preparation, U17_TheOriginalNameIsCopiedToTheMappedOne) {
  source_dir_.Write("a", "the original");
  Load({{"a", 0}}, {kStat});
  where_.targets[0].path = "mapped";
  ASSERT_TRUE(Run(PrepareMode::kMaterializeFromSource));
  EXPECT_EQ(dir_.Read("mapped"), "the original");
}

TEST_F(Preparation, ANameThatLeavesTheSourceRootIsRefused) {
  Load({{"a/../../b", 0}}, {kStat});
  const Error error = Run(PrepareMode::kMaterializeFromSource).error();
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_NE(error.what.find("'..'"), std::string::npos);
}

TEST_F(Preparation, AMissingSourceIsNamed) {
  Load({{"/mnt/a", 0}}, {kStat});
  const Error error = Run(PrepareMode::kMaterializeFromSource).error();
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_EQ(error.where.path, source_dir_ / "mnt/a");
}

TEST_F(Preparation, ALinkInTheSourceStaysBelowItsRoot) {
  source_dir_.Write("real", "inside");
  std::filesystem::create_symlink("/real", source_dir_ / "absolute");
  std::filesystem::create_symlink("/etc/hostname", source_dir_ / "outside");
  Load({{"absolute", 0}}, {kStat});
  ASSERT_TRUE(Run(PrepareMode::kMaterializeFromSource));
  EXPECT_EQ(dir_.Read("absolute"), "inside");

  where_.targets.clear();
  Load({{"outside", 0}}, {kStat});
  EXPECT_FALSE(Run(PrepareMode::kMaterializeFromSource));
}

TEST_F(Preparation, ASourceThatIsNotWhatWasRecordedIsRefused) {
  source_dir_.Write("a", "changed since");
  Load({{"a", 5}}, {kStat});
  const Error error = Run(PrepareMode::kMaterializeFromSource).error();
  EXPECT_NE(error.what.find("13 bytes"), std::string::npos) << error.what;
  EXPECT_FALSE(dir_.Exists("a"));
}

TEST_F(Preparation, ACopyThatIsThereIsKeptAndAStaleOneIsNot) {
  source_dir_.Write("a", "the original");
  source_dir_.Write("b", "the original");
  dir_.Write("b", "THE original");
  Load({{"a", 0}, {"b", 0}}, {kStat});
  ASSERT_EQ(Run(PrepareMode::kMaterializeFromSource).value().copied, 2);
  EXPECT_EQ(Run(PrepareMode::kMaterializeFromSource).value().kept, 2);
  EXPECT_EQ(dir_.Read("b"), "the original");
}

}  // namespace
}  // namespace ioflux
