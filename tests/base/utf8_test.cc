// SPDX-License-Identifier: GPL-2.0-only
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace ioflux {
namespace {

TEST(Utf8, EveryScalarValueIsValidAndOfItsLength) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800) code = 0xE000;  // no surrogates
    std::string text;
    AppendUtf8(text, code);
    ASSERT_EQ(Utf8SequenceBytes(text), text.size()) << code;
    ASSERT_EQ(text.size(), code < 0x80 ? 1U : code < 0x800 ? 2U : code < 0x10000 ? 3U : 4U);
  }
}

TEST(Utf8, RefusesOverlongSurrogateTooLargeAndCutSequences) {
  for (const char* text : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
                           "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc3("}) {
    EXPECT_EQ(Utf8SequenceBytes(text), 0U);
    EXPECT_FALSE(IsValidUtf8(text));
  }
  EXPECT_EQ(Utf8SequenceBytes(""), 0U);
  EXPECT_TRUE(IsValidUtf8(""));
}

TEST(Utf8, EachBadByteIsReplacedAndWhatFollowsIsKept) {
  EXPECT_EQ(ReplaceInvalidUtf8("a\xe2\x82z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(ReplaceInvalidUtf8("ü€😀"), "ü€😀");
}

}  // namespace
}  // namespace ioflux
