// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/residency.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "ioengine/replay/file_system.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Residency : public testing::TestWithParam<ResidencyMethod> {
 protected:
  void SetUp() override {
    if (GetParam() == ResidencyMethod::kCachestat &&
        BestResidencyMethod() != ResidencyMethod::kCachestat) {
      GTEST_SKIP() << "this kernel has no cachestat";
    }
    const auto bytes = static_cast<std::size_t>(2 * PageBytes() + 1);
    descriptor_ = open(dir_.Write("a", std::string(bytes, 'x')).c_str(), O_RDWR);
    ASSERT_GE(descriptor_, 0);
  }
  void TearDown() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  TempDir dir_;
  int descriptor_ = -1;
};

TEST_P(Residency, AFreshlyWrittenFileIsThereWithItsPartialPage) {
  ResidentPages pages;
  ASSERT_EQ(CountResidentPages(descriptor_, 2 * PageBytes() + 1, GetParam(), &pages), 0);
  EXPECT_EQ(pages.pages, 3);
  EXPECT_EQ(pages.resident, 3);
}

TEST_P(Residency, ADroppedFileIsNot) {
  ASSERT_EQ(fsync(descriptor_), 0);
  ASSERT_EQ(posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED), 0);
  ResidentPages pages;
  ASSERT_EQ(CountResidentPages(descriptor_, 2 * PageBytes() + 1, GetParam(), &pages), 0);
  if (pages.resident == 3) GTEST_SKIP() << "this file system keeps its files in memory";
  EXPECT_EQ(pages.pages, 3);
  EXPECT_EQ(pages.resident, 0);
}

TEST_P(Residency, AnEmptyFileHasNoPages) {
  ResidentPages pages{.pages = 9, .resident = 9};
  ASSERT_EQ(CountResidentPages(descriptor_, 0, GetParam(), &pages), 0);
  EXPECT_EQ(pages.pages, 0);
  EXPECT_EQ(pages.resident, 0);
}

TEST_P(Residency, ABadDescriptorIsAnError) {
  ResidentPages pages;
  EXPECT_NE(CountResidentPages(-1, 100, GetParam(), &pages), 0);
}

INSTANTIATE_TEST_SUITE_P(Both, Residency,
                         testing::Values(ResidencyMethod::kCachestat, ResidencyMethod::kMincore),
                         [](const auto& method) { return std::string(NameOf(method.param)); });

TEST(CleanPages, AreSeenByCachestatOnceTheyAreSynced) {
  if (BestResidencyMethod() != ResidencyMethod::kCachestat)
    GTEST_SKIP() << "this kernel has no cachestat";
  const TempDir dir;
  const int descriptor = open(dir.Write("a", "dirty").c_str(), O_RDONLY);
  struct stat status {};
  fstat(descriptor, &status);
  const bool in_memory = FileSystemOf(descriptor, status.st_dev).in_memory;
  fsync(descriptor);
  ResidentPages pages;
  CountResidentPages(descriptor, 5, ResidencyMethod::kCachestat, &pages);
  close(descriptor);
  if (in_memory) GTEST_SKIP() << "pages of a file in memory are never clean";
  EXPECT_TRUE(pages.clean);
}

}  // namespace
}  // namespace ioflux
