// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/preparation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "ioengine/backend/local_backend.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Preparation : public testing::Test {
 protected:
  Preparation() : backend_(FileRoot::Confined(dir_.path(), false).value()) {}

  void Load(const std::vector<TextTarget>& targets, const std::vector<std::string>& ops,
            int partial = 0) {
    trace_ = LoadTrace(traces_.Write("t", TraceText(targets, ops, 1, partial))).value();
    for (const TextTarget& target : targets)
      targets_.push_back({.name = target.name, .path = target.name});
  }

  Result<PrepareReport> Run(PrepareMode mode, bool stop = false) {
    return Prepare(mode, trace_, targets_, backend_, Payload(Payload::Mode::kSeeded, 1),
                   [stop] { return stop; });
  }

  std::uintmax_t SizeOf(const std::string& name) { return std::filesystem::file_size(dir_ / name); }

  TempDir dir_;
  TempDir traces_;
  LoadedTrace trace_;
  std::vector<BackendTarget> targets_;
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
  std::string expected(3000000, 0);
  Payload(Payload::Mode::kSeeded, 1).Fill(0, PayloadTargetHash("deep/shard"), 0, expected);
  EXPECT_TRUE(dir_.Read("deep/shard") == expected);
}

TEST_F(Preparation, AnUnknownSizeIsWhatTheReadsMoved) {
  Load({{"a", 0}}, kRead, 1);
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().derived_size_from_ops, 1);
  EXPECT_EQ(SizeOf("a"), 120U);
}

TEST_F(Preparation, ARecordedSizeThatTheReadsExceedIsRaised) {
  Load({{"a", 60}}, kRead, 1);
  ASSERT_TRUE(Run(PrepareMode::kMaterializeSynthetic));
  EXPECT_EQ(SizeOf("a"), 120U);
}

TEST_F(Preparation, AStatOnlyTargetOfUnknownSizeBecomesAnEmptyFile) {
  Load({{"a", 0}}, {kStat});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().created_empty, 1);
  EXPECT_EQ(SizeOf("a"), 0U);
}

TEST_F(Preparation, WhatTheTraceCreatesIsLeftToItButItsFolderIsMade) {
  Load(
      {{"out/new", 8}},
      {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create","trunc"]})"});
  EXPECT_EQ(Run(PrepareMode::kMaterializeSynthetic).value().left_to_trace, 1);
  EXPECT_TRUE(dir_.Exists("out"));
  EXPECT_FALSE(dir_.Exists("out/new"));
}

TEST_F(Preparation, TwoTargetsOnOnePathAreMadeOnceForTheLargerNeed) {
  Load({{"a", 10}, {"b", 500}}, {kStat, R"({"t":0,"op_id":1,"s":0,"op":"STAT","tgt":1})"});
  targets_[0].path = targets_[1].path = "same";
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

}  // namespace
}  // namespace ioflux
