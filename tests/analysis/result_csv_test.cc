// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/result_csv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/analysis/sample_run.h"
#include "tests/analysis/sample_trials.h"
#include "tests/support/golden.h"

namespace ioflux {
namespace {

TEST(ResultCsv, ARowOfZerosIsThatOfIoflux) {
  RunResult result;
  result.generated_at = "2024-01-01T00:00:00Z";
  result.plan.trace_path = "golden.ioflux";
  result.plan.trace_kind = "synthetic";
  result.plan.profile = "training-read";
  result.plan.engine = "mem";
  result.plan.mode = "asap";
  result.plan.num_streams = 1;
  result.plan.num_ops = 10;
  result.plan.max_inflight = 512;
  result.run_env.cache_mode = "cold";
  EXPECT_EQ(CsvRow(result),
            "2024-01-01T00:00:00Z,golden.ioflux,synthetic,training-read,mem,asap,1,10,512,cold,,,"
            "0,0,0,0,0,0,0,,0,0,0,0.000,0.000,0,0,0,0,false\n");
}

TEST(ResultCsv, IsAsTheGoldenFileSays) {
  std::string text(CsvHeader());
  for (const std::int64_t duration_ns : {91'400'000, 91'425'000})
    text += CsvRow(SampleTrial(duration_ns));
  text += CsvRow(FailedTrial(89'100'000, 3));
  ExpectGolden("analysis/reports/trials.csv", text);
}

TEST(ResultCsv, HeaderAndRowsHaveThirtyFields) {
  const std::string header(CsvHeader());
  const std::string row = CsvRow(SampleTrial(1));
  EXPECT_EQ(std::ranges::count(header, ','), 29);
  EXPECT_EQ(std::ranges::count(row, ','), 29);
}

TEST(CsvField, IsQuotedAsRfc4180Says) {
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("plain text"), "plain text");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField("cr\r"), "\"cr\r\"");
  EXPECT_EQ(CsvField(" blank"), "\" blank\"");
}

}  // namespace
}  // namespace ioflux
