// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/generated_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trace_tools/generate/training_read.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

GeneratedTrace Small() {
  Result<GeneratedTrace> trace =
      GenerateTrainingRead({.shards = 1, .shard_bytes = 10, .record_bytes = 10, .seed = 7});
  EXPECT_TRUE(trace);
  return std::move(trace).value();
}

class FullSink final : public ByteSink {
 public:
  Result<void> Write(std::string_view) override {
    return Error{.kind = ErrorKind::kIo, .what = "no space"};
  }
};

TEST(WriteGeneratedTrace, WritesTheHeaderThenOneLineAnOp) {
  StringSink sink;

  ASSERT_TRUE(WriteGeneratedTrace(Small(), sink));

  EXPECT_TRUE(sink.text().starts_with("{\"ioflux_trace_version\":1,"));
  EXPECT_EQ(std::count(sink.text().begin(), sink.text().end(), '\n'),
            1 + Small().header.summary.num_ops);
}

TEST(WriteGeneratedTrace, TraceThatBreaksTheFormatIsAFailure) {
  GeneratedTrace miscounted = Small();
  ++miscounted.header.summary.num_ops;
  GeneratedTrace without_targets = Small();
  without_targets.header.targets.clear();

  for (GeneratedTrace* trace : {&miscounted, &without_targets}) {
    StringSink sink;
    const Result<void> written = WriteGeneratedTrace(std::move(*trace), sink);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::kFailed);
    EXPECT_THAT(written.error().what, HasSubstr("breaks its format"));
  }
}

TEST(WriteGeneratedTrace, ErrorOfTheSinkIsHandedUp) {
  FullSink sink;

  const Result<void> written = WriteGeneratedTrace(Small(), sink);

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
