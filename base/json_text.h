// SPDX-License-Identifier: GPL-2.0-only
//
// Pieces of JSON text as we write them, in traces and documents alike: which bytes of a string are
// escaped and how, and whole numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ioflux {

/// Appends `text` in quotes. A byte that is not part of UTF-8 becomes `\ufffd`.
void AppendJsonString(std::string& out, std::string_view text);

/// Most characters AppendDecimal writes.
inline constexpr std::size_t kMaxDecimalBytes = 20;

/// Writes `value` in base 10 at `out`, returns the end.
char* AppendDecimal(char* out, std::int64_t value);

}  // namespace ioflux
