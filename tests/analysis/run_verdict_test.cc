// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/run_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/analysis/sample_run.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult Valid() { return CollectResult(SampleInput()).value(); }

TEST(InvalidReasons, AreFailuresThenOverflows) {
  RunResult result = Valid();
  EXPECT_THAT(InvalidReasons(result), IsEmpty());

  result.errors = 12;
  result.short_reads = 12;
  result.histogram_overflows = 2;

  EXPECT_THAT(InvalidReasons(result),
              ElementsAre(HasSubstr("12 operation failure(s), including 12 read(s)"),
                          HasSubstr("2 latency sample(s)")));
}

TEST(InvalidReasons, DoNotCountLowFidelityGapsOrFio) {
  RunResult result = Valid();
  result.complete = false;
  result.fidelity.low_fidelity = true;
  result.fio.cross_check.agrees = false;
  result.fio.exit_status = 1;
  EXPECT_THAT(InvalidReasons(result), IsEmpty());
}

TEST(Warnings, OfACleanRunAreNone) { EXPECT_THAT(Warnings(Valid()), IsEmpty()); }

TEST(Warnings, KeepTheirOrder) {
  RunResult result = Valid();
  result.errors = 2;
  result.short_reads = 1;
  result.histogram_overflows = 1;
  result.fio.cross_check = NothingToCompare("gone");
  result.fio.exit_status = 130;
  result.plan.confined = false;
  result.run_env.engine_limitations = {"e"};
  result.run_env.cache_limitations = {"c"};

  EXPECT_THAT(Warnings(result),
              ElementsAre(HasSubstr("2 of 520 operations failed"),
                          HasSubstr("1 read moved another number of bytes"),
                          HasSubstr("1 latency sample of"), HasSubstr("gone"),
                          HasSubstr("fio ended with status 130"), HasSubstr("UNCONFINED"),
                          HasSubstr("engine: e"), HasSubstr("cache: c")));
}

TEST(Warnings, SayThatStreamsRanMoreThanOnce) {
  RunResult result = Valid();
  result.per_stream[1].ops *= 2;
  const std::int64_t more = result.per_stream[1].ops / 2;
  result.ops_completed += more;
  result.op_totals[0].count += more;
  result.per_op_stats[0].count += more;
  EXPECT_THAT(Warnings(result), ElementsAre(HasSubstr("1 of 4 streams ran more than once")));
}

TEST(OrderHint, NamesTheCureWhenStreamsMayHaveRunPastEachOther) {
  RunResult result = Valid();
  EXPECT_EQ(OrderHint(result), "") << "nothing failed";
  FailedOp missing;
  missing.errno_value = ENOENT;
  result.error_details.first.push_back(missing);
  result.settings["order"] = "stream";
  EXPECT_THAT(OrderHint(result), HasSubstr("--order causal"));
  result.settings["order"] = "causal";
  EXPECT_EQ(OrderHint(result), "");
  result.settings["order"] = "stream";
  result.plan.num_streams = 1;
  EXPECT_EQ(OrderHint(result), "") << "a single stream has nobody to wait for";
  result.plan.num_streams = 2;
  result.error_details.first[0].errno_value = ENOSPC;
  EXPECT_EQ(OrderHint(result), "") << "a full disk has nothing to do with order";
}

TEST(SettingWords, NameWhatTheRunRecorded) {
  RunResult result = Valid();
  result.settings["io"] = "uring";
  EXPECT_EQ(SettingWords(result, "io"), "  io: uring");
  EXPECT_EQ(SettingWords(result, "unknown"), "");
}

TEST(ConfinementWords, SayWhatHeldTheReplay) {
  RunPlan plan;
  plan.engine = "local";
  EXPECT_THAT(ConfinementWords(plan), HasSubstr("UNCONFINED"));
  plan.confined = true;
  plan.target_root = "/srv/replay";
  EXPECT_EQ(ConfinementWords(plan), "confined to /srv/replay");
  plan.engine = "mem";
  EXPECT_THAT(ConfinementWords(plan), HasSubstr("touches no file"));
}

TEST(CrossCheckWords, NameWhatWasCompared) {
  const RunResult result = Valid();
  EXPECT_EQ(CrossCheckWords(result.fio.cross_check), "agrees: 512 reads, 128.00 MiB");
  CrossCheck none;
  none.agrees = true;
  EXPECT_EQ(CrossCheckWords(none), "agrees: no reads, writes or syncs");
  EXPECT_EQ(CrossCheckWords(NothingToCompare("gone")), "COULD NOT BE COMPARED: gone");
}

}  // namespace
}  // namespace ioflux
