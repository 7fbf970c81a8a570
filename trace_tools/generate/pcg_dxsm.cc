// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/pcg_dxsm.h"

#include <bit>

namespace ioflux {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide Join(std::uint64_t high, std::uint64_t low) {
  return (static_cast<Wide>(high) << 64) | low;
}

constexpr Wide kMultiplier = Join(0x2360ed051fc65da4, 0x4385df649fccf645);
constexpr Wide kIncrement = Join(0x5851f42d4c957f2d, 0x14057b7ef767814f);
constexpr std::uint64_t kCheapMultiplier = 0xda942042e4dd58b5;

}  // namespace

std::uint64_t PcgDxsm::Next() {
  const Wide state = Join(high_, low_) * kMultiplier + kIncrement;
  high_ = static_cast<std::uint64_t>(state >> 64);
  low_ = static_cast<std::uint64_t>(state);
  std::uint64_t x = high_;
  x ^= x >> 32;
  x *= kCheapMultiplier;
  x ^= x >> 48;
  return x * (low_ | 1);
}

std::uint64_t PcgDxsm::Below(std::uint64_t bound) {
  if (std::has_single_bit(bound)) return Next() & (bound - 1);
  Wide product = static_cast<Wide>(Next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t biased = (0 - bound) % bound;  // 2^64 mod bound
    while (static_cast<std::uint64_t>(product) < biased) {
      product = static_cast<Wide>(Next()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double PcgDxsm::Unit() {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 53) - 1;
  return static_cast<double>(Next() & kMantissa) * 0x1p-53;
}

}  // namespace ioflux
