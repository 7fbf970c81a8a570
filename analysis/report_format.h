// SPDX-License-Identifier: GPL-2.0-only
//
// How numbers and names look in a report. Durations are FormatDuration (base/duration_text.h) and
// byte counts FormatSizeHuman (base/size_text.h), names Printable (base/printable_text.h); here is
// the rest. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable_text.h"

namespace ioflux {

/// `+1.5ms`, `-1.5ms`, `0s`
std::string FormatSignedDuration(std::int64_t duration_ns);

/// Microseconds for a latency table, without unit: `-` for 0, three or more digits.
std::string FormatMicroseconds(std::int64_t latency_ns);

/// `999`, `1.0k`, `2.35M`
std::string FormatCount(double count);

/// `12.3%`
std::string FormatPercent(double percent);
/// `+12.3%`
std::string FormatSignedPercent(double percent);

/// "1 read", "12 reads"
std::string Counted(std::int64_t count, std::string_view noun);

/// Fills with blanks up to `width` characters (not bytes).
std::string PadLeft(std::string_view text, std::size_t width);
std::string PadRight(std::string_view text, std::size_t width);

}  // namespace ioflux
