// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/payload.h"

#include <bit>
#include <cstring>

namespace ioflux {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

constexpr std::uint64_t SplitMix64(std::uint64_t x) {
  x += kGolden;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

Payload PayloadOf(const ReplaySettings& settings) {
  return {settings.text(Setting::kFill) == "zero" ? Payload::Mode::kZero : Payload::Mode::kSeeded,
          settings.number(Setting::kFillSeed)};
}

std::uint64_t PayloadTargetHash(std::string_view target_name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : target_name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

void Payload::Fill(std::uint64_t op_id, std::uint64_t target_hash, std::uint64_t offset,
                   std::span<char> buffer) const {
  if (mode_ == Mode::kZero) {
    std::memset(buffer.data(), 0, buffer.size());
    return;
  }
  const std::uint64_t base = seed_ ^ std::rotl(op_id * kGolden, 17) ^ std::rotl(target_hash, 31);
  static_assert(std::endian::native == std::endian::little);
  char* out = buffer.data();
  std::size_t left = buffer.size();
  std::uint64_t counter = base + (offset / 8) * kGolden;
  const auto emit = [&](std::size_t from, std::size_t count) {
    const std::uint64_t word = SplitMix64(counter);
    std::memcpy(out, reinterpret_cast<const char*>(&word) + from, count);
    counter += kGolden;
    out += count;
    left -= count;
  };
  if (const std::size_t skip = offset % 8; skip != 0) emit(skip, left < 8 - skip ? left : 8 - skip);
  while (left >= 8) emit(0, 8);
  if (left > 0) emit(0, left);
}

}  // namespace ioflux
