// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/setting_words.h"

#include <gtest/gtest.h>

#include "ioengine/replay/settings.h"

namespace ioflux {
namespace {

struct Spelling {
  const char* flags;
  const char* options;
};

class SettingWords : public testing::TestWithParam<Spelling> {};

TEST_P(SettingWords, AreFlagsForOneUserAndOptionsForTheOther) {
  EXPECT_EQ(FlagsToOptions(GetParam().flags), GetParam().options);
  EXPECT_EQ(OptionsToFlags(GetParam().options), GetParam().flags);
}

INSTANTIATE_TEST_SUITE_P(
    All, SettingWords,
    testing::Values(Spelling{"use --prepare materialize-synthetic, or leave --source-root out",
                             "use prepare=materialize-synthetic, or leave source_root out"},
                    Spelling{"or --unconfined if you mean it", "or unconfined=1 if you mean it"},
                    Spelling{"give --target-root DIR", "give target_root=DIR"},
                    Spelling{"give --source-root FOLDER", "give source_root=FOLDER"},
                    Spelling{"'x' is not a value of --max-inflight",
                             "'x' is not a value of max_inflight"},
                    Spelling{"use --engine local.", "use backend=local."},
                    Spelling{"use --direct-align 512, or none", "use direct_align=512, or none"},
                    Spelling{"(--direct-align sets it)", "(direct_align sets it)"},
                    Spelling{"run without --readonly", "run without --readonly"},
                    Spelling{"target 'a--mode think' is gone", "target 'a--mode think' is gone"},
                    Spelling{"/data/mode=think/x", "/data/mode=think/x"}, Spelling{"", ""}));

TEST(SettingWords, EverySettingHasBothForms) {
  for (const SettingInfo& info : AllSettings()) {
    if (info.audience != SettingAudience::kUser || info.type == SettingType::kBool) continue;
    const std::string flag = "try --" + std::string(info.flag) + " 1, please";
    const std::string option = "try " + std::string(info.option) + "=1, please";
    EXPECT_EQ(FlagsToOptions(flag), option);
    EXPECT_EQ(OptionsToFlags(option), flag);
  }
}

}  // namespace
}  // namespace ioflux
