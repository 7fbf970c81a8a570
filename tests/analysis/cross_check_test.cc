// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/cross_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/sample_run.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SideFileOp Op(std::int64_t count, std::int64_t bytes) {
  SideFileOp op;
  op.count = count;
  op.bytes = bytes;
  return op;
}

/// An engine with every kind of operation.
SideFile AllKinds() {
  SideFile engine;
  engine.complete = true;
  std::int64_t count = 1;
  for (const char* kind :
       {"OPEN", "READ", "WRITE", "FSYNC", "CLOSE", "STAT", "GET", "PUT", "HEAD", "DELETE"}) {
    const bool data = std::string_view("READ WRITE GET PUT").find(kind) != std::string_view::npos;
    engine.ops[kind] = Op(count, data ? count * 100 : 0);
    count *= 2;
  }
  return engine;
}

TEST(CrossCheck, CountsObjectsWithFilesAndSkipsMetadata) {
  FioOutput fio;
  fio.jobs.resize(2);
  fio.jobs[0].read = {.total_ios = 2, .io_bytes = 200, .latency = {}};
  fio.jobs[1].read = {.total_ios = 64, .io_bytes = 6400, .latency = {}};
  fio.jobs[0].write = {.total_ios = 4 + 128, .io_bytes = 400 + 12800, .latency = {}};
  fio.jobs[0].sync.total_ios = 8;

  const CrossCheck check = CompareCounts(AllKinds(), fio);

  EXPECT_TRUE(check.agrees);
  EXPECT_THAT(check.differences, IsEmpty());
  ASSERT_EQ(check.rows.size(), 3u);
  EXPECT_EQ(check.rows[0].engine_ops, 66);
  EXPECT_EQ(check.rows[0].fio_bytes, 6600);
  EXPECT_EQ(check.rows[1].engine_ops, 132);
  EXPECT_EQ(check.rows[2].name, "sync");
  EXPECT_EQ(check.rows[2].fio_ops, 8);
}

TEST(CrossCheck, EachDifferenceIsSaidInWords) {
  const SideFile engine = SampleSideFile();
  FioOutput fio = MatchingFio(engine);
  fio.jobs[0].read.total_ios -= 1;
  fio.jobs[0].read.io_bytes += 4096;
  fio.jobs[0].sync.total_ios = 2;
  fio.jobs[0].trim.total_ios = 1;

  const CrossCheck check = CompareCounts(engine, fio);

  EXPECT_FALSE(check.agrees);
  EXPECT_THAT(check.differences,
              ElementsAre("reads: the engine executed 512 operations, fio counted 511 (-1)",
                          "reads: the engine moved 134217728 bytes, fio counted 134221824 bytes "
                          "(+4096 bytes)",
                          "syncs: the engine executed 0 operations, fio counted 2 (+2)",
                          "fio counted 1 trims, which no trace has"));
  EXPECT_EQ(check.note, "");
}

TEST(CrossCheck, OfAnInterruptedRunExplainsItself) {
  SideFile engine = SampleSideFile();
  engine.complete = false;
  FioOutput fio = MatchingFio(engine);
  fio.jobs[0].read.total_ios += 1;
  const CrossCheck check = CompareCounts(engine, fio);
  EXPECT_FALSE(check.agrees);
  EXPECT_THAT(check.note, HasSubstr("in flight"));
}

TEST(CrossCheck, WithoutFioNeitherAgreesNorDiffers) {
  const CrossCheck check = NothingToCompare("fio wrote nothing");
  EXPECT_FALSE(check.agrees);
  EXPECT_EQ(check.not_compared, "fio wrote nothing");
  EXPECT_THAT(check.differences, IsEmpty());
  EXPECT_NE(NothingToCompare("").not_compared, "");
}

}  // namespace
}  // namespace ioflux
