// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/sample_run.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

/// The sample with the first `from` replaced by `to`.
std::string SampleWith(std::string_view from, std::string_view to) {
  std::string text = SampleSideFileText();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string ErrorOf(std::string_view text) {
  const Result<JsonValue> json = JsonValue::Parse(text, "run.1.json");
  if (!json) return Describe(json.error());
  const Result<SideFile> file = DecodeSideFile(json.value());
  return file ? "" : Describe(file.error());
}

TEST(SideFile, IsReadAsTheEngineWritesIt) {
  const Result<SideFile> file = ReadSideFile(IOFLUX_TEST_DATA "/analysis/side_file.json");
  ASSERT_TRUE(file.ok()) << Describe(file.error());

  const SideFile& side = file.value();
  EXPECT_EQ(side.engine_version, "0.1.0");
  EXPECT_TRUE(side.complete);
  EXPECT_EQ(side.settings.at("mode"), "asap");
  EXPECT_EQ(side.trace.num_ops, 4);
  EXPECT_EQ(side.trace.transformations.at(0).params.at("block"), "65536");
  EXPECT_EQ(side.prepare.created, 2);
  EXPECT_EQ(side.end_ns - side.start_ns, 1'500'000);
  EXPECT_EQ(side.streams.at(0).job, 1);
  EXPECT_EQ(side.ops.at("READ").requested_bytes, 8192);
  EXPECT_EQ(side.ops.at("READ").service_time.count(), 2u);
  EXPECT_EQ(side.ops.at("READ").service_time.max_ns(), 21'000);
  EXPECT_EQ(side.errors.first.at(0).target, "data/a");
  EXPECT_EQ(side.errors.first.at(0).errno_value, 5);
}

TEST(SideFile, SurvivesWritingAndReading) {
  const std::string text = SampleSideFileText();
  const Result<JsonValue> json = JsonValue::Parse(text, "run.1.json");
  ASSERT_TRUE(json.ok());
  const Result<SideFile> file = DecodeSideFile(json.value());
  ASSERT_TRUE(file.ok()) << Describe(file.error());
  EXPECT_EQ(ToJson(file.value()).Dump(), text);
}

TEST(SideFile, OfAnotherKindIsRefusedByName) {
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("no document of ioflux"));
  EXPECT_THAT(ErrorOf(R"({"fio version":"fio-3.33","jobs":[]})"), HasSubstr("fio's own JSON"));
  EXPECT_THAT(ErrorOf(SampleWith("ioflux-side-file", "ioflux-other")), HasSubstr("ioflux-other"));
}

TEST(SideFile, OfAnotherVersionIsRefused) {
  EXPECT_THAT(ErrorOf(SampleWith("\"side_file_version\": 2", "\"side_file_version\": 3")),
              HasSubstr("side file version 3 is not known"));
}

TEST(SideFile, ErrorsNameFileAndPath) {
  EXPECT_THAT(ErrorOf(SampleWith("\"user_ns\": 21000000", "\"user_ns\": \"much\"")),
              HasSubstr("run.1.json (cpu.user_ns)"));
  EXPECT_THAT(ErrorOf(SampleWith("\"ops_in_trace\": 130,", "")),
              HasSubstr("run.1.json (streams[0].ops_in_trace): it is missing"));
}

TEST(SideFile, MustNotEndBeforeItStarts) {
  EXPECT_THAT(ErrorOf(SampleWith("\"end_ns\": 9430000000", "\"end_ns\": 8999999999")),
              HasSubstr("`end_ns` is before `start_ns`"));
}

TEST(SideFile, CutShortIsAnErrorThatNamesTheFile) {
  const TempDir dir;
  const std::string text = SampleSideFileText();
  const std::string path = dir.Write("run.1.json", text.substr(0, text.size() / 2));

  const Result<SideFile> file = ReadSideFile(path);

  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().kind, ErrorKind::kInput);
  EXPECT_EQ(file.error().where.path, path);
}

TEST(SideFile, ThatIsNotThereIsAnIoError) {
  const Result<SideFile> file = ReadSideFile("no/such/run.1.json");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
