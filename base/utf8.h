// SPDX-License-Identifier: GPL-2.0-only
//
// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
//
// Threading: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ioflux {

/// Bytes (1 to 4) of the well-formed sequence at the start of `text`; 0 when its first byte starts
/// none. A malformed sequence is then one bad byte, and what follows is looked at anew.
inline std::size_t Utf8SequenceBytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t bytes = lead < 0xC2   ? 0
                            : lead < 0xE0 ? 2
                            : lead < 0xF0 ? 3
                            : lead < 0xF5 ? 4
                                          : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool too_large = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : bytes;
}

bool IsValidUtf8(std::string_view text);

/// U+FFFD, what stands for a byte or an escape that is no character.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// `text` with every bad byte replaced.
std::string ReplaceInvalidUtf8(std::string_view text);

/// `code_point` must be a Unicode scalar value.
void AppendUtf8(std::string& out, std::uint32_t code_point);

}  // namespace ioflux
