// SPDX-License-Identifier: GPL-2.0-only
//
// Offsets and lengths near 2^63 are legal in a trace. Whatever it holds, it is refused with a
// reason, or all of its sums are right; under the sanitizers no addition may run over.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/json_value.h"
#include "base/saturating_math.h"
#include "ioengine/replay/preparation_plan.h"
#include "ioengine/replay/run_capacity.h"
#include "ioengine/replay/session.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::int64_t huge_now_ns = 0;
std::int64_t HugeNow() { return huge_now_ns += 10; }

/// What a trace asks for; INT64_MAX stands for anything from there on.
struct Sums {
  std::int64_t requested = 0;
  std::int64_t moved = 0;
};

class HugeOps : public testing::Test {
 protected:
  std::int64_t AnyNumber() {
    constexpr std::array<std::int64_t, 10> kLandmarks = {0,
                                                         1,
                                                         4096,
                                                         std::int64_t{1} << 31,
                                                         std::int64_t{1} << 40,
                                                         kMaxTraceBytes / 2,
                                                         kMaxTraceBytes,
                                                         std::int64_t{1} << 62,
                                                         INT64_MAX - 4096,
                                                         INT64_MAX};
    const std::size_t reach = random_() % 3 == 0 ? kLandmarks.size() : 5;  // not always beyond
    const std::int64_t landmark = kLandmarks[random_() % reach];
    const auto near = static_cast<std::int64_t>(random_() % 3);
    return landmark > INT64_MAX - near ? landmark : landmark + near;
  }

  /// One stream: an OPEN of two targets, then reads and writes.
  std::string AnyTrace(Sums& sums) {
    std::vector<std::string> ops = {
        R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"rw"})",
        R"({"t":0,"op_id":1,"s":0,"op":"OPEN","tgt":1,"h":2,"mode":"rw","flags":["create"]})"};
    int partial = 0;
    const std::size_t count = 3 + random_() % 6;
    while (ops.size() < count) {
      const bool reads = random_() % 2 == 0;
      const std::int64_t length_bytes = AnyNumber();
      std::int64_t moved_bytes = length_bytes;
      std::string op = R"({"t":0,"op_id":)" + std::to_string(ops.size()) + R"(,"s":0,"op":")" +
                       (reads ? "READ" : "WRITE") + R"(","h":)" +
                       std::to_string(1 + random_() % 2) + R"(,"off":)" +
                       std::to_string(AnyNumber()) + R"(,"len":)" + std::to_string(length_bytes);
      if (reads && length_bytes > 0 && random_() % 2 == 0) {
        moved_bytes = length_bytes - 1;
        op += R"(,"ret":)" + std::to_string(moved_bytes);
        ++partial;
      }
      sums.requested = SaturatingAdd(sums.requested, length_bytes);
      sums.moved = SaturatingAdd(sums.moved, moved_bytes);
      ops.push_back(op + "}");
    }
    return TraceText({{"a", AnyNumber()}, {"b", AnyNumber()}}, ops, /*streams=*/1, partial);
  }

  /// Replays the one stream; what the side file counts.
  Sums Replay(ReplaySession& session) {
    auto* job = static_cast<JobReplayer*>(session.AddJob(0, 1, 1).value());
    EXPECT_TRUE(session.BeginJob(*job, {}));
    ReplayRequest request;
    while (job->Next(&request, {}) == JobReplayer::Step::kOperation) job->Execute(HugeNow());
    EXPECT_TRUE(session.EndJob(*job, ""));
    const JsonValue ops = JsonValue::Load(dir_ / "side.1.json").value().GetObject("ops").value();
    Sums counted;
    for (const std::string& kind : ops.Keys()) {
      counted.requested += ops.GetObject(kind).value().GetInt("requested_bytes").value();
      counted.moved += ops.GetObject(kind).value().GetInt("bytes").value();
    }
    return counted;
  }

  static constexpr int kTraces = 200;
  std::mt19937 random_{20260101};
  TempDir dir_;
};

TEST_F(HugeOps, AreCountedRightOrRefused) {
  int refused = 0;
  for (int i = 0; i < kTraces; ++i) {
    Sums sums;
    const std::string text = AnyTrace(sums);
    SCOPED_TRACE(text);
    ReplaySettings settings;
    ASSERT_TRUE(settings.Set(Setting::kTrace, dir_.Write("t.ioflux", text)));
    ASSERT_TRUE(settings.Set(Setting::kSideFile, dir_ / "side"));
    HostServices host;
    host.clock.now_ns = HugeNow;

    const auto session = ReplaySession::Open(settings, std::move(host));

    ASSERT_EQ(session.ok(), sums.requested <= kMaxTraceBytes);
    if (!session) {
      EXPECT_EQ(session.error().kind, ErrorKind::kRefused) << Describe(session.error());
      EXPECT_GT(session.error().where.line, 0U);
      ++refused;
      continue;
    }
    const Sums counted = Replay(*session.value());
    EXPECT_EQ(counted.requested, sums.requested);
    EXPECT_EQ(counted.moved, sums.moved);
  }
  EXPECT_GT(refused, kTraces / 10);
  EXPECT_LT(refused, kTraces * 9 / 10);
}

TEST_F(HugeOps, AreNeverPreparedBeyondTheDisk) {
  RunTargets where;
  where.on_files = true;
  where.root = FileRoot::Confined(dir_.path(), /*create=*/false).value();
  where.root_path = dir_.path();
  where.targets = {{.name = "a", .path = "a"}, {.name = "b", .path = "b"}};
  const Payload payload(Payload::Mode::kSeeded, 1);
  for (int i = 0; i < kTraces; ++i) {
    Sums sums;
    const std::string text = AnyTrace(sums);
    SCOPED_TRACE(text);
    const Result<LoadedTrace> trace = LoadTrace(dir_.Write("t.ioflux", text));
    if (!trace) continue;  // the other test's concern
    const PreparationPlan plan = PlanPreparation({.mode = PrepareMode::kMaterializeSynthetic,
                                                  .trace = &trace.value(),
                                                  .where = &where,
                                                  .payload = &payload})
                                     .value();

    const std::vector<SpaceNeed> needs = MeasureSpace(plan, trace.value(), where);

    for (const PlannedTarget& target : plan.targets) EXPECT_GE(target.size_bytes, 0);
    ASSERT_EQ(needs.size(), 1U);
    EXPECT_GE(needs[0].run_bytes, 0);
    EXPECT_GE(needs[0].prepare_bytes, plan.bytes_to_write());
    EXPECT_GE(plan.bytes_to_write(), 0);
    EXPECT_EQ(CheckSpace(needs).ok(), needs[0].prepare_bytes <= needs[0].free_bytes);
  }
}

}  // namespace
}  // namespace ioflux
