// SPDX-License-Identifier: GPL-2.0-only
//
// Every setting reaches the engine through the real fio as it was asked for: flags to job file to
// fio's option parser to the side file.
#include <gtest/gtest.h>

#include <algorithm>

#include "ioengine/replay/settings.h"
#include "tests/e2e/replay_fixture.h"

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
        return std::to_string(info.maximum / 2);
      case SettingType::kReal:
        return "2.5";
      case SettingType::kDuration:
        return info.maximum == 0 ? "3600s" : std::to_string(info.maximum) + "ns";
    }
    return "";
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

  const JsonValue arrived = LoadJson("side.1.json").GetObject("settings").value();
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
      EXPECT_EQ(
          LoadJson("side.1.json").GetObject("settings").value().GetString(info.option).value(),
          text.substr(given.size() + 1))
          << option << "=" << given;
    }
    const CommandResult refused = Shell(
        "fio --output=/dev/null --name=stream --numjobs=4 --thread "
        "--ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux --" +
        option + "=nonsense");
    EXPECT_NE(refused.exit_code, 0) << option;
    EXPECT_NE(refused.err.find(option), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace ioflux
