// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/timing_model.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ioflux {
namespace {

TEST(TimingModel, DurationIsLatencyPlusBytesOverBandwidth) {
  const TimingModel both{.bandwidth_bytes_per_s = 1'000'000, .latency_ns = 500};

  EXPECT_EQ(both.DurationNs(0), 500);
  EXPECT_EQ(both.DurationNs(1), 1500);
  EXPECT_EQ(both.DurationNs(1'000'000), 1'000'000'500);
  EXPECT_EQ((TimingModel{.latency_ns = 7}.DurationNs(4096)), 7);
  EXPECT_EQ((TimingModel{.bandwidth_bytes_per_s = 3}.DurationNs(2)), 666'666'667);
  EXPECT_EQ(TimingModel{}.DurationNs(4096), 0);
}

TEST(TimingModel, WhatDoesNotFitIsTheLargestDuration) {
  const TimingModel slow{.bandwidth_bytes_per_s = 1, .latency_ns = INT64_MAX};

  EXPECT_EQ(slow.DurationNs(1), INT64_MAX);
  EXPECT_EQ((TimingModel{.bandwidth_bytes_per_s = 1}.DurationNs(INT64_MAX)), INT64_MAX);
}

TEST(TimingModel, RefusesABandwidthOfZeroAndANegativeLatency) {
  EXPECT_TRUE(CheckTimingModel({}));
  EXPECT_EQ(Describe(CheckTimingModel({.bandwidth_bytes_per_s = 0}).error()),
            "--model-bandwidth: it must be above 0, but it is 0");
  EXPECT_EQ(Describe(CheckTimingModel({.latency_ns = -1}).error()),
            "--model-latency: it must be at least 0, but it is -1");
}

TEST(TimingModel, TextNamesWhatIsGiven) {
  EXPECT_EQ(TimingModel{}.Text(), "");
  EXPECT_EQ((TimingModel{.bandwidth_bytes_per_s = 100 << 20, .latency_ns = 1'000'000}.Text()),
            "100MiB/s, latency 1.0ms");
}

}  // namespace
}  // namespace ioflux
