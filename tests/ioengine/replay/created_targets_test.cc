// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/created_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Created : public testing::Test {
 protected:
  /// Reads in/0, creates out/new and out/other.
  Created() {
    const std::string trace = dir_.Write(
        "t.ioflux",
        TraceText({{.name = "in/0", .size_bytes = 10}, {.name = "out/new"}, {.name = "out/other"}},
                  {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})",
                   R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":10})",
                   R"({"t":0,"op_id":2,"s":0,"op":"OPEN","tgt":1,"h":2,"mode":"w",)"
                   R"("flags":["create"]})",
                   R"({"t":0,"op_id":3,"s":0,"op":"OPEN","tgt":2,"h":3,"mode":"w",)"
                   R"("flags":["create"]})"}));
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: '" + dir_ / "root/" + "'}]\n");
    std::filesystem::create_directories(dir_ / "root/out");
    for (const auto& [setting, text] : {std::pair{Setting::kTrace, trace},
                                        {Setting::kBackend, std::string("local")},
                                        {Setting::kTargetMap, dir_ / "map.yaml"},
                                        {Setting::kTargetRoot, dir_ / "root"}})
      EXPECT_TRUE(settings_.Set(setting, text));
  }

  CreatedTargets Of() {
    Result<CreatedTargets> created = CreatedTargets::Of(settings_, {});
    EXPECT_TRUE(created) << Describe(created.error());
    return std::move(created).value();
  }

  bool Exists(const std::string& name) { return std::filesystem::exists(dir_ / name); }

  TempDir dir_;
  ReplaySettings settings_;
};

TEST_F(Created, WhatARunMadeIsRemovedAndNothingElse) {
  dir_.Write("root/in/0", "0123456789");
  dir_.Write("root/out/bystander", "mine");
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/out/new", "by the run");
  dir_.Write("root/out/other", "by the run");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 2);
  EXPECT_FALSE(Exists("root/out/new"));
  EXPECT_FALSE(Exists("root/out/other"));
  EXPECT_TRUE(Exists("root/in/0"));
  EXPECT_TRUE(Exists("root/out/bystander"));
  EXPECT_EQ(created.Remove().value(), 0) << "once";
}

TEST_F(Created, WhatWasThereBeforeStays) {
  dir_.Write("root/out/new", "before the set");
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/out/new", "overwritten by the run");
  dir_.Write("root/out/other", "by the run");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 1);
  EXPECT_TRUE(Exists("root/out/new"));
}

TEST_F(Created, WhatSomebodyTouchedSinceStays) {
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/out/new", "by the run");
  dir_.Write("root/out/other", "by the run");
  ASSERT_TRUE(created.LookAfter());
  // Another file under the name, and a second name for the file.
  dir_.Write("root/out/new.theirs", "by the run");
  std::filesystem::rename(dir_ / "root/out/new.theirs", dir_ / "root/out/new");
  std::filesystem::create_hard_link(dir_ / "root/out/other", dir_ / "root/out/kept");
  EXPECT_EQ(created.Remove().value(), 0);
  EXPECT_TRUE(Exists("root/out/new"));
  EXPECT_TRUE(Exists("root/out/other"));
}

TEST_F(Created, ALinkIsNoFileOfTheRun) {
  dir_.Write("root/precious", "mine");
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  std::filesystem::create_symlink("../precious", dir_ / "root/out/new");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 0);
  EXPECT_TRUE(Exists("root/precious"));
}

TEST_F(Created, WhatPreparationMakesIsLeftToPreparation) {
  ASSERT_TRUE(settings_.Set(Setting::kPrepare, "materialize-synthetic"));
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/in/0", "0123456789");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 0);
  EXPECT_TRUE(Exists("root/in/0"));
}

TEST_F(Created, ARootThatPreparationWillMakeMayBeMissing) {
  ASSERT_TRUE(settings_.Set(Setting::kPrepare, "materialize-synthetic"));
  std::filesystem::remove_all(dir_ / "root");
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/out/new", "by the run");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 1);
  EXPECT_FALSE(Exists("root/out/new"));
}

TEST_F(Created, TheMemoryBackEndHasNone) {
  ASSERT_TRUE(settings_.Set(Setting::kBackend, "mem"));
  CreatedTargets created = Of();
  ASSERT_TRUE(created.LookBefore());
  dir_.Write("root/out/new", "not by the run");
  ASSERT_TRUE(created.LookAfter());
  EXPECT_EQ(created.Remove().value(), 0);
  EXPECT_TRUE(Exists("root/out/new"));
}

}  // namespace
}  // namespace ioflux
