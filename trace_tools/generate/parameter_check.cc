// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/parameter_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"

namespace ioflux {

Error ParameterError(std::string_view flag, std::string what, std::string mend) {
  return Error{.kind = ErrorKind::kUsage,
               .what = std::move(what),
               .where = {.item = std::string(flag)},
               .mend = std::move(mend)};
}

Result<void> CheckPositive(std::string_view flag, std::int64_t value) {
  if (value > 0) return {};
  return ParameterError(flag, fmt::format("it must be above 0, but it is {}", value));
}

Result<void> CheckNotNegative(std::string_view flag, std::int64_t value) {
  if (value >= 0) return {};
  return ParameterError(flag, fmt::format("it must be at least 0, but it is {}", value));
}

Result<void> CheckWord(std::string_view flag, std::string_view word,
                       std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return {};
  return ParameterError(flag, fmt::format("unknown word '{}'", word), SuggestName(word, known));
}

}  // namespace ioflux
