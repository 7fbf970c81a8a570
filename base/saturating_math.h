// SPDX-License-Identifier: GPL-2.0-only
//
// Arithmetic on non-negative 64-bit counts that stops at INT64_MAX, so that a product or sum that
// does not fit is seen once, at the end.
#pragma once

#include <cstdint>

namespace ioflux {

inline constexpr std::int64_t kSaturated = INT64_MAX;

constexpr std::int64_t SaturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kSaturated : sum;
}

constexpr std::int64_t SaturatingMultiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kSaturated : product;
}

}  // namespace ioflux
