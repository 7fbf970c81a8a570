// SPDX-License-Identifier: GPL-2.0-only
//
// Every setting reaches the engine through the real fio as it was asked for: flags to job file to
// fio's option parser to the side file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/utf8.h"
#include "ioengine/replay/settings.h"
#include "job_templates/job_value.h"
#include "tests/e2e/replay_fixture.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

class EverySetting : public ReplayFixture {
 protected:
  /// A legal value of `info` that is not its default. A new PATH needs a line here.
  std::string OtherValue(const SettingInfo& info) {
    switch (info.type) {
      case SettingType::kPath:
        if (info.id == Setting::kTrace) return dir_ / "training.ioflux";
        if (info.id == Setting::kTargetMap) return dir_ / "local-map.yaml";
        if (info.id == Setting::kTargetRoot) return dir_ / "ioflux-data";
        if (info.id == Setting::kSourceRoot) return Originals();
        ADD_FAILURE() << "no file to give for " << info.option;
        return "";
      case SettingType::kChoice:
        return std::string(
            std::find_if(info.choices.rbegin(), info.choices.rend(),
                         [&](const SettingChoice& choice) { return choice.word != info.fallback; })
                ->word);
      case SettingType::kBool:
        return info.fallback == "true" ? "false" : "true";
      case SettingType::kUint:
      case SettingType::kCount:
        return std::to_string(info.maximum);
      case SettingType::kReal:
        return "2.5";
      case SettingType::kDuration:
        return info.maximum == 0 ? "3600s" : std::to_string(info.maximum) + "ns";
    }
    return "";
  }

  /// A folder with a file for every target of the trace.
  std::string Originals() {
    const TraceReader reader = TraceReader::Open(dir_ / "training.ioflux").value();
    for (const Target& target : reader.header().targets) {
      dir_.Write("originals/" + target.name,
                 std::string(static_cast<std::size_t>(target.size_bytes), 'x'));
    }
    return dir_ / "originals";
  }

  /// All user settings at values that are not their defaults.
  ReplaySettings Others() {
    ReplaySettings settings;
    for (const SettingInfo& info : AllSettings()) {
      if (info.audience != SettingAudience::kUser) continue;
      const Result<void> set = settings.Set(info.id, OtherValue(info));
      EXPECT_TRUE(set) << Describe(set.error());
      EXPECT_NE(settings.text(info.id), info.fallback) << info.option;
    }
    const Result<void> legal = settings.CheckCombination();
    EXPECT_TRUE(legal) << Describe(legal.error());
    return settings;
  }

  /// The settings of the one side file in `folder`, which is named after a job of its process.
  static JsonValue ArrivedIn(const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (!entry.path().filename().string().starts_with("side.")) continue;
      return JsonValue::Load(entry.path().string()).value().GetObject("settings").value();
    }
    ADD_FAILURE() << "no side file in " << folder;
    return JsonValue::Object();
  }

  /// The flags that ask for `settings`.
  static std::string Flags(const ReplaySettings& settings) {
    std::string flags;
    for (const SettingInfo& info : AllSettings()) {
      if (info.audience != SettingAudience::kUser) continue;
      flags += " --" + std::string(info.flag);
      if (info.type != SettingType::kBool) flags += "=" + settings.text(info.id);
    }
    return flags;
  }
};

TEST_F(EverySetting, ArrivesInTheEngineAsAskedFor) {
  MakeTrainingTrace();
  const ReplaySettings asked = Others();
  MustRun("ioflux jobs" + Flags(asked) + " -o job.fio && echo side_file=side >> job.fio");

  MustRun("fio --output=/dev/null job.fio");

  const JsonValue arrived = ArrivedIn(dir_.path());
  for (const SettingInfo& info : AllSettings()) {
    if (info.audience != SettingAudience::kUser) continue;
    EXPECT_EQ(arrived.GetStringOr(info.option, "absent").value(), asked.text(info.id))
        << info.option;
  }
}

TEST_F(EverySetting, IsReadByPlainFioAsByTheCommandLine) {
  MakeTrainingTrace();
  for (const SettingInfo& info : AllSettings()) {
    if (info.type == SettingType::kPath) continue;
    const std::string option(info.option);
    for (const char* words : {"yes=true", "off=false", "1=true", "0=false"}) {
      if (info.type != SettingType::kBool) break;
      const std::string text(words);
      const std::string given = text.substr(0, text.find('='));
      MustRun(
          "rm -f side.*; fio --output=/dev/null --name=stream --numjobs=4 --thread "
          "--ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux --side_file=side --" +
          option + "=" + given);
      EXPECT_EQ(ArrivedIn(dir_.path()).GetString(info.option).value(),
                text.substr(given.size() + 1))
          << option << "=" << given;
    }
    // fio knows numbers with a sign or a unit; ours have neither.
    const bool is_number = info.type == SettingType::kUint || info.type == SettingType::kCount;
    const std::string bad = is_number ? "-1" : "nonsense";
    const CommandResult refused = Shell(
        "fio --output=/dev/null --name=stream --numjobs=4 --thread "
        "--ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux --" +
        option + "=" + bad);
    EXPECT_NE(refused.exit_code, 0) << option;
    // fio itself lists the words of a choice.
    const std::string says = info.type == SettingType::kChoice
                                 ? "fio: failed parsing " + option
                                 : "ioflux: '" + bad + "' is not a value of " + option;
    EXPECT_NE(refused.err.find(says), std::string::npos) << refused.err;
  }
}

/// Every byte that a path may hold, as far as a job file can.
std::string AllLegalBytes() {
  std::string bytes;
  for (int code = 1; code < 256; ++code) {
    const char c = static_cast<char>(code);
    if (c != '/' && CheckJobValue("trace", std::string("/a") + c + "b")) bytes += c;
  }
  return bytes;
}

TEST_F(EverySetting, MayBeAPathOfAllBytesThatTheJobWriterTakes) {
  MakeTrainingTrace();
  const std::string odd = dir_ / AllLegalBytes();
  ASSERT_GT(odd.size(), 250U);
  std::filesystem::create_directory(odd);
  std::filesystem::copy(dir_ / "training.ioflux", odd + "/t.ioflux");
  dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./\"\n");
  std::filesystem::copy(dir_ / "map.yaml", odd + "/map.yaml");
  const std::map<std::string, std::string> paths = {{"trace", odd + "/t.ioflux"},
                                                    {"target_map", odd + "/map.yaml"},
                                                    {"target_root", odd},
                                                    {"side_file", odd + "/side"}};

  const CommandResult jobs = Run({"ioflux", "jobs", "--engine=local", "--trace", paths.at("trace"),
                                  "--target-map", paths.at("target_map"), "--target-root", odd,
                                  "--prepare=materialize-synthetic", "-o", "job.fio"});
  ASSERT_EQ(jobs.exit_code, 0) << jobs.err;
  dir_.Write("job.fio", dir_.Read("job.fio") + "side_file=" + paths.at("side_file") + "\n");
  const CommandResult fio = Run({"env", "-C", odd, "fio", "--output=/dev/null", dir_ / "job.fio"});
  ASSERT_EQ(fio.exit_code, 0) << fio.err;

  const JsonValue arrived = ArrivedIn(odd);
  for (const auto& [option, path] : paths) {
    EXPECT_EQ(arrived.GetString(option).value(), ReplaceInvalidUtf8(path)) << option;
  }
  const CommandResult run =
      Run({"env", "-C", odd, "ioflux", "run", "--engine=local", "--trace", "./t.ioflux",
           "--target-map", "map.yaml", "--target-root", ".", "-o", "r.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

// So that nobody has to rename a file for nothing.
TEST_F(EverySetting, APathThatTheJobWriterRefusesIsOneThatFioChanges) {
  MakeTrainingTrace();
  for (const char* part : {";", "#", "${HOME}", "$ncpus", "$pagesize", "$mb_memory", "\n"}) {
    const std::string odd = dir_ / (std::string("a") + part + "b.ioflux");
    ASSERT_FALSE(CheckJobValue("trace", odd)) << part;
    std::filesystem::copy(dir_ / "training.ioflux", odd);
    dir_.Write("job.fio", "[stream]\nioengine=external:" + EngineLibrary() +
                              "\nnumjobs=4\nthread\ntrace=" + odd + "\n");
    EXPECT_NE(Run({"fio", "--output=/dev/null", "job.fio"}).exit_code, 0) << part;
  }
}

}  // namespace
}  // namespace ioflux
