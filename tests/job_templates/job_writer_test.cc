// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/job_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "job_templates/job_value.h"

namespace ioflux {
namespace {

class JobWriter : public testing::Test {
 protected:
  JobWriter() {
    header_.summary.num_streams = 4;
    header_.summary.num_ops = 532;
    header_.summary.total_bytes = 128 << 20;
    header_.profile = "training-read";
    Set(Setting::kTrace, "/traces/t.ioflux");
  }

  void Set(Setting setting, const std::string& text) {
    ASSERT_TRUE(settings_.Set(setting, text)) << text;
  }

  Result<std::string> Write() {
    return WriteJobFile({.settings = &settings_,
                         .header = &header_,
                         .engine_library = "/lib/libioflux.so",
                         .tool = "ioflux test"});
  }

  ReplaySettings settings_;
  TraceHeader header_;
};

bool HasLine(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

TEST_F(JobWriter, WritesOneThreadJobPerStream) {
  const std::string text = Write().value();
  EXPECT_TRUE(HasLine(text, "ioengine=external:/lib/libioflux.so")) << text;
  EXPECT_TRUE(HasLine(text, "thread"));
  EXPECT_TRUE(HasLine(text, "trace=/traces/t.ioflux"));
  EXPECT_TRUE(HasLine(text, "numjobs=4"));
  EXPECT_NE(text.find("synthetic/training-read, 4 stream(s), 532 ops, 128.00 MiB"),
            std::string::npos);
}

TEST_F(JobWriter, SettingsAtTheirDefaultAreCommentsAndOthersAreLines) {
  Set(Setting::kBackend, "local");
  const std::string text = Write().value();
  EXPECT_TRUE(HasLine(text, "backend=local"));
  EXPECT_TRUE(HasLine(text, ";prepare=none"));
  EXPECT_TRUE(HasLine(text, ";   local: files, one system call per operation")) << text;
}

TEST_F(JobWriter, WhatOnlyARunFillsInIsLeftOut) {
  EXPECT_EQ(Write().value().find("side_file"), std::string::npos);
  Set(Setting::kSideFile, "/tmp/side");
  EXPECT_TRUE(HasLine(Write().value(), "side_file=/tmp/side"));
}

TEST_F(JobWriter, ATraceWithoutStreamsStillHasAJob) {
  header_.summary.num_streams = 0;
  EXPECT_TRUE(HasLine(Write().value(), "numjobs=1"));
}

TEST_F(JobWriter, MoreStreamsThanFioHasJobsAreRefused) {
  header_.summary.num_streams = kMaxFioJobs + 1;
  const Error error = Write().error();
  EXPECT_EQ(error.kind, ErrorKind::kUnsupported);
  EXPECT_NE(error.what.find("4089 streams"), std::string::npos) << error.what;
  EXPECT_NE(error.what.find("fio holds at most 4088"), std::string::npos) << error.what;
  header_.summary.num_streams = kMaxFioJobs;
  EXPECT_TRUE(Write());
}

TEST_F(JobWriter, APathThatFioWouldChangeIsRefusedWhateverSettingItBelongsTo) {
  for (const SettingInfo& info : AllSettings()) {
    if (info.type != SettingType::kPath) continue;
    const std::string before = settings_.text(info.id);
    for (const char* path : {"/a/${HOME}/t", "/a\nexec=rm", "/trailing ", "/a;b", "/a#b"}) {
      Set(info.id, path);
      const Result<std::string> text = Write();
      ASSERT_FALSE(text) << info.option << path;
      EXPECT_EQ(text.error().kind, ErrorKind::kUsage);
      const bool has_flag = info.audience == SettingAudience::kUser;
      EXPECT_EQ(text.error().where.item,
                has_flag ? "--" + std::string(info.flag) : std::string(info.option));
    }
    Set(info.id, before);
  }
}

TEST_F(JobWriter, AnEngineLibraryThatFioWouldChangeIsRefused) {
  for (const char* path : {"/a;b/libioflux.so", "/a,b/libioflux.so", "/$ncpus/libioflux.so"}) {
    EXPECT_FALSE(WriteJobFile({.settings = &settings_,
                               .header = &header_,
                               .engine_library = path,
                               .tool = "ioflux test"}))
        << path;
  }
}

TEST_F(JobWriter, PathsBecomeAbsoluteWithoutBeingMoved) {
  const std::string here = std::filesystem::current_path().string();
  Set(Setting::kTargetRoot, "./link/..//data");
  EXPECT_TRUE(HasLine(Write().value(), "target_root=" + here + "/link/../data"));
}

// What a trace says of itself is anybody's text: it must stay within its comment.
TEST_F(JobWriter, TheHeaderOfATraceCannotAddLines) {
  const auto active_lines = [&] {
    std::string active;
    std::istringstream stream(Write().value());
    for (std::string line; std::getline(stream, line);) {
      EXPECT_LT(line.size(), kFioLineBytes);
      if (!line.empty() && line[0] != ';') active += line + "\n";
    }
    return active;
  };
  const std::string harmless = active_lines();
  header_.kind = "captured\nexec_prerun=touch /tmp/owned";
  header_.profile = "[x]\rexec\n;" + std::string(20000, 'p');

  EXPECT_EQ(active_lines(), harmless);
}

}  // namespace
}  // namespace ioflux
