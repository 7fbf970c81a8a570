// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_text.h"

#include <array>

#include "base/utf8.h"

namespace ioflux {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// 1 for a byte that stands for itself and is one whole character.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

void AppendEscapedAscii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHexDigits[static_cast<std::uint8_t>(c) >> 4];
      out += kHexDigits[static_cast<std::uint8_t>(c) & 0xF];
  }
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && kPlain[static_cast<std::uint8_t>(text[plain])]) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t bytes = Utf8SequenceBytes(text);
    const std::string_view character = text.substr(0, bytes);
    if (bytes == 0) {
      out += "\\ufffd";
    } else if (bytes == 1) {
      AppendEscapedAscii(out, text.front());
    } else if (character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9") {
      // U+2028 and U+2029 end a line in JavaScript, which is why JSON writers escape them.
      out += character.back() == '\xA8' ? "\\u2028" : "\\u2029";
    } else {
      out += character;
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  out += '"';
}

char* AppendDecimal(char* out, std::int64_t value) {
  auto rest = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *out++ = '-';
    rest = 0 - rest;
  }
  std::array<char, kMaxDecimalBytes> digits;
  char* const end = digits.data() + digits.size();
  char* first = end;
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  const auto count = static_cast<std::size_t>(end - first);
  std::memcpy(out, first, count);
  return out + count;
}

}  // namespace ioflux
