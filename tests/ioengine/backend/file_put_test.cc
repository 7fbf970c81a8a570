// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/file_put.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Put : public testing::Test {
 protected:
  IoOutcome PutText(const std::string& path, const std::string& text) {
    return PutFile(root_, path, static_cast<std::int64_t>(text.size()), text.data());
  }

  TempDir dir_;
  FileRoot root_ = FileRoot::Confined(dir_.path(), /*create=*/false).value();
};

TEST_F(Put, MakesFoldersAndLeavesOnlyTheObject) {
  EXPECT_EQ(PutText("bucket/a/key", "content").moved_bytes, 7);
  EXPECT_EQ(dir_.Read("bucket/a/key"), "content");
  EXPECT_EQ(PutText("bucket/a/key", "").error, 0);
  EXPECT_EQ(dir_.Read("bucket/a/key"), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_ / "bucket/a"), {}), 1);
}

TEST_F(Put, TheLongestNameWorks) {
  const std::string longest(255, 'k');
  EXPECT_EQ(PutText(longest, "content").error, 0);
  EXPECT_EQ(dir_.Names(), std::vector<std::string>{longest});
  EXPECT_EQ(PutText(longest + "k", "content").error, ENAMETOOLONG);
  EXPECT_EQ(dir_.Names(), std::vector<std::string>{longest});
}

TEST_F(Put, AReaderSeesTheOldOrTheNewObjectAndNeverAPart) {
  constexpr std::size_t kBytes = 1 << 20;
  constexpr int kPuts = 50;
  ASSERT_EQ(PutText("key", std::string(kBytes, 'a')).error, 0);
  std::atomic<bool> done{false};
  std::uint64_t reads = 0;
  std::uint64_t parts = 0;
  std::thread reader([&] {
    do {
      const std::string text = dir_.Read("key");
      ++reads;
      parts += text.size() != kBytes || text.find_first_not_of(text[0]) != std::string::npos;
    } while (!done);
  });

  for (int i = 0; i < kPuts; ++i) {
    EXPECT_EQ(PutText("key", std::string(kBytes, i % 2 == 0 ? 'b' : 'a')).error, 0);
  }
  done = true;
  reader.join();

  EXPECT_GT(reads, 0U);
  EXPECT_EQ(parts, 0U);
}

TEST_F(Put, AFailureLeavesTheTargetAndNothingElse) {
  dir_.Write("key/occupied", "a folder stands where the object should go");

  const IoOutcome outcome = PutText("key", "data");

  EXPECT_NE(outcome.error, 0);
  EXPECT_EQ(outcome.moved_bytes, 0);
  EXPECT_EQ(dir_.Names(), std::vector<std::string>{"key"});
}

TEST_F(Put, NothingIsWrittenThroughALinkThatLeavesTheRoot) {
  const TempDir outside;
  std::filesystem::create_symlink(outside.path(), dir_ / "out");
  EXPECT_EQ(PutText("out/key", "data").error, EXDEV);
  EXPECT_TRUE(outside.Names().empty());
}

TEST_F(Put, AFullFileSystemKeepsTheOldObjectAndNoTemporaryFile) {
  std::filesystem::create_directory(dir_ / "small");
  const std::string small = dir_ / "small";
  if (mount("none", small.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  }
  EXPECT_EQ(PutText("small/key", std::string(16 << 10, 'a')).error, 0);

  const IoOutcome outcome = PutText("small/key", std::string(128 << 10, 'b'));
  const std::string content = dir_.Read("small/key");
  const auto files = std::distance(std::filesystem::directory_iterator(small), {});
  umount(small.c_str());

  EXPECT_EQ(outcome.error, ENOSPC);
  EXPECT_EQ(outcome.moved_bytes, 0);
  EXPECT_EQ(content, std::string(16 << 10, 'a'));
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace ioflux
