// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/report_format.h"

#include <gtest/gtest.h>

#include "base/duration_text.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

// The unit is chosen before rounding, so the largest values of a unit may show 1000.0 of it.
TEST(ReportFormat, Durations) {
  EXPECT_EQ(FormatDuration(0), "0s");
  EXPECT_EQ(FormatDuration(999), "999ns");
  EXPECT_EQ(FormatDuration(1'049), "1.0µs");
  EXPECT_EQ(FormatDuration(1'050), "1.1µs");
  EXPECT_EQ(FormatDuration(999'949), "999.9µs");
  EXPECT_EQ(FormatDuration(999'950), "1000.0µs");
  EXPECT_EQ(FormatDuration(999'999'999), "1000.0ms");
  EXPECT_EQ(FormatDuration(1'234'567'890), "1.235s");
  EXPECT_EQ(FormatDuration(-1'500'000), "-1500000ns");
}

TEST(ReportFormat, SignedDurations) {
  EXPECT_EQ(FormatSignedDuration(0), "0s");
  EXPECT_EQ(FormatSignedDuration(1'500'000), "+1.5ms");
  EXPECT_EQ(FormatSignedDuration(-1'500'000), "-1.5ms");
}

TEST(ReportFormat, Microseconds) {
  EXPECT_EQ(FormatMicroseconds(0), "-");
  EXPECT_EQ(FormatMicroseconds(999), "1.00");
  EXPECT_EQ(FormatMicroseconds(9'999), "10.00");
  EXPECT_EQ(FormatMicroseconds(10'000), "10.0");
  EXPECT_EQ(FormatMicroseconds(999'999), "1000.0");
  EXPECT_EQ(FormatMicroseconds(1'000'000), "1000");
}

TEST(ReportFormat, Bytes) {
  EXPECT_EQ(FormatSizeHuman(1'023), "1023 B");
  EXPECT_EQ(FormatSizeHuman(1'048'575), "1024.00 KiB");
  EXPECT_EQ(FormatSizeHuman(272'000'000), "259.40 MiB");
}

TEST(ReportFormat, Counts) {
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(999.5), "1000");
  EXPECT_EQ(FormatCount(1'000), "1.0k");
  EXPECT_EQ(FormatCount(999'950), "1000.0k");
  EXPECT_EQ(FormatCount(2'345'678), "2.35M");
}

TEST(ReportFormat, Percents) {
  EXPECT_EQ(FormatPercent(12.345), "12.3%");
  EXPECT_EQ(FormatSignedPercent(6.754170084768936), "+6.8%");
  EXPECT_EQ(FormatSignedPercent(-0.06), "-0.1%");
}

TEST(ReportFormat, PaddingCountsCharactersNotBytes) {
  EXPECT_EQ(PadLeft("1.5µs", 7), "  1.5µs");
  EXPECT_EQ(PadRight("Δ", 3), "Δ  ");
  EXPECT_EQ(PadLeft("too long", 3), "too long");
}

TEST(ReportFormat, NounsFollowTheirNumber) {
  EXPECT_EQ(Counted(1, "read"), "1 read");
  EXPECT_EQ(Counted(0, "read"), "0 reads");
}

}  // namespace
}  // namespace ioflux
