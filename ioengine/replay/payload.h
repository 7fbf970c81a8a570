// SPDX-License-Identifier: GPL-2.0-only
//
// Payload: the bytes that WRITE, PUT and preparation put on the storage.
//
// Seeded content is a function of (seed, op id, target name, absolute offset), independent of
// chunking, so a run can be repeated byte for byte:
//   base    = seed XOR rotl(op_id * G, 17) XOR rotl(FNV1a64(target), 31),   G = 0x9e3779b97f4a7c15
//   word(k) = splitmix64(base + k * G),   byte a = little-endian byte a mod 8 of word(a / 8)
// Preparation uses op id 0, PUT offset 0.
//
// Threading: const after construction.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ioengine/replay/settings.h"

namespace ioflux {

/// FNV-1a, 64 bit, of a target's rewritten name.
std::uint64_t PayloadTargetHash(std::string_view target_name);

class Payload {
 public:
  enum class Mode : std::uint8_t { kSeeded, kZero };

  /// Seed 0 means 1.
  Payload(Mode mode, std::uint64_t seed) : mode_(mode), seed_(seed == 0 ? 1 : seed) {}

  void Fill(std::uint64_t op_id, std::uint64_t target_hash, std::uint64_t offset,
            std::span<char> buffer) const;

 private:
  Mode mode_;
  std::uint64_t seed_;
};

/// The one that the settings `fill` and `fill_seed` ask for.
Payload PayloadOf(const ReplaySettings& settings);

}  // namespace ioflux
