// SPDX-License-Identifier: GPL-2.0-only
//
// Checks of a generator's parameters. They are named as the user gives them (`--shards`). Every
// failure is kUsage: the command line asks for a trace that cannot be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

Error ParameterError(std::string_view flag, std::string what, std::string mend = "");

Result<void> CheckPositive(std::string_view flag, std::int64_t value);
Result<void> CheckNotNegative(std::string_view flag, std::int64_t value);
Result<void> CheckWord(std::string_view flag, std::string_view word,
                       std::span<const std::string_view> known);

}  // namespace ioflux
