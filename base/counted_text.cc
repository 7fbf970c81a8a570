// SPDX-License-Identifier: GPL-2.0-only
#include "base/counted_text.h"

namespace ioflux {

std::string WithCounts(std::string text, const std::vector<std::uint64_t>& counts) {
  std::size_t at = 0;
  for (const std::uint64_t count : counts) {
    at = text.find("{}", at);
    if (at == std::string::npos) break;
    const std::string digits = std::to_string(count);
    text.replace(at, 2, digits);
    at += digits.size();
  }
  return text;
}

}  // namespace ioflux
