// SPDX-License-Identifier: GPL-2.0-only
#include "base/printable_text.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

TEST(Printable, NothingFromAFileSteersTheTerminal) {
  EXPECT_EQ(Printable("data/π.bin"), "data/π.bin");
  EXPECT_EQ(Printable("a\x1b[2Jb\nc\x7f"), "a\\x1b[2Jb\\x0ac\\x7f");
  EXPECT_EQ(Printable("\xC2\x9B"
                      "2J"),
            "\\x9b2J");
  EXPECT_EQ(Printable("bad\xFF"), "bad\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ioflux
