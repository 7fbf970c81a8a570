// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/base64.h"

#include <algorithm>
#include <cstdint>

namespace ioflux {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t group_bytes = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < group_bytes ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text.push_back(i <= group_bytes ? kAlphabet[group >> (18 - 6 * i) & 0x3F] : '=');
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  int group_bits = 0;
  for (const char c : text.substr(0, std::min(text.size(), text.find('=')))) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    group_bits += 6;
    if (group_bits >= 8) {
      group_bits -= 8;
      bytes.push_back(static_cast<char>(group >> group_bits & 0xFF));
    }
  }
  // Padding and left-over bits have one right form; comparing with it is simpler than naming it.
  if (EncodeBase64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace ioflux
