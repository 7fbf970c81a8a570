// SPDX-License-Identifier: GPL-2.0-only
//
// Durations as people write them: `1.5s`, `200ms`, `60us`, `10 min`, `1m30s`. A unit is needed,
// except for `0`. Units: ns us µs ms s m min h d. Exact in whole nanoseconds; a finer value is an
// error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

/// Nanoseconds of `text` (>= 0); kUsage error that names the text and the accepted forms.
Result<std::int64_t> ParseDuration(std::string_view text);

/// For people: `0s`, `999ns`, `1.5µs`, `12.3ms`, `1.234s`. At least 1e9 ns three decimals in s, at
/// least 1e6 one decimal in ms, at least 1e3 one decimal in µs, else (and when negative) in ns.
std::string FormatDuration(std::int64_t duration_ns);

}  // namespace ioflux
