// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/counted_text.h"
#include "tests/analysis/sample_run.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FailedOp FailedOf(const std::string& kind, std::int64_t start_ns) {
  FailedOp op;
  op.op = kind;
  op.start_ns = start_ns;
  return op;
}

/// The sample as process `index` of a run: its jobs are its own.
SideFile FileOf(std::int64_t index) {
  SideFile file = SampleSideFile();
  for (StreamOutcome& stream : file.streams) stream.job += 10 * index;
  return file;
}

/// Runs the union of `samples` split over `parts` files and compares it with one file of them all.
void ExpectMergeEqualsUnion(std::mt19937_64& random, std::size_t parts) {
  std::vector<SideFile> files;
  for (std::size_t i = 0; i < parts; ++i) files.push_back(FileOf(static_cast<std::int64_t>(i)));
  SideFile whole = SampleSideFile();
  whole.ops.clear();
  for (SideFile& file : files) file.ops.clear();
  const std::vector<std::string> kinds = {"READ", "WRITE", "FSYNC"};
  for (int i = 0; i < 2'000; ++i) {
    const std::string& kind = kinds[random() % kinds.size()];
    // Spread over the whole scale and a little beyond it.
    const auto latency_ns = static_cast<std::int64_t>(random() >> (29 + random() % 30));
    for (SideFile* file : {&files[random() % parts], &whole}) {
      SideFileOp& op = file->ops[kind];
      op.count += 1;
      op.bytes += latency_ns % 4096;
      op.service_time.Add(latency_ns);
    }
  }

  const Result<SideFile> merged = MergeSideFiles(files);

  ASSERT_TRUE(merged.ok()) << Describe(merged.error());
  ASSERT_EQ(merged.value().ops.size(), whole.ops.size());
  for (const auto& [kind, op] : whole.ops) {
    const SideFileOp& sum = merged.value().ops.at(kind);
    EXPECT_EQ(sum.count, op.count);
    EXPECT_EQ(sum.bytes, op.bytes);
    EXPECT_EQ(sum.service_time, op.service_time);
    for (const double percent : {50.0, 90.0, 99.0, 99.9}) {
      EXPECT_EQ(sum.service_time.PercentileNs(percent), op.service_time.PercentileNs(percent));
    }
  }
}

TEST(MergeSideFiles, EqualsTheUnionOfTheirSamples) {
  std::mt19937_64 random(20260101);
  for (const std::size_t parts : {1u, 2u, 3u, 7u, 40u}) ExpectMergeEqualsUnion(random, parts);
}

TEST(MergeSideFiles, OrderOfFilesDoesNotMatterForCounts) {
  SideFile a = SampleSideFile();
  SideFile b = FileOf(1);
  b.ops["READ"].service_time.Add(5);
  const Result<SideFile> ab = MergeSideFiles({a, b});
  const Result<SideFile> ba = MergeSideFiles({b, a});
  ASSERT_TRUE(ab.ok() && ba.ok());
  EXPECT_EQ(ab.value().ops.at("READ").service_time, ba.value().ops.at("READ").service_time);
}

TEST(MergeSideFiles, OfOneFileIsThatFile) {
  const Result<SideFile> merged = MergeSideFiles({SampleSideFile()});
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(ToJson(merged.value()).Dump(), SampleSideFileText());
}

TEST(MergeSideFiles, StreamsAreSortedAndPutOnOneAxis) {
  SideFile late = SampleSideFile();
  SideFile early = SampleSideFile();
  late.streams = {StreamOutcome{.stream = 1, .job = 2, .ops = 1, .last_end_ns = 500}};
  early.streams = {StreamOutcome{.stream = 0, .job = 1, .ops = 1, .last_end_ns = 800}};
  early.start_ns -= 2'000;
  early.end_ns += 7;
  early.start_unix_ns -= 2'000;

  const Result<SideFile> merged = MergeSideFiles({late, early});

  ASSERT_TRUE(merged.ok());
  ASSERT_EQ(merged.value().streams.size(), 2u);
  EXPECT_EQ(merged.value().streams[0].stream, 0);
  EXPECT_EQ(merged.value().streams[0].last_end_ns, 800);
  EXPECT_EQ(merged.value().streams[1].first_start_ns, 2'000);
  EXPECT_EQ(merged.value().streams[1].last_end_ns, 2'500);
  EXPECT_EQ(merged.value().start_ns, early.start_ns);
  EXPECT_EQ(merged.value().end_ns, early.end_ns);
  EXPECT_EQ(merged.value().start_unix_ns, early.start_unix_ns);
}

TEST(MergeSideFiles, IsCompleteOnlyWhenAllAre) {
  SideFile ended = SampleSideFile();
  ended.complete = false;
  ended.stop_reason = "runtime";
  SideFile failed = FileOf(1);
  failed.complete = false;
  failed.stop_reason = "error";

  const Result<SideFile> merged = MergeSideFiles({ended, failed, FileOf(2)});

  ASSERT_TRUE(merged.ok());
  EXPECT_FALSE(merged.value().complete);
  EXPECT_EQ(merged.value().stop_reason, "error");
}

TEST(MergeSideFiles, IsConfinedOnlyWhenAllAre) {
  SideFile open = FileOf(1);
  open.confined = false;
  const Result<SideFile> merged = MergeSideFiles({SampleSideFile(), open});
  ASSERT_TRUE(merged.ok());
  EXPECT_FALSE(merged.value().confined);
}

TEST(MergeSideFiles, LimitationsAreListedOnceInTheOrderFirstSeen) {
  SideFile a = SampleSideFile();
  SideFile b = FileOf(1);
  a.limitations = {"x", "y"};
  b.limitations = {"z", "x"};
  const Result<SideFile> merged = MergeSideFiles({a, b});
  ASSERT_TRUE(merged.ok());
  EXPECT_THAT(merged.value().limitations, ElementsAre("x", "y", "z"));
}

TEST(MergeSideFiles, CountsOfLimitationsAddUp) {
  SideFile a = SampleSideFile();
  SideFile b = FileOf(1);
  a.counted_limitations = {{"{} of {} op(s)", {2, 8}}, {"{} open(s)", {1}}};
  b.counted_limitations = {{"{} open(s)", {1}}, {"{} of {} op(s)", {3, 8}}, {"{} more", {7}}};
  const Result<SideFile> merged = MergeSideFiles({a, b});
  ASSERT_TRUE(merged.ok());
  std::vector<std::string> words;
  for (const CountedLimitation& counted : merged.value().counted_limitations)
    words.push_back(WithCounts(counted.text, counted.counts));
  EXPECT_THAT(words, ElementsAre("5 of 16 op(s)", "2 open(s)", "7 more"));
}

TEST(MergeSideFiles, ErrorsAddUpAndTheFirstHundredInTimeStay) {
  SideFile a = SampleSideFile();
  SideFile b = FileOf(1);
  b.start_ns += 50;  // what happened in b at 0 happened in the run at 50
  b.end_ns += 50;
  a.errors = {.count = 60, .by_kind = {{"READ", 5, "Input/output error", 60}}, .first = {}};
  b.errors = {.count = 90,
              .by_kind = {{"WRITE", 28, "No space left on device", 80},
                          {"READ", 5, "Input/output error", 10}},
              .first = {}};
  for (int i = 0; i < 60; ++i) a.errors.first.push_back(FailedOf("READ", /*start_ns=*/2 * i));
  for (int i = 0; i < 90; ++i) b.errors.first.push_back(FailedOf("WRITE", /*start_ns=*/2 * i));

  const Result<SideFile> merged = MergeSideFiles({b, a});

  ASSERT_TRUE(merged.ok());
  const ErrorDetails& errors = merged.value().errors;
  EXPECT_EQ(errors.count, 150);
  ASSERT_EQ(errors.by_kind.size(), 2u);
  EXPECT_EQ(errors.by_kind[0].op, "WRITE");
  EXPECT_EQ(errors.by_kind[1].count, 70);
  ASSERT_EQ(errors.first.size(), 100u);
  EXPECT_EQ(errors.first[24].op, "READ");
  EXPECT_EQ(errors.first[24].start_ns, 48);
  EXPECT_EQ(errors.first[25].op, "WRITE");
  EXPECT_EQ(errors.first[25].start_ns, 50);
  EXPECT_EQ(errors.first[99].start_ns, 128);
}

TEST(MergeSideFiles, TheLimiterIsOneForAllProcesses) {
  SideFile a = FileOf(0);
  SideFile b = FileOf(1);
  a.inflight = {.limit = 4,
                .peak = 4,
                .peak_is_counted = true,
                .backlog_events = 7,
                .backlog_blocked_ns = 70};
  b.inflight = {.limit = 4,
                .peak = 4,
                .peak_is_counted = true,
                .backlog_events = 9,
                .backlog_blocked_ns = 90};
  const SideFile merged = MergeSideFiles({a, b}).value();
  EXPECT_EQ(merged.inflight.peak, 4);
  EXPECT_EQ(merged.inflight.backlog_events, 9);
  EXPECT_EQ(merged.inflight.backlog_blocked_ns, 90);

  a.inflight.peak_is_counted = b.inflight.peak_is_counted = false;
  EXPECT_EQ(MergeSideFiles({a, b}).value().inflight.peak, 8);
}

TEST(MergeSideFiles, PreparationIsCountedOnce) {
  const Result<SideFile> merged = MergeSideFiles({SampleSideFile(), FileOf(1)});
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(ToJson(merged.value().prepare).DumpCompact(),
            ToJson(SampleSideFile().prepare).DumpCompact());
}

TEST(MergeSideFiles, AStreamInTwoFilesIsFoundOut) {
  const SideFile once = MergeSideFiles({SampleSideFile()}).value();
  const SideFile twice = MergeSideFiles({SampleSideFile(), FileOf(1)}).value();

  EXPECT_TRUE(CheckEachStreamOnce(once));
  const Result<void> checked = CheckEachStreamOnce(twice);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().what.find("twice"), std::string::npos);
}

TEST(MergeSideFiles, OfDifferentSettingsIsRefusedAndNamesTheDifference) {
  SideFile other = SampleSideFile();
  other.settings["mode"] = "think";
  const Result<SideFile> merged =
      MergeSideFiles({SampleSideFile(), other}, {"run.1.json", "run.2.json"});
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(
      Describe(merged.error()),
      HasSubstr("the setting `mode` is \"asap\" in run.1.json but \"think\" in run.2.json"));
}

TEST(MergeSideFiles, ASettingOnlyOneSideHasIsADifference) {
  SideFile other = SampleSideFile();
  other.settings["novel"] = "1";
  const Result<SideFile> merged = MergeSideFiles({SampleSideFile(), other});
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(merged.error().what, HasSubstr("`novel` is absent"));
}

TEST(MergeSideFiles, OfDifferentTracesIsRefused) {
  SideFile other = SampleSideFile();
  other.trace.mtime_ns += 1;
  const Result<SideFile> merged = MergeSideFiles({SampleSideFile(), other});
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(merged.error().what, HasSubstr("mtime_ns"));
}

TEST(MergeSideFiles, AJobInTwoFilesIsRefused) {
  const Result<SideFile> merged =
      MergeSideFiles({SampleSideFile(), SampleSideFile()}, {"run.1.json", "run.2.json"});
  ASSERT_FALSE(merged.ok());
  EXPECT_THAT(merged.error().what, HasSubstr("job 1 is in run.1.json and in run.2.json"));
}

TEST(MergeSideFiles, OfNoneIsAFailureOfTheRun) {
  const Result<SideFile> merged = MergeSideFiles({});
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().kind, ErrorKind::kFailed);
}

}  // namespace
}  // namespace ioflux
