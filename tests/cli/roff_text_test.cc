// SPDX-License-Identifier: GPL-2.0-only
#include "cli/roff_text.h"

#include <gtest/gtest.h>

namespace ioflux {
namespace {

TEST(RoffText, LosesNoHyphenQuoteOrBackslash) {
  EXPECT_EQ(RoffText(R"(--mode='a\n' "x" ~^`)"),
            R"(\-\-mode=\[aq]a\[rs]n\[aq] \[dq]x\[dq] \[ti]\[ha]\[ga])");
}

TEST(RoffText, IsNeverARequest) { EXPECT_EQ(RoffText(".sh\n.TH\n'x"), "\\&.sh\n\\&.TH\n\\[aq]x"); }

TEST(RoffText, NamesGlyphsOutsideAscii) {
  EXPECT_EQ(RoffText("10 \xC2\xB5s \xE2\x89\xA4 \xF0\x9F\x92\xBE"),
            "10 \\[u00B5]s \\[u2264] \\[u1F4BE]");
  EXPECT_EQ(RoffText("a\xFF\x62"), "a\\[uFFFD]b");
}

TEST(RoffText, BreaksParagraphsAtEmptyLines) { EXPECT_EQ(RoffText("a\n\nb\n"), "a\n.PP\nb"); }

TEST(RoffText, SetsWordsInBoldAndItalics) {
  EXPECT_EQ(RoffBold("--x"), "\\fB\\-\\-x\\fR");
  EXPECT_EQ(RoffItalic("FILE"), "\\fIFILE\\fR");
}

TEST(RoffText, KeepsPreformattedLines) {
  EXPECT_EQ(RoffPreformatted("a\n  b\n\n.c"), ".nf\na\n  b\n.sp\n\\&.c\n.fi\n");
}

}  // namespace
}  // namespace ioflux
