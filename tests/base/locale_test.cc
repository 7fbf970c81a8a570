// SPDX-License-Identifier: GPL-2.0-only
//
// A process whose locale writes 1,5 must read and write the same bytes as any other.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <string>

#include "base/duration_text.h"
#include "base/json_value.h"
#include "base/number_text.h"
#include "base/size_text.h"
#include "base/yaml_node.h"
#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

bool UseCommaDecimal(const char* name) {
  return std::setlocale(LC_ALL, name) != nullptr && *std::localeconv()->decimal_point == ',';
}

class CommaDecimalLocale : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "pt_BR.UTF-8", "es_ES.UTF-8", "de_DE"}) {
      if (UseCommaDecimal(name)) return;
    }
    // None is installed; where its source is, one can be made.
    const CommandResult made =
        RunCommand({.argv = {"localedef", "-i", "de_DE", "-f", "UTF-8", dir_ / "de_DE.UTF-8"}});
    setenv("LOCPATH", dir_.path().c_str(), 1);
    if (made.exit_code != 0 || !UseCommaDecimal("de_DE.UTF-8")) {
      GTEST_SKIP() << "no locale with a decimal comma is installed, and localedef makes none";
    }
  }
  void TearDown() override {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
  }

 private:
  TempDir dir_;
};

TEST_F(CommaDecimalLocale, NumbersHaveADecimalPointInBothDirections) {
  EXPECT_EQ(FormatShortest(1234.5), "1234.5");
  EXPECT_EQ(FormatGeneral(0.5), "0.5");
  EXPECT_EQ(ParseReal("1.5"), 1.5);
  EXPECT_FALSE(ParseReal("1,5"));
}

TEST_F(CommaDecimalLocale, SizesAndDurationsDoNotChange) {
  EXPECT_EQ(FormatSizeHuman(1572864), "1.50 MiB");
  EXPECT_EQ(ParseSize("1.5MiB").value(), 1572864U);
  EXPECT_EQ(FormatDuration(1'500'000'000), "1.500s");
  EXPECT_EQ(ParseDuration("1.5s").value(), 1'500'000'000);
}

TEST_F(CommaDecimalLocale, DocumentsDoNotChange) {
  const Result<JsonValue> json = JsonValue::Parse("[1.5,2e-7]", "doc.json");
  ASSERT_TRUE(json);
  EXPECT_EQ(json.value().At(0).AsReal().value(), 1.5);
  EXPECT_EQ(json.value().DumpCompact(), "[1.5,2e-7]");
  EXPECT_EQ(YamlNode::Parse("x: 1.5", "c.yaml").value().Find("x")->AsReal().value(), 1.5);
}

}  // namespace
}  // namespace ioflux
