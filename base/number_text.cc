// SPDX-License-Identifier: GPL-2.0-only
#include "base/number_text.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace ioflux {
namespace {

// `1.25e+18` as `1250000000000000000`; the exponent is at least the number of decimals.
std::string WithoutExponent(const std::string& scientific) {
  const std::size_t e = scientific.find('e');
  std::string text = scientific.substr(0, e);
  auto zeros = static_cast<std::size_t>(std::stoi(scientific.substr(e + 1)));
  if (const std::size_t point = text.find('.'); point != std::string::npos) {
    text.erase(point, 1);
    zeros -= text.size() - point;
  }
  return text + std::string(zeros, '0');
}

}  // namespace

std::string FormatShortest(double value) {
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const double magnitude = std::fabs(value);
  const bool exponent_form = magnitude < 1e-6 || magnitude >= 1e21;
  // From here up to_chars' fixed form has all digits, not the shortest padded with zeros.
  constexpr double kEveryIntegerExact = 9007199254740992.0;
  const bool padded_form = !exponent_form && magnitude > kEveryIntegerExact;
  char buffer[64];
  const auto end = std::to_chars(
      buffer, buffer + sizeof buffer, value,
      exponent_form || padded_form ? std::chars_format::scientific : std::chars_format::fixed);
  std::string text(buffer, end.ptr);
  if (padded_form) return WithoutExponent(text);
  // to_chars pads the exponent to two digits (1e-07); the shortest form does not.
  if (exponent_form && text[text.size() - 2] == '0' && text[text.size() - 4] == 'e') {
    text.erase(text.size() - 2, 1);
  }
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
