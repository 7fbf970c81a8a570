// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/confinement.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::string Below(const std::string& name, const std::string& root) {
  const Result<std::string> path = PathBelowRoot(name, root);
  return path ? path.value() : "refused";
}

TEST(CheckTargetName, RefusesWhatASystemCallWouldTakeForAnotherName) {
  using namespace std::string_literals;

  EXPECT_TRUE(CheckTargetName("a", "/srv/data/a"));
  for (const std::string& name : {"a\0b"s, "\0"s, "/srv/\0/x"s, "x\0"s, ""s}) {
    const Result<void> checked = CheckTargetName("source", name);
    ASSERT_FALSE(checked) << name.size();
    EXPECT_EQ(checked.error().kind, ErrorKind::kRefused);
    EXPECT_EQ(Describe(checked.error()).find('\0'), std::string::npos) << "it would be cut there";
  }
}

TEST(PathBelowRoot, StripsTheRootComponentByComponent) {
  EXPECT_EQ(Below("/srv/data/a/b", "/srv/data"), "a/b");
  EXPECT_EQ(Below("/srv/data//a/./b", "/srv//data/"), "a/b");
  EXPECT_EQ(Below("/srv/data", "/srv/data"), ".");
}

TEST(PathBelowRoot, RefusesSiblingsAbsoluteEscapesAndParents) {
  EXPECT_EQ(Below("/srv/dataX/a", "/srv/data"), "refused");
  EXPECT_EQ(Below("/etc/passwd", "/srv/data"), "refused");
  EXPECT_EQ(Below("/srv/data/../x", "/srv/data"), "refused");
  EXPECT_EQ(Below("/srv/data/a/../b", "/srv/data"), "refused");
}

TEST(PathBelowRoot, RelativeNamesCountFromTheWorkingDirectory) {
  EXPECT_EQ(Below("./data/x", "data"), "x");
  EXPECT_EQ(Below("data/x", std::filesystem::current_path().string() + "/data"), "x");
  EXPECT_EQ(Below("x", "./data"), "refused");
}

TEST(PathBelowRoot, ARefusalSaysHowToMapTheTarget) {
  const Error error = PathBelowRoot("shard_0000.tar", "./data").error();
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_NE(error.what.find("shard_0000.tar"), std::string::npos);
  EXPECT_NE(error.mend.find("to: \"./data/\""), std::string::npos);
}

TEST(PathBelowRoot, TheRootMayBeALink) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "real");
  std::filesystem::create_symlink("real", dir / "link");
  EXPECT_EQ(Below(dir / "link/x", dir / "link"), "x");
  EXPECT_EQ(Below(dir / "real/x", dir / "link"), "x");
}

TEST(CheckTargets, RefusesALinkThatLeavesAndAcceptsAMissingFile) {
  const TempDir dir;
  dir.Write("outside", "x");
  std::filesystem::create_directory(dir / "root");
  std::filesystem::create_symlink("../outside", dir / "root/escape");
  const FileRoot root = FileRoot::Confined(dir / "root", false).value();

  EXPECT_TRUE(CheckTargets(root, dir / "root", {{.name = "new", .path = "new"}}));
  const Result<void> refused =
      CheckTargets(root, dir / "root", {{.name = "n/escape", .path = "escape"}});

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kRefused);
  EXPECT_NE(refused.error().what.find("n/escape"), std::string::npos);
  EXPECT_NE(refused.error().what.find("symbolic link"), std::string::npos);
}

// Opening a pipe would wait for its other end.
TEST(CheckTargets, RefusesEverythingThatIsNeitherAFileNorAFolder) {
  const TempDir dir;
  dir.Write("file", "x");
  std::filesystem::create_directory(dir / "folder");
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", dir / "link");
  const FileRoot root = FileRoot::Confined(dir.path(), false).value();
  const FileRoot no_root = FileRoot::Unconfined();

  for (const std::string name : {"file", "folder", "absent", "file/below"}) {
    EXPECT_TRUE(CheckTargets(no_root, "", {{.name = name, .path = dir / name}})) << name;
  }
  for (const std::string name : {"pipe", "link"}) {
    const Result<void> confined = CheckTargets(root, dir.path(), {{.name = name, .path = name}});
    const Result<void> unconfined = CheckTargets(no_root, "", {{.name = name, .path = dir / name}});
    for (const Result<void>& refused : {confined, unconfined}) {
      ASSERT_FALSE(refused) << name;
      EXPECT_EQ(refused.error().kind, ErrorKind::kRefused);
      EXPECT_EQ(refused.error().what, "target '" + name + "' is a named pipe, not a file");
    }
  }
  const FileRoot devices = FileRoot::Confined("/dev", false).value();
  const Result<void> confined = CheckTargets(devices, "/dev", {{.name = "null", .path = "null"}});
  ASSERT_FALSE(confined);
  EXPECT_EQ(confined.error().what, "target 'null' is a character device, not a file");
  EXPECT_TRUE(CheckTargets(no_root, "", {{.name = "/dev/null", .path = "/dev/null"}}))
      << "who names no root may write to a device";
}

}  // namespace
}  // namespace ioflux
