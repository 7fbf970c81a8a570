// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/payload.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/sha256.h"

namespace ioflux {
namespace {

std::string Hex(std::span<const char> bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

struct Vector {
  std::uint64_t seed;
  std::uint64_t op_id;
  const char* target;
  std::uint64_t offset;
  const char* first_bytes;
};

class PayloadVector : public testing::TestWithParam<Vector> {};

TEST_P(PayloadVector, FirstSixteenBytes) {
  const Vector& vector = GetParam();
  std::vector<char> bytes(16);

  Payload(Payload::Mode::kSeeded, vector.seed)
      .Fill(vector.op_id, PayloadTargetHash(vector.target), vector.offset, bytes);

  EXPECT_EQ(Hex(bytes), vector.first_bytes);
}

INSTANTIATE_TEST_SUITE_P(
    All, PayloadVector,
    testing::Values(Vector{1, 0, "shard_0000.tar", 0, "19d34642b722795b18ee913956bddb02"},
                    Vector{1, 0, "shard_0000.tar", 5, "22795b18ee913956bddb02a2cdde4a0d"},
                    Vector{7, 42, "target-a", 0, "8e4ee15ba5d520685552f46ecc3c490f"},
                    Vector{7, 42, "target-a", (std::uint64_t{1} << 40) + 3,
                           "b62c869f639c7b7a04caabcf20fcfe4c"},
                    Vector{123, 43, "target-a", 0, "352c5748ccfcd4dbcfeb2c142025ea8a"},
                    Vector{123, 42, "target-b", 0, "ccf71a8e6a87747be16371bcd47c9540"}));

TEST(Payload, WholeBlockMatchesItsDigestHoweverItIsCut) {
  const Payload payload(Payload::Mode::kSeeded, 1);
  const std::uint64_t hash = PayloadTargetHash("shard_0000.tar");
  for (const std::size_t piece : {65536U, 4096U, 1000U, 7U}) {
    std::vector<char> bytes(65536);
    for (std::size_t offset = 0; offset < bytes.size(); offset += piece) {
      payload.Fill(0, hash, offset,
                   {bytes.data() + offset, std::min(piece, bytes.size() - offset)});
    }
    EXPECT_EQ(DigestOfBytes({bytes.data(), bytes.size()}),
              "sha256:205c8d8170e0f125f054e77a40fbd632ba83cdf8b238a78ac119af27c6d53c77")
        << "pieces of " << piece;
  }
}

TEST(Payload, SeedZeroMeansOne) {
  std::vector<char> zero(64);
  std::vector<char> one(64);
  Payload(Payload::Mode::kSeeded, 0).Fill(3, 4, 5, zero);
  Payload(Payload::Mode::kSeeded, 1).Fill(3, 4, 5, one);
  EXPECT_EQ(zero, one);
}

TEST(Payload, ZeroModeWritesZeros) {
  std::vector<char> bytes(100, 'x');
  Payload(Payload::Mode::kZero, 9).Fill(1, 2, 3, bytes);
  EXPECT_EQ(bytes, std::vector<char>(100, 0));
}

TEST(Payload, TargetHashIsFnv1a) {
  EXPECT_EQ(PayloadTargetHash("shard_0000.tar"), 0xdc298bf46f5096b5U);
}

}  // namespace
}  // namespace ioflux
