// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ioflux {
namespace {

TEST(Describe, PutsPlaceFactAndAdviceTogetherAndLeavesOutWhatIsEmpty) {
  EXPECT_EQ(Describe({.what = "bad", .where = {"a.yaml", 3, "to"}, .mend = "mend it"}),
            "a.yaml:3 (to): bad\n  try: mend it");
  EXPECT_EQ(Describe({.what = "bad", .where = {"", 3, ""}}), "line 3: bad");
  EXPECT_EQ(Describe({.what = "bad"}), "bad");
}

// A name in a message may come from any file: it must neither end the message nor steer a terminal.
TEST(Describe, ShowsEveryControlCharacterAsItsNumber) {
  using namespace std::string_literals;
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string name = "a" + std::string(1, static_cast<char>(byte)) + "b";
    const std::string text =
        Describe({.what = name, .where = {name, 1, name}, .mend = "see " + name});
    EXPECT_EQ(std::count(text.begin(), text.end(), static_cast<char>(byte)), byte == '\n' ? 1 : 0);
    EXPECT_EQ(text.size(), ("a:1 (b): c\n  try: see d"s).size() + 4 * 5) << text;
  }
  EXPECT_EQ(Describe({.what = "a\0b\x1b[31m\x7f"s}), "a\\x00b\\x1b[31m\\x7f");
  EXPECT_EQ(Describe({.what = "\xc3\xa9\tx"}), "\xc3\xa9\\x09x");
}

}  // namespace
}  // namespace ioflux
