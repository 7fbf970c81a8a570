// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/cache_state.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kPages = 16;

/// Targets a and b of 16 pages each, freshly written, so resident and dirty.
class Cache : public testing::Test {
 protected:
  void SetUp() override {
    where_.root = FileRoot::Confined(dir_.path(), false).value();
    where_.root_path = dir_.path();
    where_.on_files = true;
    for (const char* name : {"a", "b"}) AddFile(name);
    const int descriptor = open((dir_ / "a").c_str(), O_RDONLY);
    struct stat status {};
    fstat(descriptor, &status);
    if (FileSystemOf(descriptor, status.st_dev).in_memory)
      unsuitable_ = "the test folder is in memory";
    close(descriptor);
    if (!unsuitable_.empty()) GTEST_SKIP() << unsuitable_;
  }

  void AddFile(const std::string& name) {
    dir_.Write(name, std::string(static_cast<std::size_t>(kPages * PageBytes()), 'x'));
    AddTarget(name);
  }
  void AddTarget(const std::string& name) {
    where_.targets.push_back({.name = name, .path = name});
  }

  CacheState Establish(CacheMode mode) {
    Result<CacheState> state = EstablishCache(mode, where_, [] { return false; });
    EXPECT_TRUE(state);
    return std::move(state).value();
  }

  TempDir dir_;
  RunTargets where_;
  std::string unsuitable_;
};

TEST_F(Cache, ColdSyncsDropsAndIsSeenToBeCold) {
  const CacheState state = Establish(CacheMode::kCold);

  ASSERT_EQ(state.not_measured, "");
  EXPECT_EQ(state.found->targets, 2);
  EXPECT_EQ(state.found->pages, 2 * kPages);
  EXPECT_EQ(state.found->resident_pages, 2 * kPages);
  EXPECT_EQ(state.found->worst_target, "a");
  EXPECT_EQ(state.found->worst_resident_pages, kPages);
  EXPECT_EQ(state.at_start->pages, 2 * kPages);
  EXPECT_EQ(state.at_start->resident_pages, 0);
  EXPECT_EQ(state.at_start->worst_target, "");
  ASSERT_EQ(state.actions.size(), 2U);
  EXPECT_THAT(state.actions[0], HasSubstr("synced"));
  EXPECT_THAT(state.actions[1], HasSubstr("dropped 2 files (128.00 KiB)"));
  EXPECT_THAT(state.limitations, ElementsAre(HasSubstr("out of reach")));
}

TEST_F(Cache, WarmReadsAndIsSeenToBeWarm) {
  Establish(CacheMode::kCold);

  const CacheState state = Establish(CacheMode::kWarm);

  EXPECT_EQ(state.found->resident_pages, 0);
  EXPECT_EQ(state.at_start->resident_pages, 2 * kPages);
  EXPECT_EQ(state.primed, 2);
  EXPECT_THAT(state.actions, ElementsAre("read 2 files (128.00 KiB) into the page cache"));
  EXPECT_THAT(state.limitations, IsEmpty());
}

TEST_F(Cache, NoneLooksAtNoTargetButKnowsTheFileSystem) {
  CacheState state = Establish(CacheMode::kNone);
  MeasureCacheAtEnd(where_, 1, state);
  EXPECT_FALSE(state.at_start);
  EXPECT_FALSE(state.at_end);
  EXPECT_THAT(state.not_measured, HasSubstr("no target is looked at"));
  EXPECT_EQ(state.file_systems.size(), 1U);
  EXPECT_THAT(state.actions, IsEmpty());
  EXPECT_THAT(state.limitations, IsEmpty());
}

TEST_F(Cache, TheEndIsMeasuredAgain) {
  CacheState state = Establish(CacheMode::kCold);
  dir_.Read("b");

  MeasureCacheAtEnd(where_, /*processes=*/1, state);

  EXPECT_EQ(state.at_end->resident_pages, kPages);
  EXPECT_EQ(state.at_end->worst_target, "b");
  EXPECT_EQ(state.at_start->resident_pages, 0);
}

TEST_F(Cache, ManyProcessesDoNotAllCountManyTargets) {
  CacheState state = Establish(CacheMode::kCold);
  for (int i = 0; i < 20000; ++i) AddTarget("missing");
  MeasureCacheAtEnd(where_, /*processes=*/4, state);
  EXPECT_FALSE(state.at_end);
  EXPECT_THAT(state.end_not_measured, HasSubstr("too many"));
}

TEST_F(Cache, AMissingTargetIsNoLimitationAndTellsTheFileSystem) {
  where_.targets.clear();
  AddTarget("folder/new");
  std::filesystem::create_directory(dir_ / "folder");
  const CacheState state = Establish(CacheMode::kCold);
  EXPECT_EQ(state.not_measured, "no target was there");
  EXPECT_THAT(state.limitations, IsEmpty());
  EXPECT_EQ(state.file_systems.size(), 1U);
}

TEST_F(Cache, APipeAndAFolderAreLeftOut) {
  ASSERT_EQ(mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(dir_ / "folder");
  AddTarget("pipe");
  AddTarget("folder");
  EXPECT_EQ(Establish(CacheMode::kWarm).at_start->targets, 2);
}

TEST_F(Cache, U22_ALinkPlantedAfterTheCheckIsNotFollowedOutOfTheRoot) {
  const TempDir outside;
  const std::string victim =
      outside.Write("victim", std::string(static_cast<std::size_t>(PageBytes()), 'x'));
  std::filesystem::remove(dir_ / "a");
  std::filesystem::create_symlink(victim, dir_ / "a");

  const CacheState state = Establish(CacheMode::kCold);

  EXPECT_EQ(state.at_start->targets, 1);
  EXPECT_THAT(state.limitations, testing::Contains(HasSubstr("cannot be opened")));
  const int descriptor = open(victim.c_str(), O_RDONLY);
  ResidentPages pages;
  ASSERT_EQ(CountResidentPages(descriptor, PageBytes(), BestResidencyMethod(), &pages), 0);
  close(descriptor);
  EXPECT_EQ(pages.resident, 1);
}

TEST_F(Cache, TwoTargetsOnOnePathAreOneFile) {
  AddTarget("a");
  EXPECT_EQ(Establish(CacheMode::kCold).at_start->targets, 2);
}

TEST_F(Cache, AStopIsHeard) {
  const Result<CacheState> state = EstablishCache(CacheMode::kCold, where_, [] { return true; });
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, ErrorKind::kFailed);
}

TEST(CacheInMemory, IsNotMeasuredAndNeverZero) {
  std::string path = "/dev/shm/ioflux-cache-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) GTEST_SKIP() << "no /dev/shm to write to";
  RunTargets where;
  where.root = FileRoot::Confined(path, false).value();
  where.root_path = path;
  where.on_files = true;
  where.targets.push_back({.name = "a", .path = "a"});
  const int descriptor = open((path + "/a").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(write(descriptor, "text", 4), 4);
  close(descriptor);

  CacheState state = EstablishCache(CacheMode::kCold, where, [] { return false; }).value();
  MeasureCacheAtEnd(where, 1, state);

  std::filesystem::remove_all(path);
  EXPECT_THAT(state.not_measured, HasSubstr("memory"));
  EXPECT_FALSE(state.found);
  EXPECT_FALSE(state.at_start);
  EXPECT_FALSE(state.at_end);
  EXPECT_THAT(state.actions, IsEmpty());
}

TEST(CacheWithoutFiles, IsNotMeasured) {
  const CacheState state =
      EstablishCache(CacheMode::kCold, RunTargets{}, [] { return false; }).value();
  EXPECT_EQ(state.not_measured, "the back end has no files");
  EXPECT_THAT(state.limitations, IsEmpty());
}

}  // namespace
}  // namespace ioflux
