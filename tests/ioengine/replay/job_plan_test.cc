// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ioflux {
namespace {

ReplaySettings With(const std::string& io, const std::string& streams_per_job) {
  ReplaySettings settings;
  EXPECT_TRUE(settings.Set(Setting::kTrace, "t.ioflux"));
  EXPECT_TRUE(settings.Set(Setting::kIo, io));
  EXPECT_TRUE(settings.Set(Setting::kStreamsPerJob, streams_per_job));
  return settings;
}

TEST(JobPlan, PsyncGivesEveryStreamAJob) {
  EXPECT_EQ(PlanJobs(With("psync", "auto"), 100, 2), 100U);
  EXPECT_EQ(PlanJobs(With("psync", "1"), 100, 2), 100U);
}

TEST(JobPlan, UringGivesEveryProcessorAJobUnlessTold) {
  EXPECT_EQ(PlanJobs(With("uring", "auto"), 100, 4), 4U);
  EXPECT_EQ(PlanJobs(With("uring", "auto"), 3, 4), 3U);
  EXPECT_EQ(PlanJobs(With("uring", "auto"), 3, 0), 1U);
  EXPECT_EQ(PlanJobs(With("uring", "30"), 100, 4), 4U);
  EXPECT_EQ(PlanJobs(With("uring", "25"), 100, 1), 4U);
  EXPECT_EQ(PlanJobs(With("uring", "1000"), 100, 4), 1U);
}

TEST(JobPlan, WhatTheWriterPlansTheEngineAccepts) {
  for (const char* io : {"psync", "uring"}) {
    for (const std::uint32_t streams : {1U, 7U, 100U}) {
      for (const std::uint32_t processors : {1U, 2U, 64U}) {
        const ReplaySettings settings = With(io, "auto");
        EXPECT_TRUE(CheckJobs(settings, streams, PlanJobs(settings, streams, processors)));
      }
    }
  }
}

TEST(JobPlan, AWrongNumberOfJobsIsRefusedWithTheRightOne) {
  for (const auto& [settings, jobs, right] : {std::tuple{With("psync", "auto"), 1U, "numjobs=4"},
                                              std::tuple{With("uring", "2"), 3U, "numjobs=2"},
                                              std::tuple{With("uring", "auto"), 5U, "numjobs=4"}}) {
    const Result<void> checked = CheckJobs(settings, 4, jobs);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
    EXPECT_NE(checked.error().mend.find(right), std::string::npos) << checked.error().mend;
  }
}

TEST(JobPlan, EveryStreamHasExactlyOneJob) {
  for (const std::uint32_t jobs : {1U, 3U, 10U}) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t job = 0; job < jobs; ++job) {
      for (const std::uint32_t stream : StreamsOfJob(job, jobs, 10)) all.push_back(stream);
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
}

TEST(JobPlan, ManyStreamsInAPsyncJobAreRefused) {
  EXPECT_FALSE(With("psync", "2").CheckCombination());
  EXPECT_TRUE(With("uring", "2").CheckCombination());
}

}  // namespace
}  // namespace ioflux
