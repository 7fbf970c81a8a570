// SPDX-License-Identifier: GPL-2.0-only
//
// The random numbers of generated traces: PCG with a 128-bit state and the DXSM output function,
// and what is drawn from it. The same seed gives the same trace on every machine, so nothing here
// may change.
//
// Passive state of 16 bytes; a copy continues where the original stood. Threading: one thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ioflux {

class PcgDxsm {
 public:
  explicit PcgDxsm(std::uint64_t seed) : high_(seed) {}

  /// 64 uniform bits.
  std::uint64_t Next();

  /// Uniform in [0, bound); `bound` must not be 0.
  std::uint64_t Below(std::uint64_t bound);

  /// Uniform in [0, 1), a multiple of 2^-53.
  double Unit();

  /// Fisher-Yates from the last element down.
  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace ioflux
