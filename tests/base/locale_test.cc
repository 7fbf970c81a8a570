// SPDX-License-Identifier: GPL-2.0-only
//
// A process whose locale writes 1,5 must read and write the same bytes as any other.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <string>
#include <string_view>

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
  return std::setlocale(LC_NUMERIC, name) != nullptr && *std::localeconv()->decimal_point == ',';
}

// As little as localedef takes; making a real one lasts seconds.
constexpr std::string_view kCommaLocale =
    "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n"
    "LC_CTYPE\ncopy \"POSIX\"\nEND LC_CTYPE\n";

class CommaDecimalLocale : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string source = dir_.Write("comma.src", kCommaLocale);
    RunCommand({.argv = {"localedef", "-c", "-i", source, "-f", "ANSI_X3.4-1968", dir_ / "comma"}});
    setenv("LOCPATH", dir_.path().c_str(), 1);
    if (UseCommaDecimal("comma")) return;
    unsetenv("LOCPATH");
    if (UseCommaDecimal("de_DE.UTF-8") || UseCommaDecimal("fr_FR.UTF-8")) return;
    GTEST_SKIP() << "no locale with a decimal comma is installed, and localedef makes none";
  }
  void TearDown() override {
    std::setlocale(LC_NUMERIC, "C");
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
