// SPDX-License-Identifier: GPL-2.0-only
//
// Numbers as text and back, the same in every locale (strtod and printf change with it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ioflux {

/// Shortest text that reads back as `value`: integral values without a fraction (`30`), exponent
/// form only below 1e-6 and from 1e21 up (`1e-7`, `1e+21`). What our JSON documents contain.
/// `value` must be finite.
std::string FormatShortest(double value);

/// Shortest text in the manner of %g: `1.5`, `0.01`, exponent form below 1e-4 and from 1e6 up.
std::string FormatGeneral(double value);

/// A decimal number (`12`, `-1.5e3`) or, with 0x, a hexadecimal one; also inf, infinity and nan in
/// any case. The whole text must be the number. Nothing if it is not, or beyond double's range.
std::optional<double> ParseReal(std::string_view text);

/// A signed base-10 integer (`-3`, `+7`), the whole text; nothing if it is not, or too large.
std::optional<std::int64_t> ParseInteger(std::string_view text);

}  // namespace ioflux
