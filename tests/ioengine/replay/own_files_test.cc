// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/own_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

/// One target, by the name it has below ./root.
class OwnFiles : public testing::Test {
 protected:
  OwnFiles() {
    std::filesystem::create_directory(dir_ / "root");
    where_.on_files = true;
    where_.root = FileRoot::Confined(dir_ / "root", /*create=*/false).value();
  }

  void Target(const std::string& path, bool written) {
    where_.targets = {{.name = path, .path = path}};
    trace_.targets = {TargetUse{.used = true, .written = written}};
  }

  Result<void> CheckInputs(const std::string& prepare = "none") {
    ReplaySettings settings;
    EXPECT_TRUE(settings.Set(Setting::kTrace, dir_ / "root/t.ioflux"));
    EXPECT_TRUE(settings.Set(Setting::kTargetMap, dir_ / "root/map.yaml"));
    EXPECT_TRUE(settings.Set(Setting::kPrepare, prepare));
    return CheckInputsAreNoTargets(settings, trace_, where_);
  }

  TempDir dir_;
  LoadedTrace trace_;
  RunTargets where_;
};

TEST_F(OwnFiles, TheTraceAndTheMapAreNoTargetsOfWrites) {
  dir_.Write("root/t.ioflux", "trace");
  dir_.Write("root/map.yaml", "map");
  dir_.Write("root/data", "data");
  std::filesystem::create_symlink("t.ioflux", dir_ / "root/link");
  std::filesystem::create_hard_link(dir_ / "root/t.ioflux", dir_ / "root/hard");
  for (const char* name : {"t.ioflux", "map.yaml", "./t.ioflux", "link", "hard"}) {
    Target(name, /*written=*/true);
    const Result<void> refused = CheckInputs();
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().kind, ErrorKind::kRefused);
    EXPECT_NE(refused.error().what.find(" itself: the run would change it"), std::string::npos);

    Target(name, /*written=*/false);
    EXPECT_TRUE(CheckInputs()) << name << " is only read";
    EXPECT_FALSE(CheckInputs("materialize-synthetic")) << name << " would be made anew";
  }
  Target("data", /*written=*/true);
  EXPECT_TRUE(CheckInputs());
}

TEST_F(OwnFiles, AnOutputIsNoTargetWhetherItIsThereOrNot) {
  Target("r.json", /*written=*/false);
  EXPECT_TRUE(CheckOutputIsNoTarget(dir_ / "r.json", "the result", where_)) << "another folder";
  EXPECT_TRUE(CheckOutputIsNoTarget(dir_ / "root/s.json", "the result", where_));
  EXPECT_TRUE(CheckOutputIsNoTarget("/dev/null", "the result", where_));
  const std::string path = dir_ / "root/../root/r.json";
  EXPECT_FALSE(CheckOutputIsNoTarget(path, "the result", where_)) << "neither is there yet";
  dir_.Write("root/r.json", "data");
  const Result<void> refused = CheckOutputIsNoTarget(path, "the result", where_);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("target 'r.json' is the result itself"), std::string::npos);
}

TEST_F(OwnFiles, ABackEndWithoutFilesTouchesNone) {
  dir_.Write("root/t.ioflux", "trace");
  Target("t.ioflux", /*written=*/true);
  where_.on_files = false;
  EXPECT_TRUE(CheckInputs());
  EXPECT_TRUE(CheckOutputIsNoTarget(dir_ / "root/t.ioflux", "the result", where_));
}

}  // namespace
}  // namespace ioflux
