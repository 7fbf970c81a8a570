// SPDX-License-Identifier: GPL-2.0-only
//
// Kinds of characters in strace's text, the same in every locale.
#pragma once

#include <string_view>

namespace ioflux::strace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsOctalDigit(char c) { return c >= '0' && c <= '7'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsBlank(char c) { return c == ' ' || c == '\t'; }
/// Of the name of a call, a structure member or a constant.
constexpr bool IsNameChar(char c) { return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_'; }

constexpr std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}
constexpr std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return TrimEnd(text);
}

}  // namespace ioflux::strace
