// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/file_root.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class ConfinedRoot : public testing::Test {
 protected:
  ConfinedRoot() {
    dir_.Write("root/inside.bin", "inside");
    dir_.Write("root/sub/deep.bin", "deep");
    dir_.Write("outside.bin", "outside");
    Result<FileRoot> root = FileRoot::Confined(dir_ / "root", /*create=*/false);
    EXPECT_TRUE(root) << Describe(root.error());
    root_ = std::move(root).value();
  }

  int Open(const std::string& path, int flags = O_RDONLY) {
    const int descriptor = root_.Open(path.c_str(), flags, 0644);
    if (descriptor >= 0) close(descriptor);
    return descriptor;
  }

  void Link(const std::string& to, const std::string& name) {
    std::filesystem::create_symlink(to, dir_ / ("root/" + name));
  }

  TempDir dir_;
  FileRoot root_ = FileRoot::Unconfined();
};

TEST_F(ConfinedRoot, OpensWhatIsInside) {
  EXPECT_GE(Open("inside.bin"), 0);
  EXPECT_GE(Open("sub/deep.bin"), 0);
  EXPECT_GE(Open("sub/../inside.bin"), 0);
}

TEST_F(ConfinedRoot, RefusesParentAndAbsoluteNames) {
  EXPECT_EQ(Open("../outside.bin"), -EXDEV);
  EXPECT_EQ(Open("sub/../../outside.bin"), -EXDEV);
  EXPECT_EQ(Open(dir_ / "root/inside.bin"), -EXDEV);
}

TEST_F(ConfinedRoot, RefusesLinksThatLeaveAndAllowsLinksThatStay) {
  Link("../outside.bin", "escape");
  Link(dir_ / "root/inside.bin", "absolute");
  Link("..", "up");
  Link("sub/deep.bin", "stay");
  EXPECT_EQ(Open("escape"), -EXDEV);
  EXPECT_EQ(Open("absolute"), -EXDEV);
  EXPECT_EQ(Open("up/outside.bin"), -EXDEV);
  EXPECT_GE(Open("stay"), 0);
}

TEST_F(ConfinedRoot, CreatesNothingOutside) {
  Link("../made.bin", "escape");
  EXPECT_EQ(Open("escape", O_WRONLY | O_CREAT), -EXDEV);
  EXPECT_EQ(Open("../made.bin", O_WRONLY | O_CREAT), -EXDEV);
  EXPECT_FALSE(dir_.Exists("made.bin"));
}

TEST_F(ConfinedRoot, LooksOnlyInsideAlsoThroughLinksThatAreLaterThanTheRoot) {
  std::int64_t size_bytes = 0;
  EXPECT_EQ(root_.StatSize("sub/deep.bin", &size_bytes), 0);
  EXPECT_EQ(size_bytes, 4);
  Link("sub/deep.bin", "stay");
  EXPECT_EQ(root_.StatSize("stay", &size_bytes), 0);
  EXPECT_EQ(root_.StatSize("missing", &size_bytes), -ENOENT);
  Link("../outside.bin", "escape");
  Link("..", "up");
  Link(dir_ / "outside.bin", "absolute");
  for (const char* path : {"escape", "up/outside.bin", "absolute", "../outside.bin"}) {
    size_bytes = -1;
    EXPECT_EQ(root_.StatSize(path, &size_bytes), -EXDEV) << path;
    EXPECT_EQ(size_bytes, -1) << path;
  }
}

TEST_F(ConfinedRoot, RemovesOnlyInside) {
  Link("..", "up");
  EXPECT_EQ(root_.Unlink("up/outside.bin"), -EXDEV);
  EXPECT_TRUE(dir_.Exists("outside.bin"));
  EXPECT_EQ(root_.Unlink("sub/deep.bin"), 0);
  EXPECT_FALSE(dir_.Exists("root/sub/deep.bin"));
}

TEST_F(ConfinedRoot, MakesTheFoldersAboveATarget) {
  EXPECT_EQ(root_.MakeParents("a/b/c/file"), 0);
  EXPECT_TRUE(dir_.Exists("root/a/b/c"));
  EXPECT_FALSE(dir_.Exists("root/a/b/c/file"));
  EXPECT_EQ(root_.MakeParents("../x/file"), -EXDEV);
}

TEST(FileRoot, AMissingRootIsAnErrorUnlessItMayBeCreated) {
  const TempDir dir;
  EXPECT_FALSE(FileRoot::Confined(dir / "new/root", /*create=*/false));
  EXPECT_TRUE(FileRoot::Confined(dir / "new/root", /*create=*/true));
  EXPECT_TRUE(dir.Exists("new/root"));
}

TEST(FileRoot, AFileIsNoRoot) {
  const TempDir dir;
  const std::string path = dir.Write("file", "x");
  for (const bool create : {false, true}) {
    const Result<FileRoot> root = FileRoot::Confined(path, create);
    ASSERT_FALSE(root);
    EXPECT_EQ(root.error().where.path, path);
  }
}

}  // namespace
}  // namespace ioflux
