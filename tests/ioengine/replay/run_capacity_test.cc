// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_capacity.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class RunCapacity : public testing::Test {
 protected:
  RunCapacity() {
    where_.root = FileRoot::Confined(dir_.path(), false).value();
    where_.root_path = dir_.path();
    where_.on_files = true;
  }

  void Add(const std::string& path, PlannedTarget planned, TargetUse use = {}) {
    planned.id = where_.targets.size();
    where_.targets.push_back({.name = path, .path = path});
    trace_.targets.push_back(use);
    plan_.targets.push_back(planned);
  }

  TempDir dir_;
  RunTargets where_;
  LoadedTrace trace_;
  PreparationPlan plan_;
};

TEST_F(RunCapacity, BuffersBeyondTheMemoryAreRefusedWithBothNumbers) {
  trace_.streams.resize(3);
  for (StreamOps& stream : trace_.streams) stream.largest_op_bytes = 1 << 20;
  EXPECT_EQ(BufferBytesNeeded(trace_, ReplaySettings()), 3 << 20);
  EXPECT_TRUE(CheckMemory(BufferBytesNeeded(trace_, ReplaySettings())));

  for (StreamOps& stream : trace_.streams) stream.largest_op_bytes = INT64_MAX;
  EXPECT_EQ(BufferBytesNeeded(trace_, ReplaySettings()), INT64_MAX);
  const Result<void> checked = CheckMemory(std::int64_t{1} << 50);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::kRefused);
  EXPECT_NE(checked.error().what.find("1048576.00 GiB"), std::string::npos) << checked.error().what;
}

TEST_F(RunCapacity, PreparationNeedsWholeBlocksLessWhatIsThere) {
  FileLook there;
  there.allocated_bytes = 8192;
  Add("new/folder/a", {.step = PrepareStep::kMake, .size_bytes = 4097});
  Add("b", {.step = PrepareStep::kRemake, .size_bytes = 20000, .now = there});
  Add("c", {.step = PrepareStep::kKeep, .size_bytes = 1 << 30});

  const std::vector<SpaceNeed> needs = MeasureSpace(plan_, trace_, where_);

  ASSERT_EQ(needs.size(), 1U);
  EXPECT_EQ(needs[0].place, dir_.path());
  EXPECT_EQ(needs[0].prepare_bytes, 8192 + 20480 - 8192);
  EXPECT_EQ(needs[0].prepare_files, 1);
  EXPECT_GT(needs[0].free_bytes, 0);
  EXPECT_TRUE(CheckSpace(needs));
}

TEST_F(RunCapacity, TheTraceAddsWhatItWritesBeyondTheEndAtMost) {
  const TargetUse appends{.written_extent_bytes = 1000, .written_bytes = 900};
  const TargetUse far{.written_extent_bytes = std::int64_t{1} << 62, .written_bytes = 10};
  Add("a", {.step = PrepareStep::kKeep, .size_bytes = 400}, appends);
  Add("b", {.step = PrepareStep::kLeaveToTrace}, far);
  const std::vector<SpaceNeed> needs = MeasureSpace(plan_, trace_, where_);
  ASSERT_EQ(needs.size(), 1U);
  EXPECT_EQ(needs[0].run_bytes, 600 + 10);
}

TEST_F(RunCapacity, MoreThanThereIsIsRefusedWithBothNumbers) {
  Add("a", {.step = PrepareStep::kMake, .size_bytes = std::int64_t{1} << 62});
  Add("b", {.step = PrepareStep::kMake, .size_bytes = INT64_MAX});
  const std::vector<SpaceNeed> needs = MeasureSpace(plan_, trace_, where_);

  const Result<void> fits = CheckSpace(needs);

  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().kind, ErrorKind::kRefused);
  EXPECT_EQ(fits.error().where.path, dir_.path());
  EXPECT_NE(fits.error().what.find(std::to_string(INT64_MAX)), std::string::npos);
  EXPECT_NE(fits.error().what.find(std::to_string(needs[0].free_bytes)), std::string::npos);
}

TEST_F(RunCapacity, MoreFilesThanTheFileSystemHasRoomForAreRefused) {
  const SpaceNeed need{.place = "/p", .prepare_files = 11, .free_bytes = 1, .free_files = 10};
  EXPECT_NE(CheckSpace({need}).error().what.find("11 files"), std::string::npos);
  SpaceNeed endless = need;
  endless.free_files = -1;
  EXPECT_TRUE(CheckSpace({endless}));
}

TEST(DescriptorLimit, EveryOpenFileOfEveryStreamCounts) {
  LoadedTrace trace;
  trace.streams.resize(2);
  const std::uint64_t none = DescriptorsNeeded(trace, ReplaySettings());
  trace.streams[0].slots = 3;
  trace.streams[1].slots = 4;
  EXPECT_EQ(DescriptorsNeeded(trace, ReplaySettings()), none + 7);
}

TEST(DescriptorLimit, ALowSoftLimitIsRaisedToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  if (before.rlim_max < 200) GTEST_SKIP() << "the hard limit is below 200";
  const rlimit low{.rlim_cur = 128, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);

  const Result<void> raised = RaiseDescriptorLimit(200);

  rlimit after{};
  getrlimit(RLIMIT_NOFILE, &after);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(raised);
  EXPECT_GE(after.rlim_cur, 200U);
}

TEST(DescriptorLimit, MoreThanTheHardLimitIsRefusedWithBothNumbers) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max == RLIM_INFINITY) GTEST_SKIP() << "there is no hard limit";
  const Error error = CheckDescriptorLimit(limit.rlim_max + 1).error();
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_NE(error.what.find(std::to_string(limit.rlim_max + 1)), std::string::npos);
  EXPECT_NE(error.what.find(std::to_string(limit.rlim_max)), std::string::npos);
}

}  // namespace
}  // namespace ioflux
