// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/derived_values.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

std::vector<OpLatency> Counts(std::initializer_list<std::pair<const char*, std::int64_t>> counts) {
  std::vector<OpLatency> rows;
  for (const auto& [kind, count] : counts) rows.push_back({.op_type = kind, .count = count});
  return rows;
}

TEST(Rates, AreTotalsOverTheDuration) {
  EXPECT_DOUBLE_EQ(OpsPerSecond(1024, 2'500'000'000), 409.6);
  EXPECT_DOUBLE_EQ(GibPerSecond(67'108'864, 2'500'000'000), 0.025);
  EXPECT_NEAR(OpsPerSecond(1152, 91'425'000), 12'600.492, 0.0005);
  EXPECT_NEAR(GibPerSecond(272'000'000, 91'425'000), 2.771, 0.0005);
}

TEST(Rates, AreZeroWithoutADuration) {
  EXPECT_EQ(OpsPerSecond(10, 0), 0);
  EXPECT_EQ(GibPerSecond(10, -1), 0);
}

TEST(DominantDataOp, IsTheMostFrequentDataOperation) {
  EXPECT_EQ(DominantDataOp(Counts({{"WRITE", 1}, {"READ", 10}, {"OPEN", 100}})), "READ");
  EXPECT_EQ(DominantDataOp(Counts({{"GET", 3}, {"PUT", 2}})), "GET");
}

TEST(DominantDataOp, TiesGoInTheOrderWriteReadPutGet) {
  EXPECT_EQ(DominantDataOp(Counts({{"READ", 10}, {"WRITE", 10}})), "WRITE");
  EXPECT_EQ(DominantDataOp(Counts({{"GET", 10}, {"PUT", 10}})), "PUT");
}

TEST(DominantDataOp, IsNoneWithoutDataOperations) {
  EXPECT_EQ(DominantDataOp(Counts({{"OPEN", 3}})), "");
  EXPECT_EQ(DominantDataOp({}), "");
}

}  // namespace
}  // namespace ioflux
