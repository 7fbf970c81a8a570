// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/progress_file.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

TEST(ProgressFile, AReaderSeesTheSumOverJobs) {
  const TempDir dir;
  Result<ProgressFile> file =
      ProgressFile::Create(dir / "p", /*jobs=*/2, /*planned_ops=*/10, /*planned_bytes=*/100);
  ASSERT_TRUE(file);
  file.value().slot(0)->ops = 3;
  file.value().slot(0)->bytes = 30;
  file.value().slot(1)->ops = 4;

  const ProgressTotals totals = ReadProgress(dir / "p");

  EXPECT_EQ(totals.planned_ops, 10U);
  EXPECT_EQ(totals.planned_bytes, 100U);
  EXPECT_EQ(totals.ops, 7U);
  EXPECT_EQ(totals.bytes, 30U);
}

TEST(ProgressFile, NoFileOrAForeignOneReadsAsNothing) {
  const TempDir dir;
  dir.Write("foreign", std::string(256, 'x'));
  EXPECT_EQ(ReadProgress(dir / "missing").planned_ops, 0U);
  EXPECT_EQ(ReadProgress(dir / "foreign").planned_ops, 0U);
}

TEST(ProgressFile, WithoutAFileThereIsNoSlot) { EXPECT_EQ(ProgressFile().slot(0), nullptr); }

}  // namespace
}  // namespace ioflux
