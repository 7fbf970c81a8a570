// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_control.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace ioflux {
namespace {

std::int64_t Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

constexpr HostClock kClock{.now_ns = Now};
constexpr StopQuestion kNever{};
constexpr StopQuestion kAlways{.ask = [](void*) { return true; }};

TEST(CommonStart, IsTheSameForAllJobsAndNotBeforeTheLastCame) {
  RunControl control = RunControl::Create(512).value();
  constexpr int kJobs = 16;
  for (int i = 0; i < kJobs; ++i) control.Expect();
  std::vector<std::int64_t> starts(kJobs);
  std::vector<std::thread> jobs;
  for (std::size_t i = 1; i < kJobs; ++i) {
    jobs.emplace_back([&, i] { starts[i] = control.AwaitStart(kClock, kNever).value_or(-1); });
  }
  const std::int64_t last_came_ns = Now();
  starts[0] = control.AwaitStart(kClock, kNever).value_or(-1);
  for (std::thread& job : jobs) job.join();

  EXPECT_EQ(std::set(starts.begin(), starts.end()).size(), 1U);
  EXPECT_GE(starts[0], last_came_ns);
}

TEST(CommonStart, HoldsAcrossForkedProcesses) {
  RunControl control = RunControl::Create(512).value();
  control.Expect();
  control.Expect();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::int64_t start_ns = control.AwaitStart(kClock, kNever).value_or(-1);
    _exit(write(ends[1], &start_ns, sizeof start_ns) == sizeof start_ns ? 0 : 1);
  }
  const std::int64_t here_ns = control.AwaitStart(kClock, kNever).value_or(-2);
  std::int64_t there_ns = 0;
  ASSERT_EQ(read(ends[0], &there_ns, sizeof there_ns), static_cast<ssize_t>(sizeof there_ns));
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);

  EXPECT_EQ(status, 0);
  EXPECT_EQ(there_ns, here_ns);
}

TEST(CommonStart, DoesNotWaitForAJobThatLeft) {
  RunControl control = RunControl::Create(512).value();
  control.Expect();
  control.Expect();
  std::thread job([&] { EXPECT_TRUE(control.AwaitStart(kClock, kNever).has_value()); });
  control.Leave();
  job.join();
}

TEST(CommonStart, IsGivenUpWhenToldToStop) {
  RunControl control = RunControl::Create(512).value();
  control.Expect();
  control.Expect();
  EXPECT_EQ(control.AwaitStart(kClock, kAlways), std::nullopt);
}

TEST(InflightLimit, IsNeverExceeded) {
  constexpr std::uint32_t kLimit = 4;
  RunControl control = RunControl::Create(kLimit).value();
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::vector<std::thread> jobs;
  for (int i = 0; i < 16; ++i) {
    jobs.emplace_back([&] {
      for (int op = 0; op < 200; ++op) {
        ASSERT_TRUE(control.TakeSlot(kClock, kNever));
        const int depth = ++inside;
        int seen = most;
        while (depth > seen && !most.compare_exchange_weak(seen, depth)) {
        }
        std::this_thread::yield();
        --inside;
        control.GiveSlot();
      }
    });
  }
  for (std::thread& job : jobs) job.join();

  EXPECT_LE(most, static_cast<int>(kLimit));
  EXPECT_LE(control.peak_inflight(), kLimit);
  EXPECT_GE(control.peak_inflight(), static_cast<std::uint32_t>(most.load()));
}

TEST(InflightLimit, AFreeSlotIsNoBacklog) {
  RunControl control = RunControl::Create(1).value();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(control.TakeSlot(kClock, kNever));
    control.GiveSlot();
  }
  EXPECT_EQ(control.backlog_events(), 0U);
  EXPECT_EQ(control.backlog_blocked_ns(), 0U);
}

TEST(InflightLimit, AWaitIsCountedWithItsTime) {
  RunControl control = RunControl::Create(1).value();
  ASSERT_TRUE(control.TakeSlot(kClock, kNever));
  std::atomic<bool> waiting{false};
  std::thread job([&] {
    waiting = true;
    EXPECT_TRUE(control.TakeSlot(kClock, kNever));
    control.GiveSlot();
  });
  while (!waiting) std::this_thread::yield();
  // The slot may come before the thread asks; then there is nothing to count, but never a guess.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  control.GiveSlot();
  job.join();
  if (control.backlog_events() == 0) GTEST_SKIP() << "the machine was too busy to make it wait";
  EXPECT_EQ(control.backlog_events(), 1U);
  EXPECT_GT(control.backlog_blocked_ns(), 0U);
}

TEST(InflightLimit, AStoppedWaiterDoesNotHoldUpTheOthers) {
  RunControl control = RunControl::Create(1).value();
  ASSERT_TRUE(control.TakeSlot(kClock, kNever));
  EXPECT_FALSE(control.TakeSlot(kClock, kAlways));
  control.GiveSlot();
  EXPECT_TRUE(control.TakeSlot(kClock, kNever));
}

TEST(RunAbort, TheFirstReasonStands) {
  RunControl control = RunControl::Create(1).value();
  EXPECT_FALSE(control.aborted());
  control.Abort(AbortReason::kLag);
  control.Abort(AbortReason::kError);
  EXPECT_TRUE(control.aborted());
  EXPECT_EQ(control.abort_reason(), AbortReason::kLag);
}

}  // namespace
}  // namespace ioflux
