// SPDX-License-Identifier: GPL-2.0-only
#include "base/histogram_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ioflux {
namespace {

using ::testing::HasSubstr;

Result<LatencyHistogram> Read(std::string_view text) {
  const Result<JsonValue> json = JsonValue::Parse(text, "side.json");
  EXPECT_TRUE(json.ok()) << text;
  return HistogramFromJson(json.value());
}

TEST(HistogramJson, SurvivesWritingAndReading) {
  LatencyHistogram histogram;
  for (const std::int64_t value_ns : {0L, 1L, 127L, 128L, 999'999L, 17'000'000'000L}) {
    histogram.Add(value_ns);
  }
  histogram.Add(LatencyHistogram::kLimitNs);  // off the scale, exact in sum and max all the same

  const Result<LatencyHistogram> back = HistogramFromJson(HistogramToJson(histogram));

  ASSERT_TRUE(back.ok()) << Describe(back.error());
  EXPECT_EQ(back.value(), histogram);
  EXPECT_EQ(back.value().overflow(), 1u);
  EXPECT_EQ(back.value().max_ns(), LatencyHistogram::kLimitNs);
}

TEST(HistogramJson, OfNoSamplesSurvivesToo) {
  const Result<LatencyHistogram> back = HistogramFromJson(HistogramToJson(LatencyHistogram{}));
  ASSERT_TRUE(back.ok()) << Describe(back.error());
  EXPECT_EQ(back.value(), LatencyHistogram{});
}

TEST(HistogramJson, RefusesACountThatItsBinsDoNotReach) {
  const Result<LatencyHistogram> bad =
      Read(R"({"count":3,"sum_ns":20,"min_ns":10,"max_ns":10,"overflow":0,"bins":[[10,2]]})");
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(Describe(bad.error()), HasSubstr("the bins hold 2 samples but `count` says 3"));
}

TEST(HistogramJson, RefusesABucketThatDoesNotExist) {
  const Result<LatencyHistogram> bad =
      Read(R"({"count":1,"sum_ns":20,"min_ns":10,"max_ns":10,"overflow":0,"bins":[[1856,1]]})");
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(Describe(bad.error()), HasSubstr("bins[0]"));
  EXPECT_THAT(Describe(bad.error()), HasSubstr("no bucket 1856"));
}

TEST(HistogramJson, RefusesNegativeCounts) {
  EXPECT_FALSE(
      Read(R"({"count":-1,"sum_ns":0,"min_ns":0,"max_ns":0,"overflow":0,"bins":[]})").ok());
  EXPECT_FALSE(
      Read(R"({"count":0,"sum_ns":0,"min_ns":0,"max_ns":0,"overflow":0,"bins":[[1,-1],[2,1]]})")
          .ok());
}

TEST(HistogramJson, RefusesABinThatIsNoPair) {
  const Result<LatencyHistogram> bad =
      Read(R"({"count":1,"sum_ns":0,"min_ns":0,"max_ns":0,"overflow":0,"bins":[[1]]})");
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.error().what, HasSubstr("[bucket, count]"));
}

}  // namespace
}  // namespace ioflux
