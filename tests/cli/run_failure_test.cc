// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

using ::testing::HasSubstr;

FioEnd Ended(int exit_status, int signal, std::string messages) {
  FioEnd end;
  end.exit_status = exit_status;
  end.signal = signal;
  end.messages = std::move(messages);
  return end;
}

TEST(RunFailure, TheEngineHasTheWordAndIsHeardOnce) {
  const std::string ours = "ioflux: t.ioflux: it is broken\n  try: mend it\n";
  const Error error =
      NoResult(Ended(1, 0, "fio: hm\n" + ours + "fio: pid=0, err=22\n" + ours), 0, {});
  EXPECT_EQ(error.kind, ErrorKind::kFailed);
  EXPECT_EQ(error.what, "t.ioflux: it is broken");
  EXPECT_EQ(error.mend, "mend it");
}

TEST(RunFailure, WithoutTheEngineFioHasTheWordAndElseItsEnd) {
  EXPECT_EQ(NoResult(Ended(1, 0, "fio: no such engine\n"), 0, {}).what, "fio: no such engine");
  EXPECT_EQ(NoResult(Ended(-1, 11, ""), 0, {}).what, "fio was ended by signal 11");
  EXPECT_EQ(NoResult(Ended(3, 0, ""), 0, {}).what, "fio ended with 3 and without a message");
}

TEST(RunFailure, AnInterruptedRunSaysWhatItWasAt) {
  const auto what = [](const FioEnd& end, const ProgressTotals& progress) {
    return NoResult(end, /*stop_requests=*/1, progress).what;
  };
  const std::string start = "the run was interrupted before its first operation, while ";
  EXPECT_EQ(what(Ended(1, 0, "ioflux: stopped while loading the trace\nfio: pid=0\n"), {}),
            start + "loading the trace");
  EXPECT_EQ(what(Ended(1, 0, "ioflux: stopped while preparing the targets\n"), {}),
            start + "preparing the targets");
  EXPECT_EQ(what(Ended(-1, 2, ""), {}), start + "fio started");
  EXPECT_EQ(what(Ended(128, 0, "\nfio: terminating on signal 2\n"), {.planned_ops = 5}),
            start + "fio started its jobs");
}

TEST(RunFailure, ARefusalIsSaidThoughTheRunWasInterruptedToo) {
  EXPECT_EQ(NoResult(Ended(1, 0, "ioflux: no rule matches\n"), 1, {}).what, "no rule matches");
}

TEST(RunFailure, ARunEndedByForceSaysHowFarItWas) {
  const Error error = NoResult(Ended(-1, 9, ""), 2, {.planned_ops = 9, .ops = 7});
  EXPECT_THAT(error.what, HasSubstr("ended by force after 7 operation(s)"));
  EXPECT_FALSE(error.mend.empty());
}

}  // namespace
}  // namespace ioflux
