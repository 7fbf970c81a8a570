// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/rfc3339.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

TEST(Rfc3339Time, AcceptsTimes) {
  for (const char* text : {"2026-01-02T03:04:05Z", "2024-02-29T23:59:60Z", "2000-02-29T00:00:00Z",
                           "1999-12-31T23:59:59.123456789Z", "2026-01-02T03:04:05+05:30",
                           "2026-01-02T03:04:05-00:00"}) {
    EXPECT_TRUE(IsRfc3339Time(text)) << text;
  }
}

TEST(Rfc3339Time, RefusesEverythingElse) {
  for (const char* text : {"",
                           "yesterday",
                           "2026-01-02",
                           "2026-01-02 03:04:05Z",
                           "2026-01-02T03:04:05",
                           "2026-1-2T03:04:05Z",
                           "2026-13-02T03:04:05Z",
                           "2026-00-02T03:04:05Z",
                           "2026-04-31T03:04:05Z",
                           "2026-02-29T03:04:05Z",
                           "1900-02-29T03:04:05Z",
                           "2026-01-00T03:04:05Z",
                           "2026-01-02T24:04:05Z",
                           "2026-01-02T03:60:05Z",
                           "2026-01-02T03:04:61Z",
                           "2026-01-02T03:04:05.Z",
                           "2026-01-02T03:04:05ZZ",
                           "2026-01-02T03:04:05+24:00",
                           "2026-01-02T03:04:05+0530",
                           "2026-01-02t03:04:05z",
                           "2026-01-02T03:04:05,5Z"}) {
    EXPECT_FALSE(IsRfc3339Time(text)) << text;
  }
}

}  // namespace
}  // namespace ioflux
