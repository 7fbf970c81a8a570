// SPDX-License-Identifier: GPL-2.0-only
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace ioflux {
namespace {

// Vectors of FIPS 180-4 as published by NIST.
TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(DigestOfBytes(""),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(DigestOfBytes("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(DigestOfBytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(DigestOfBytes(std::string(1'000'000, 'a')),
            "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheDigestOfTheWhole) {
  Sha256 hasher;
  hasher.Update("a");
  hasher.Update("");
  hasher.Update("bc");

  EXPECT_EQ(hasher.Finish(), DigestOfBytes("abc"));
}

TEST(Sha256, FileThatCannotBeOpenedIsAnIoError) {
  const Result<std::string> digest = DigestOfFile("/nowhere/at/all");

  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().kind, ErrorKind::kIo);
  EXPECT_EQ(Describe(digest.error()), "/nowhere/at/all: cannot open it: No such file or directory");
}

}  // namespace
}  // namespace ioflux
