// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/json_sax.h"

#include <rapidjson/error/en.h>

#include <algorithm>
#include <optional>

namespace ioflux {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The 16 bits of a `\uXXXX` at the start of `text`.
std::optional<std::uint32_t> UnicodeEscape(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(2, 4)) {
    const int letter = (c | 0x20) - 'a';
    const bool is_letter = letter >= 0 && letter < 6;
    if (!is_letter && !IsDigit(c)) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(is_letter ? letter + 10 : c - '0');
  }
  return value;
}

bool IsHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Takes the escape at the start of `text`.
void RespellEscape(std::string_view& text, std::string& out) {
  std::size_t bytes = 2;
  std::string_view written = text.substr(0, bytes);
  if (const auto first = UnicodeEscape(text); first.has_value()) {
    const auto second = UnicodeEscape(text.substr(6)).value_or(0);
    const bool pair = IsHighSurrogate(*first) && IsLowSurrogate(second);
    const bool lone = !pair && (IsHighSurrogate(*first) || IsLowSurrogate(*first));
    bytes = pair ? 12 : 6;
    written = lone ? std::string_view("\\ufffd") : text.substr(0, bytes);
  }
  out += written;
  text.remove_prefix(std::min(bytes, text.size()));
}

// Bytes of the JSON number at the start of `text`, 0 when there is none.
std::size_t NumberBytes(std::string_view text) {
  std::size_t at = 0;
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto digits = [&] {
    const std::size_t first = at;
    while (IsDigit(peek())) ++at;
    return at - first;
  };
  if (peek() == '-') ++at;
  if (peek() == '0') {
    ++at;
  } else if (digits() == 0) {
    return 0;
  }
  if (peek() == '.') {
    ++at;
    if (digits() == 0) return 0;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    if (peek() == '+' || peek() == '-') ++at;
    if (digits() == 0) return 0;
  }
  return at;
}

// Takes the number at the start of `text`; false when there is none.
bool RespellNumber(std::string_view& text, std::string& out) {
  constexpr std::size_t kAnyInt64Bytes = 20;
  const std::string_view number = text.substr(0, NumberBytes(text));
  const bool may_be_integer =
      number.size() <= kAnyInt64Bytes && number.find_first_of(".eE") == std::string_view::npos;
  out += may_be_integer ? number : kRespelledNumber;
  text.remove_prefix(number.size());
  return !number.empty();
}

}  // namespace

std::string RespellForRapidjson(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  while (!text.empty()) {
    const char c = text.front();
    if (in_string && c == '\\') {
      RespellEscape(text, out);
    } else if (!in_string && (c == '-' || IsDigit(c))) {
      if (!RespellNumber(text, out)) return "";
    } else {
      in_string = in_string != (c == '"');
      out += c;
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string JsonProblem(const rapidjson::ParseResult& result) {
  std::string reason = rapidjson::GetParseError_En(result.Code());
  if (reason.ends_with('.')) reason.pop_back();
  if (!reason.empty()) reason[0] = static_cast<char>(reason[0] | 0x20);
  return "not valid JSON: " + reason + " (column " + std::to_string(result.Offset() + 1) + ")";
}

}  // namespace ioflux
