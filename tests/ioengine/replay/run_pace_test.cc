// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_pace.h"

#include <gtest/gtest.h>

#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class Pace : public testing::Test {
 protected:
  LoadedTrace Load(const std::vector<std::string>& ops, int streams) {
    return LoadTrace(dir_.Write("t.ioflux", TraceText({{"a", 1}}, ops, streams))).value();
  }

  static ReplaySettings In(const char* mode, const char* speedup = "1") {
    ReplaySettings settings;
    EXPECT_TRUE(settings.Set(Setting::kMode, mode));
    EXPECT_TRUE(settings.Set(Setting::kSpeedup, speedup));
    return settings;
  }

  /// Stream 0 at 100 (10 long) and 300 (20 long); stream 1 at 250 (5 long).
  LoadedTrace TwoStreams() {
    return Load({R"({"t":100,"op_id":0,"s":0,"op":"STAT","tgt":0,"dur":10})",
                 R"({"t":250,"op_id":1,"s":1,"op":"STAT","tgt":0,"dur":5})",
                 R"({"t":300,"op_id":2,"s":0,"op":"STAT","tgt":0,"dur":20})"},
                2);
  }

  TempDir dir_;
};

TEST_F(Pace, AsapPlansNothingAndStartsAllStreamsAtOnce) {
  const RunPace pace = PaceOf(TwoStreams(), In("asap"));
  EXPECT_FALSE(pace.planned_ns);
  EXPECT_FALSE(pace.shortest_ns);
  EXPECT_EQ(pace.recorded_ns, 320);
  EXPECT_EQ(pace.peak_streams, 2);
}

TEST_F(Pace, TimelineTakesWhatTheSourceTook) {
  EXPECT_EQ(PaceOf(TwoStreams(), In("timeline")).planned_ns, 320);
}

TEST_F(Pace, ScaledDividesStartsButNotWhatAnOperationTakes) {
  EXPECT_EQ(PaceOf(TwoStreams(), In("scaled", "2")).planned_ns, 150 + 20);
}

TEST_F(Pace, ThinkIsGapsPlusServiceOfTheLongestStream) {
  const RunPace pace = PaceOf(TwoStreams(), In("think"));
  EXPECT_EQ(pace.shortest_ns, 100 + 190);
  EXPECT_EQ(pace.planned_ns, 100 + 190 + 30);
}

TEST_F(Pace, StreamsThatFollowEachOtherAreNotAtTheSameTime) {
  const LoadedTrace trace = Load({R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0,"dur":10})",
                                  R"({"t":10,"op_id":1,"s":1,"op":"STAT","tgt":0,"dur":10})"},
                                 2);
  EXPECT_EQ(PaceOf(trace, In("timeline")).peak_streams, 1);
  EXPECT_EQ(PaceOf(trace, In("asap")).peak_streams, 2);
}

TEST_F(Pace, AGapThatIsNegativeOrUnknownIsNone) {
  const LoadedTrace trace = Load({R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0,"dur":50})",
                                  R"({"t":10,"op_id":1,"s":0,"op":"STAT","tgt":0})",
                                  R"({"t":90,"op_id":2,"s":0,"op":"STAT","tgt":0,"dur":1})"},
                                 1);
  EXPECT_EQ(PaceOf(trace, In("think")).shortest_ns, 0);
}

TEST_F(Pace, TheLargestTimesDoNotRunOver) {
  const LoadedTrace trace = Load(
      {R"({"t":-9000000000000000000,"op_id":0,"s":0,"op":"STAT","tgt":0,"dur":1})",
       R"({"t":9000000000000000000,"op_id":1,"s":0,"op":"STAT","tgt":0,"dur":9000000000000000000})"},
      1);
  EXPECT_EQ(PaceOf(trace, In("think")).planned_ns, INT64_MAX);
  EXPECT_EQ(PaceOf(trace, In("timeline")).planned_ns, INT64_MAX);
  EXPECT_EQ(PaceOf(trace, In("scaled", "0.001")).planned_ns, INT64_MAX);
}

TEST_F(Pace, ThinkWithoutAnyDurationIsRefused) {
  const LoadedTrace trace = Load({R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})"}, 1);
  const Result<void> checked = CheckPace(trace, In("think"));
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().what.find("duration"), std::string::npos);
  EXPECT_TRUE(CheckPace(trace, In("timeline")));
  EXPECT_TRUE(CheckPace(TwoStreams(), In("think")));
}

}  // namespace
}  // namespace ioflux
