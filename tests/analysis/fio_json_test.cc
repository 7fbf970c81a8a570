// SPDX-License-Identifier: GPL-2.0-only
//
// The fixtures under tests/data/analysis/fio are what fio 3.33 wrote, less what is not read.
#include "analysis/fio_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

std::string FixturePath(const std::string& name) {
  return std::string(IOFLUX_TEST_DATA) + "/analysis/fio/" + name;
}

FioOutput ReadFixture(const std::string& name) {
  const Result<FioOutput> output = ReadFioOutput(FixturePath(name));
  EXPECT_TRUE(output.ok()) << Describe(output.error());
  return output ? output.value() : FioOutput{};
}

std::string ErrorOf(std::string_view text) {
  const Result<FioOutput> output = ParseFioOutput(text, "fio.json");
  EXPECT_FALSE(output.ok());
  return output ? "" : Describe(output.error());
}

TEST(FioJson, JobsOfProcessesAddUp) {
  const FioOutput output = ReadFixture("processes.json");
  EXPECT_EQ(output.version, "fio-3.33");
  ASSERT_EQ(output.jobs.size(), 3u);
  EXPECT_EQ(output.jobs[0].name, "mixed");
  EXPECT_EQ(output.jobs[2].name, "sync");
  EXPECT_EQ(output.jobs[2].write.io_bytes, 65'536);
  EXPECT_EQ(output.jobs[2].sync.total_ios, 3);

  const FioJob totals = output.Totals();
  EXPECT_EQ(totals.read.total_ios, 14);
  EXPECT_EQ(totals.read.io_bytes, 14 * 4096);
  EXPECT_EQ(totals.write.total_ios, 34);
  EXPECT_EQ(totals.sync.total_ios, 3);
  EXPECT_EQ(totals.trim.total_ios, 0);
}

TEST(FioJson, GroupedThreadsHoldTheSameCounts) {
  const FioOutput output = ReadFixture("threads_grouped.json");
  ASSERT_EQ(output.jobs.size(), 1u);
  const FioJob totals = output.Totals();
  EXPECT_EQ(totals.read.total_ios, 14);
  EXPECT_EQ(totals.write.total_ios, 34);
  EXPECT_EQ(totals.sync.total_ios, 3);
}

TEST(FioJson, BinsSumUpToTheSampleCount) {
  for (const char* name : {"processes.json", "threads_grouped.json"}) {
    const FioJob totals = ReadFixture(name).Totals();
    EXPECT_EQ(totals.read.latency.Histogram().count(), totals.read.latency.count) << name;
    EXPECT_EQ(totals.write.latency.Histogram().count(), totals.write.latency.count) << name;
    EXPECT_EQ(totals.sync.latency.Histogram().count(), totals.sync.latency.count) << name;
    EXPECT_EQ(totals.read.latency.count, 14u) << name;
  }
}

TEST(FioJson, WithoutBinsIsReadTheSame) {
  const FioJob totals = ReadFixture("plain_json.json").Totals();
  EXPECT_EQ(totals.read.total_ios, 14);
  EXPECT_EQ(totals.read.latency.count, 14u);
  EXPECT_TRUE(totals.read.latency.bins.empty());
}

TEST(FioJson, MessagesBeforeTheDocumentAreSkipped) {
  const FioOutput output = ReadFixture("interrupted.json");
  ASSERT_EQ(output.jobs.size(), 1u);
  EXPECT_EQ(output.jobs[0].read.total_ios, 125);
  EXPECT_EQ(output.jobs[0].job_runtime_ms, 1250);
}

TEST(FioJson, BracesInMessagesStartNoDocument) {
  const Result<FioOutput> output =
      ParseFioOutput("fio: bad option <x={1}>\n{\"fio version\":\"fio-3.33\",\"jobs\":[]}\n", "f");
  ASSERT_TRUE(output.ok()) << Describe(output.error());
  EXPECT_EQ(output.value().version, "fio-3.33");
}

TEST(FioJson, BytesOfPathsThatNoJsonHasAreNoHindrance) {
  std::string text = ReadFileForTest(FixturePath("processes.json"));
  text.insert(text.find('{') + 1, "\"global options\" : {\"trace\" : \"/a\x01\t\x1f\xff\xc3/b\"},");
  const Result<FioOutput> output = ParseFioOutput(text, "fio.json");
  ASSERT_TRUE(output) << Describe(output.error());
  EXPECT_EQ(output.value().jobs.size(), 3u);
}

TEST(FioJson, OfSeveralDocumentsTheLastCounts) {
  const FioOutput output = ReadFixture("status_interval.json");
  EXPECT_EQ(output.Totals().read.total_ios, 2'560);
}

TEST(FioJson, TheSumOfAllClientsIsNoJob) {
  const FioOutput output = ReadFixture("two_clients.json");
  ASSERT_EQ(output.jobs.size(), 2u);
  EXPECT_EQ(output.jobs[0].hostname, "127.0.0.1");
  EXPECT_EQ(output.Totals().read.total_ios, 32);
}

TEST(FioJson, ErrorsOfAJobAreKept) {
  const FioOutput output = ReadFixture("failed.json");
  ASSERT_EQ(output.jobs.size(), 1u);
  EXPECT_EQ(output.jobs[0].error, 28);  // ENOSPC
  EXPECT_EQ(output.Totals().error, 28);
}

TEST(FioJson, ReadsAndWritesInOneFigureAreRefused) {
  const Result<FioOutput> output = ReadFioOutput(FixturePath("unified.json"));
  ASSERT_FALSE(output.ok());
  EXPECT_THAT(Describe(output.error()), HasSubstr("unified_rw_reporting=none"));
}

TEST(FioJson, EmptyOutputSaysSo) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("fio wrote nothing"));
  EXPECT_THAT(ErrorOf(" \n\n"), HasSubstr("fio wrote nothing"));
  EXPECT_THAT(ErrorOf("fio: engine not loadable\n"), HasSubstr("no JSON document"));
}

TEST(FioJson, ACutDocumentSaysSoWhereverItIsCut) {
  const std::string whole = ReadFileForTest(FixturePath("processes.json"));
  const std::size_t last_brace = whole.rfind('}');
  for (std::size_t length = 1; length <= last_brace; length += 97) {
    EXPECT_THAT(ErrorOf(whole.substr(0, length)), HasSubstr("cut short")) << length;
  }
  EXPECT_THAT(ErrorOf(whole.substr(0, last_brace)), HasSubstr("cut short"));
}

TEST(FioJson, OfAnotherProgramIsRefused) {
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("not fio's"));
  EXPECT_THAT(ErrorOf(R"({"fio version":"fio-3.33"})"), HasSubstr("not fio's"));
}

TEST(FioJson, AMissingCounterNamesItsPath) {
  EXPECT_THAT(ErrorOf(R"({"fio version":"f","jobs":[{"jobname":"j","error":0,"read":{}}]})"),
              HasSubstr("jobs[0].read.total_ios"));
}

TEST(FioJson, ABinThatIsNoNumberIsRefused) {
  EXPECT_THAT(ErrorOf(R"({"fio version":"f","jobs":[{"jobname":"j","error":0,"read":{)"
                      R"("total_ios":1,"io_bytes":1,"runtime":1,"clat_ns":{"N":1,)"
                      R"("bins":{"17179869184":1}}}}]})"),
              HasSubstr("no latency bucket"));
}

TEST(FioJson, MergedLatenciesKeepExtremesAndMean) {
  FioOutput output;
  output.jobs.resize(3);
  output.jobs[0].read.latency = {
      .count = 1, .min_ns = 10, .max_ns = 10, .mean_ns = 10, .bins = {{10, 1}}};
  output.jobs[2].read.latency = {
      .count = 3, .min_ns = 2, .max_ns = 40, .mean_ns = 20, .bins = {{2, 1}, {10, 1}, {40, 1}}};

  const FioLatency sum = output.Totals().read.latency;

  EXPECT_EQ(sum.count, 4u);
  EXPECT_EQ(sum.min_ns, 2);
  EXPECT_EQ(sum.max_ns, 40);
  EXPECT_DOUBLE_EQ(sum.mean_ns, 17.5);
  EXPECT_THAT(sum.bins,
              ::testing::ElementsAre(std::pair(2, 1u), std::pair(10, 2u), std::pair(40, 1u)));
}

// Every document in the sample collection is read, and its bins add up to its own sample counts.
TEST(FioJson, SampleCollectionIsRead) {
  const char* given = std::getenv("IOFLUX_SAMPLES");
  const std::filesystem::path folder =
      std::filesystem::path(given != nullptr ? given : IOFLUX_SOURCE_DIR "/../shared/samples") /
      "hist";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no samples at " << folder;
  int documents = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const Result<FioOutput> output = ReadFioOutput(entry.path().string());
    ASSERT_TRUE(output.ok()) << Describe(output.error());
    ++documents;
    for (const FioJob& job : output.value().jobs) {
      for (const FioDirection* direction : {&job.read, &job.write, &job.trim}) {
        const FioLatency& latency = direction->latency;
        if (latency.bins.empty()) continue;  // clat_percentiles=0
        EXPECT_EQ(latency.Histogram().count(), latency.count) << entry.path();
      }
    }
  }
  EXPECT_GE(documents, 20);
}

}  // namespace
}  // namespace ioflux
