// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/cache_words.h"
#include "tests/analysis/sample_run.h"

namespace ioflux {
namespace {

using testing::HasSubstr;

SideFileCache Sample() { return SampleSideFile().cache; }

RunEnvironment Environment(const SideFileCache& cache) {
  RunEnvironment environment;
  environment.cache_mode = cache.mode;
  environment.cache_evidence = EvidenceOf(cache);
  return environment;
}

TEST(JoinCache, BytesOfProcessesAddUpAndDevicesSpanAllOfThem) {
  SideFileCache sum = Sample();
  SideFileCache part = Sample();
  const std::int64_t read = *part.device.process_read_bytes;
  part.device.devices[0].read_bytes_before -= 100;
  part.device.devices[0].read_bytes_after += 11;

  JoinCache(sum, part, /*part_ends_later=*/false);

  EXPECT_EQ(sum.device.process_read_bytes, 2 * read);
  ASSERT_EQ(sum.device.devices.size(), 1U);
  const BlockDeviceBytes device = EvidenceOf(sum).device.devices[0];
  EXPECT_EQ(device.read_bytes, EvidenceOf(Sample()).device.devices[0].read_bytes + 111);
}

TEST(JoinCache, AProcessWithoutAFigureLeavesTheSumWithout) {
  SideFileCache sum = Sample();
  SideFileCache part = Sample();
  part.device.process_read_bytes.reset();
  JoinCache(sum, part, false);
  EXPECT_FALSE(sum.device.process_read_bytes);
}

TEST(JoinCache, TheEndIsThatOfTheLastProcess) {
  SideFileCache sum = Sample();
  SideFileCache part = Sample();
  part.residency.at_end->resident_pages = 7;
  JoinCache(sum, part, /*part_ends_later=*/false);
  EXPECT_NE(sum.residency.at_end->resident_pages, 7);
  JoinCache(sum, part, /*part_ends_later=*/true);
  EXPECT_EQ(sum.residency.at_end->resident_pages, 7);
}

TEST(CacheWords, SayWhatWasMeasured) {
  EXPECT_EQ(CacheWords(Environment(Sample())),
            "cold; resident pages 2/32768 (0.0%) at the start, 32768/32768 (100.0%) at the end; "
            "127.99 MiB read from the device, 0 B written");
}

TEST(CacheWords, SayWhatWasNotAndWhy) {
  SideFileCache cache;
  cache.mode = "warm";
  cache.residency.not_measured = "tmpfs keeps its files in memory";
  cache.device.not_measured = "tmpfs has no device";
  EXPECT_EQ(CacheWords(Environment(cache)),
            "warm; residency not measured (tmpfs keeps its files in memory); device bytes not "
            "measured (tmpfs has no device)");
  cache.device.not_measured = cache.residency.not_measured = "the back end has no files";
  EXPECT_EQ(CacheWords(Environment(cache)), "warm; nothing measured (the back end has no files)");
}

TEST(CacheWords, FallBackToTheDeviceWhenTheProcessIsNotToBeHad) {
  SideFileCache cache = Sample();
  cache.device.process_read_bytes.reset();
  EXPECT_THAT(CacheWords(Environment(cache)), HasSubstr("read from nvme0n1p2 by everybody"));
}

TEST(CacheWords, AModeOfNoneIsLeftAsFound) {
  RunEnvironment environment = Environment(Sample());
  environment.cache_mode.clear();
  EXPECT_THAT(CacheWords(environment), HasSubstr("left as found; resident pages 2/"));
  environment.cache_evidence.reset();
  EXPECT_EQ(CacheWords(environment), "");
}

}  // namespace
}  // namespace ioflux
