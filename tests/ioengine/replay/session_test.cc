// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/json_value.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::atomic<std::int64_t> session_now_ns = 0;  // asked by the threads of several jobs
std::int64_t SessionNow() { return session_now_ns += 10; }
constexpr StopQuestion kNever{};

class Session : public testing::Test {
 protected:
  Session() {
    read_trace_ = dir_.Write(
        "read.ioflux", TraceText({{dir_ / "data/a", 10}},
                                 {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})",
                                  R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":10})",
                                  R"({"t":0,"op_id":2,"s":0,"op":"CLOSE","h":1})"}));
    write_trace_ = dir_.Write(
        "write.ioflux",
        TraceText(
            {{dir_ / "data/a", 0}},
            {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create"]})"}));
    dir_.Write("data/a", "0123456789");
  }

  Result<std::unique_ptr<ReplaySession>> Open(
      const std::vector<std::pair<Setting, std::string>>& values, bool read_only = false) {
    ReplaySettings settings;
    for (const auto& [setting, text] : values) EXPECT_TRUE(settings.Set(setting, text)) << text;
    HostServices host;
    host.clock.now_ns = SessionNow;
    host.read_only = read_only;
    host.fio_version = "fio-test";
    host.job_name = "stream";
    return ReplaySession::Open(settings, std::move(host));
  }

  Error Refusal(const std::vector<std::pair<Setting, std::string>>& values,
                bool read_only = false) {
    const auto session = Open(values, read_only);
    EXPECT_FALSE(session);
    return session ? Error{} : session.error();
  }

  TempDir dir_;
  std::string read_trace_;
  std::string write_trace_;
};

TEST_F(Session, AReadOnlyTraceMayRunUnconfinedAndSaysSo) {
  const auto session = Open({{Setting::kTrace, read_trace_}, {Setting::kBackend, "local"}});
  ASSERT_TRUE(session) << Describe(session.error());
  EXPECT_EQ(session.value()->root_path(), "");
  EXPECT_NE(WordsOf(session.value()->limitations())[1].find("no target root"), std::string::npos);
}

TEST_F(Session, U7_OpenFlagsThatAreNotHonouredAreListedWithCountsOnlyWhereTheyMatter) {
  const std::string trace = dir_.Write(
      "flags.ioflux",
      TraceText(
          {{dir_ / "data/a", 10}},
          {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r","flags":["direct","seq"]})",
           R"({"t":0,"op_id":1,"s":0,"op":"OPEN","tgt":0,"h":2,"mode":"r","flags":["direct","odd"]})",
           R"({"t":0,"op_id":2,"s":0,"op":"OPEN","tgt":0,"h":3,"mode":"r","flags":["append"]})"}));
  const auto flags_in = [](const ReplaySession& session) {
    std::vector<std::string> lines;
    for (const std::string& line : WordsOf(session.limitations())) {
      if (line.rfind("OPEN flag", 0) == 0) lines.push_back(line.substr(0, line.find(':')));
    }
    return lines;
  };

  const auto buffered = Open({{Setting::kTrace, trace}, {Setting::kBackend, "local"}});
  const auto direct = Open(
      {{Setting::kTrace, trace}, {Setting::kBackend, "local"}, {Setting::kAllowDirect, "true"}});
  const auto mem = Open({{Setting::kTrace, trace}, {Setting::kBackend, "mem"}});

  ASSERT_TRUE(buffered && direct && mem);
  EXPECT_EQ(flags_in(*buffered.value()), (std::vector<std::string>{"OPEN flag 'append' of 1 op(s)",
                                                                   "OPEN flag 'direct' of 2 op(s)",
                                                                   "OPEN flag 'odd' of 1 op(s)"}));
  EXPECT_EQ(flags_in(*direct.value()), (std::vector<std::string>{"OPEN flag 'append' of 1 op(s)",
                                                                 "OPEN flag 'odd' of 1 op(s)"}));
  EXPECT_TRUE(flags_in(*mem.value()).empty());
}

TEST_F(Session, AWritingTraceWithoutRootOrMapIsRefused) {
  const Error error = Refusal({{Setting::kTrace, write_trace_}, {Setting::kBackend, "local"}});
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_NE(error.mend.find("--unconfined"), std::string::npos);
}

TEST_F(Session, MaterialisingWithoutRootOrMapIsRefused) {
  const Error error = Refusal({{Setting::kTrace, read_trace_},
                               {Setting::kBackend, "local"},
                               {Setting::kPrepare, "materialize-synthetic"}});
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_EQ(dir_.Read("data/a"), "0123456789");
}

TEST_F(Session, UnconfinedOrARootOrARuleLiftsTheRefusal) {
  dir_.Write("map.yaml", "target_rewrite: [{from: '" + (dir_ / "data") + "', to: '" +
                             (dir_ / "copy") + "'}]\n");
  const std::pair<Setting, std::string> ways[] = {{Setting::kUnconfined, "true"},
                                                  {Setting::kTargetRoot, dir_ / "data"},
                                                  {Setting::kTargetMap, dir_ / "map.yaml"}};
  for (const auto& way : ways) {
    const auto session = Open({{Setting::kTrace, write_trace_}, {Setting::kBackend, "local"}, way});
    EXPECT_TRUE(session) << Describe(session.error());
  }
}

TEST_F(Session, AMapThatLeavesAWrittenTargetWhereItIsDoesNotLiftTheRefusal) {
  const std::string data = dir_ / "data";
  for (const std::string& map :
       {std::string("allow_passthrough: true\n"),
        std::string("target_rewrite: [{from: /elsewhere/, to: /tmp/}]\nallow_passthrough: true\n"),
        "target_rewrite: [{from: '" + data + "', to: '" + data + "'}]\n",
        "target_rewrite: [{from: '" + data + "/', to: '" + data + "//./'}]\n",
        "target_rewrite: [{from: '" + data + "/', to: '" + data + "/../data/'}]\n"}) {
    dir_.Write("map.yaml", map);
    for (const char* prepare : {"none", "materialize-synthetic"}) {
      // The trace that only reads is written to by its preparation.
      const bool materialises = std::string(prepare) != "none";
      const Error error = Refusal({{Setting::kTrace, materialises ? read_trace_ : write_trace_},
                                   {Setting::kBackend, "local"},
                                   {Setting::kTargetMap, dir_ / "map.yaml"},
                                   {Setting::kPrepare, prepare}});
      EXPECT_EQ(error.kind, ErrorKind::kRefused) << map;
      EXPECT_NE(error.what.find("'" + data + "/a'"), std::string::npos) << error.what;
    }
  }
  dir_.Write("map.yaml", "allow_passthrough: true\n");
  EXPECT_TRUE(Open({{Setting::kTrace, read_trace_},
                    {Setting::kBackend, "local"},
                    {Setting::kTargetMap, dir_ / "map.yaml"}}))
      << "reading is safe";
  EXPECT_EQ(dir_.Read("data/a"), "0123456789");
}

TEST_F(Session, TheRefusalNamesTheFirstWrittenTargetThatIsNotMapped) {
  const std::string trace = dir_.Write(
      "three.ioflux",
      TraceText(
          {{dir_ / "data/a", 10}, {dir_ / "out/b", 0}, {dir_ / "data/c", 0}},
          {R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})",
           R"({"t":0,"op_id":1,"s":0,"op":"OPEN","tgt":1,"h":2,"mode":"w","flags":["create"]})",
           R"({"t":0,"op_id":2,"s":0,"op":"OPEN","tgt":2,"h":3,"mode":"w","flags":["create"]})"}));
  dir_.Write("map.yaml", "target_rewrite: [{from: '" + (dir_ / "out/") + "', to: '" +
                             (dir_ / "new/") + "'}]\n");
  const Error error = Refusal({{Setting::kTrace, trace},
                               {Setting::kBackend, "local"},
                               {Setting::kTargetMap, dir_ / "map.yaml"},
                               {Setting::kAllowPassthrough, "true"}});
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_NE(error.what.find(dir_ / "data/c"), std::string::npos) << error.what;
}

TEST_F(Session, AReadOnlyHostRefusesWrites) {
  const Error error = Refusal({{Setting::kTrace, write_trace_},
                               {Setting::kBackend, "local"},
                               {Setting::kUnconfined, "true"}},
                              /*read_only=*/true);
  EXPECT_NE(error.what.find("--readonly"), std::string::npos);
}

TEST_F(Session, ATargetOutsideTheRootIsRefusedBeforeAnythingIsTouched) {
  dir_.Write("map.yaml", "target_rewrite: [{from: '', to: '" + dir_.path() + "/elsewhere/'}]\n");
  const Error error = Refusal({{Setting::kTrace, read_trace_},
                               {Setting::kBackend, "local"},
                               {Setting::kTargetMap, dir_ / "map.yaml"},
                               {Setting::kTargetRoot, dir_ / "data"},
                               {Setting::kPrepare, "materialize-synthetic"}});
  EXPECT_EQ(error.kind, ErrorKind::kRefused);
  EXPECT_FALSE(dir_.Exists("elsewhere"));
}

TEST_F(Session, ATargetNameWithAZeroByteIsRefusedInFullAndNothingIsTouched) {
  const std::string trace =
      dir_.Write("nul.ioflux", TraceText({{dir_ / "data/new\\u0000tail", 10}},
                                         {R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})"}));
  const std::string map = dir_.Write("map.yaml", "target_rewrite: [{from: '', to: ''}]\n");

  for (const auto& more :
       std::vector<std::pair<Setting, std::string>>{{Setting::kTargetRoot, dir_ / "data"},
                                                    {Setting::kUnconfined, "1"},
                                                    {Setting::kTargetMap, map}}) {
    const Error error = Refusal({{Setting::kTrace, trace},
                                 {Setting::kBackend, "local"},
                                 {Setting::kPrepare, "materialize-synthetic"},
                                 more});
    EXPECT_EQ(error.kind, ErrorKind::kRefused);
    EXPECT_NE(Describe(error).find("data/new\\x00tail'"), std::string::npos) << Describe(error);
    EXPECT_FALSE(dir_.Exists("data/new"));
  }
}

TEST_F(Session, TheNumberOfJobsMustBeTheNumberOfStreams) {
  const auto session = Open({{Setting::kTrace, read_trace_}});
  ASSERT_TRUE(session);
  const Result<ReplayJob*> job = session.value()->AddJob(0, 4, 1);
  ASSERT_FALSE(job);
  EXPECT_NE(job.error().mend.find("numjobs=1"), std::string::npos);
}

TEST_F(Session, TheSideFileHoldsEverySettingAndTheCounts) {
  const auto session = Open({{Setting::kTrace, read_trace_},
                             {Setting::kBackend, "local"},
                             {Setting::kSideFile, dir_ / "side"}});
  ASSERT_TRUE(session);
  auto* job = static_cast<JobReplayer*>(session.value()->AddJob(0, 1, 3).value());
  ASSERT_TRUE(session.value()->BeginJob(*job, kNever));
  ReplayRequest request;
  while (job->Next(&request, kNever) == JobReplayer::Step::kOperation) job->Execute(SessionNow());

  ASSERT_TRUE(session.value()->EndJob(*job, "terminated"));

  const Result<JsonValue> side = JsonValue::Load(dir_ / "side.3.json");
  ASSERT_TRUE(side) << Describe(side.error());
  EXPECT_EQ(side.value().GetBool("complete").value(), true);
  EXPECT_EQ(side.value().GetString("stop_reason").value(), "");
  const JsonValue settings = side.value().GetObject("settings").value();
  for (const SettingInfo& info : AllSettings())
    EXPECT_TRUE(settings.Has(info.option)) << info.option;
  EXPECT_EQ(side.value().GetObject("ops").value().GetObject("READ").value().GetInt("bytes").value(),
            10);
}

TEST_F(Session, JobsThatEndOneAfterTheOtherShareOneSideFile) {
  const std::string trace =
      dir_.Write("two.ioflux", TraceText({{"a", 1}},
                                         {R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})",
                                          R"({"t":0,"op_id":1,"s":1,"op":"STAT","tgt":0})"},
                                         2));
  const auto session = Open({{Setting::kTrace, trace}, {Setting::kSideFile, dir_ / "side"}});
  ASSERT_TRUE(session);
  auto* first = static_cast<JobReplayer*>(session.value()->AddJob(0, 2, /*job_number=*/1).value());
  auto* second = static_cast<JobReplayer*>(session.value()->AddJob(1, 2, /*job_number=*/2).value());
  ReplayRequest request;

  std::thread other(
      [&] { EXPECT_TRUE(session.value()->BeginJob(*second, kNever)); });  // waits for the first
  EXPECT_TRUE(session.value()->BeginJob(*first, kNever));
  other.join();
  for (JobReplayer* job : {second, first}) {
    job->Next(&request, kNever);
    ASSERT_TRUE(session.value()->EndJob(*job, ""));
  }

  EXPECT_FALSE(dir_.Exists("side.2.json"));
  const JsonValue side = JsonValue::Load(dir_ / "side.1.json").value();
  EXPECT_EQ(side.GetArray("streams").value().size(), 2U);
  EXPECT_TRUE(side.GetBool("complete").value());
}

TEST_F(Session, AJobThatStoppedEarlyLeavesAnIncompleteSideFile) {
  const auto session = Open({{Setting::kTrace, read_trace_}, {Setting::kSideFile, dir_ / "side"}});
  ASSERT_TRUE(session);
  auto* job = static_cast<JobReplayer*>(session.value()->AddJob(0, 1, 1).value());
  ASSERT_TRUE(session.value()->BeginJob(*job, kNever));

  ASSERT_TRUE(session.value()->EndJob(*job, "terminated"));

  const JsonValue side = JsonValue::Load(dir_ / "side.1.json").value();
  EXPECT_EQ(side.GetBool("complete").value(), false);
  EXPECT_EQ(side.GetString("stop_reason").value(), "terminated");
}

}  // namespace
}  // namespace ioflux
