// SPDX-License-Identifier: GPL-2.0-only
#include "base/number_text.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace ioflux {

std::string FormatShortest(double value) {
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const double magnitude = std::fabs(value);
  const bool exponent_form = magnitude < 1e-6 || magnitude >= 1e21;
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value,
                    exponent_form ? std::chars_format::scientific : std::chars_format::fixed);
  std::string text(buffer, end.ptr);
  // to_chars pads the exponent to two digits; the shortest form does not.
  if (exponent_form && text[text.size() - 2] == '0') text.erase(text.size() - 2, 1);
  return text;
}

std::string FormatGeneral(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general);
  return std::string(buffer, end.ptr);
}

namespace {

bool StripSign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

}  // namespace

std::optional<double> ParseReal(std::string_view text) {
  const bool negative = StripSign(text);
  if (text.empty() || text[0] == '-' || text[0] == '+') return std::nullopt;
  auto format = std::chars_format::general;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    format = std::chars_format::hex;
    text.remove_prefix(2);
    if (std::isxdigit(static_cast<unsigned char>(text[0])) == 0 && text[0] != '.')
      return std::nullopt;
  }
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, format);
  if (error != std::errc() || end != last || text.back() == ')') return std::nullopt;
  return negative ? -value : value;
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (text.empty() || error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace ioflux
