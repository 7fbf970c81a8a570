// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Outline : public testing::Test {
 protected:
  /// Reads in/0 … in/6 (10 bytes each), creates out/new and writes 5 bytes to it, deletes gone.
  Outline() {
    std::vector<TextTarget> targets;
    std::vector<std::string> ops;
    int id = 0;
    const auto op = [&](const std::string& rest) {
      ops.push_back(R"({"t":0,"op_id":)" + std::to_string(id++) + R"(,"s":0,)" + rest + "}");
    };
    for (int i = 0; i < 7; ++i) {
      const std::string n = std::to_string(i);
      targets.push_back({.name = "in/" + n, .size_bytes = 10});
      op(R"("op":"OPEN","tgt":)" + n + R"(,"h":)" + n + R"(,"mode":"r")");
      op(R"("op":"READ","h":)" + n + R"(,"off":0,"len":10)");
    }
    targets.push_back({.name = "out/new"});
    op(R"("op":"OPEN","tgt":7,"h":7,"mode":"w","flags":["create"])");
    op(R"("op":"WRITE","h":7,"off":0,"len":5)");
    trace_ = dir_.Write("t.ioflux", TraceText(targets, ops));
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: '" + dir_ / "root/" + "'}]\n");
  }

  RunOutline Of(const std::vector<std::pair<Setting, std::string>>& more) {
    ReplaySettings settings;
    std::vector<std::pair<Setting, std::string>> values = {{Setting::kTrace, trace_},
                                                           {Setting::kBackend, "local"},
                                                           {Setting::kTargetMap, dir_ / "map.yaml"},
                                                           {Setting::kTargetRoot, dir_ / "root"}};
    values.insert(values.end(), more.begin(), more.end());
    for (const auto& [setting, text] : values) EXPECT_TRUE(settings.Set(setting, text)) << text;
    const Result<RunOutline> outline = OutlineRun(settings);
    EXPECT_TRUE(outline) << Describe(outline.error());
    return outline ? outline.value() : RunOutline{};
  }

  TempDir dir_;
  std::string trace_;
};

TEST_F(Outline, SaysWhatPreparationWouldMakeAndLeavesEvenTheRootUnmade) {
  const RunOutline outline = Of({{Setting::kPrepare, "materialize-synthetic"}});

  ASSERT_FALSE(outline.refusal) << Describe(*outline.refusal);
  EXPECT_TRUE(outline.makes_root);
  EXPECT_EQ(outline.root_path, dir_ / "root");
  EXPECT_EQ(outline.made.count, 7);
  EXPECT_EQ(outline.made.bytes, 70);
  EXPECT_EQ(outline.made.first_names.size(), kOutlinedNames);
  EXPECT_EQ(outline.made.first_names[0], dir_ / "root/in/0");
  EXPECT_EQ(outline.left_to_trace.count, 1);
  EXPECT_FALSE(dir_.Exists("root"));
}

TEST_F(Outline, SaysWhatTheTraceReadsAndWrites) {
  const RunOutline outline = Of({{Setting::kPrepare, "materialize-synthetic"}});
  EXPECT_EQ(outline.ops, 16);
  EXPECT_EQ(outline.op_counts[static_cast<std::size_t>(OpKind::kREAD)], 7U);
  EXPECT_EQ(outline.read.count, 7);
  EXPECT_EQ(outline.read.bytes, 70);
  EXPECT_EQ(outline.written.count, 1);
  EXPECT_EQ(outline.written.bytes, 5);
  EXPECT_EQ(outline.deleted.count, 0);
  EXPECT_GE(outline.descriptors_needed, 8U);
}

TEST_F(Outline, NamesTheSpaceItNeedsAndWhatIsFree) {
  const RunOutline outline = Of({{Setting::kPrepare, "materialize-synthetic"}});
  ASSERT_EQ(outline.space.size(), 1U);
  EXPECT_EQ(outline.space[0].place, dir_ / "root");
  EXPECT_EQ(outline.space[0].prepare_bytes, 7 * 4096);
  EXPECT_EQ(outline.space[0].prepare_files, 7);
  EXPECT_EQ(outline.space[0].run_bytes, 5);
  EXPECT_GT(outline.space[0].free_bytes, 0);
}

TEST_F(Outline, TellsKeptFromStaleTargetsAndLeftOvers) {
  std::string right(10, 0);
  Payload(Payload::Mode::kSeeded, 1).Fill(0, PayloadTargetHash(dir_ / "root/in/0"), 0, right);
  dir_.Write("root/in/0", right);
  dir_.Write("root/in/1", "something else");
  dir_.Write("root/out/new", "old");

  const RunOutline outline = Of({{Setting::kPrepare, "materialize-synthetic"}});

  EXPECT_THAT(outline.kept.first_names, ElementsAre(dir_ / "root/in/0"));
  EXPECT_THAT(outline.remade.first_names, ElementsAre(dir_ / "root/in/1"));
  EXPECT_EQ(outline.made.count, 5);
  EXPECT_THAT(outline.left_over.first_names, ElementsAre(dir_ / "root/out/new"));
  EXPECT_THAT(outline.warnings, Contains(HasSubstr("there already")));
  EXPECT_EQ(dir_.Read("root/in/1"), "something else");
}

TEST_F(Outline, ARefusalComesWithWhatIsKnown) {
  dir_.Write("root/in/0", "0123456789");
  const RunOutline outline = Of({{Setting::kPrepare, "assume-existing"}});
  ASSERT_TRUE(outline.refusal);
  EXPECT_THAT(outline.refusal->what, HasSubstr("5 more target(s)"));
  EXPECT_EQ(outline.read.count, 7);
}

TEST_F(Outline, AnImplausiblyLongPaceIsAWarning) {
  trace_ = dir_.Write(
      "t.ioflux",
      TraceText({{"a", 1}}, {R"({"t":691200000000000,"op_id":0,"s":0,"op":"STAT","tgt":0})"}));
  EXPECT_THAT(
      Of({{Setting::kMode, "timeline"}, {Setting::kPrepare, "materialize-synthetic"}}).warnings,
      ElementsAre(HasSubstr("takes 8 days: is its time_unit right?")));
  EXPECT_THAT(Of({{Setting::kMode, "asap"}, {Setting::kPrepare, "materialize-synthetic"}}).warnings,
              IsEmpty());
}

TEST_F(Outline, AMissingTraceIsAnError) {
  ReplaySettings settings;
  ASSERT_TRUE(settings.Set(Setting::kTrace, dir_ / "missing"));
  EXPECT_EQ(OutlineRun(settings).error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
