// SPDX-License-Identifier: GPL-2.0-only
//
// Byte counts as people write them: `4096`, `4KiB`, `64 MiB`, `1.5GiB`, `1TB`.
//
// Grammar: a plain base-10 integer is bytes; otherwise a case-insensitive suffix, longest first:
// PiB TiB GiB MiB KiB (powers of 1024), PB TB GB MB KB (powers of 1000), P T G M K (as PiB … KiB).
// Blanks between number and suffix are allowed, after the suffix they are not. A fraction is
// accepted when it comes out as a whole number of bytes. Everything is overflow-checked: the
// largest size is 2^63-1, as offsets in traces are signed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

/// Bytes of `text`; kUsage error that names the text and the accepted forms.
Result<std::uint64_t> ParseSize(std::string_view text);

/// Exact text in the largest binary unit that divides it: 4194304 -> "4MiB", 1000 -> "1000".
/// ParseSize reads it back.
std::string FormatSizeExact(std::uint64_t size_bytes);

/// For people: `512 B`, `4.00 KiB`, `1.50 MiB`, `2.25 GiB` (two decimals; largest unit GiB).
std::string FormatSizeHuman(std::uint64_t size_bytes);

}  // namespace ioflux
