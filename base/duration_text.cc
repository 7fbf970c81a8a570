// SPDX-License-Identifier: GPL-2.0-only
#include "base/duration_text.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace ioflux {
namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  std::int64_t ns;
};

// A name that begins with another one stands before it.
constexpr std::array<Unit, 9> kUnits = {{
    {"ns", 1},
    {"us", 1'000},
    {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},  // Greek mu
    {"min", 60'000'000'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
}};
constexpr Unit kDay = {"d", 86'400'000'000'000};

Error DurationError(std::string_view text, std::string_view why) {
  return Error{.kind = ErrorKind::kUsage,
               .what = fmt::format("'{}' is not a duration: {}", text, why),
               .where = {},
               .mend = "write a number with ns, us, ms, s, min (or m), h or d: 200ms, 1.5s, 1m30s"};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void SkipBlanks(std::string_view& rest) {
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
}

struct Decimal {
  Wide numerator = 0;
  Wide denominator = 1;
};

// 19 digits in all keep numerator x one day inside 128 bits.
Result<Decimal> TakeDecimal(std::string_view& rest, std::string_view text) {
  Decimal decimal;
  int digits = 0;
  bool point_seen = false;
  while (!rest.empty() && (IsDigit(rest[0]) || (rest[0] == '.' && !point_seen && digits > 0))) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '.') {
      point_seen = true;
      if (rest.empty() || !IsDigit(rest[0])) return DurationError(text, "a digit must follow '.'");
      continue;
    }
    if (++digits > 19) return DurationError(text, "it has too many digits");
    decimal.numerator = decimal.numerator * 10 + static_cast<unsigned>(c - '0');
    if (point_seen) decimal.denominator *= 10;
  }
  if (digits == 0) return DurationError(text, "a number is missing");
  return decimal;
}

const Unit* TakeUnit(std::string_view& rest) {
  for (const Unit& unit : kUnits) {
    if (!rest.starts_with(unit.name)) continue;
    rest.remove_prefix(unit.name.size());
    return &unit;
  }
  if (!rest.starts_with(kDay.name)) return nullptr;
  rest.remove_prefix(kDay.name.size());
  return &kDay;
}

}  // namespace

Result<std::int64_t> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  if (rest.empty()) return DurationError(text, "it is empty");
  if (rest[0] == '-') return DurationError(text, "it is negative");
  Wide total = 0;
  while (!rest.empty()) {
    IOFLUX_ASSIGN_OR_RETURN(const Decimal decimal, TakeDecimal(rest, text));
    if (rest.empty() && decimal.numerator == 0 && total == 0) return std::int64_t{0};
    SkipBlanks(rest);
    const Unit* unit = TakeUnit(rest);
    if (unit == nullptr) return DurationError(text, "the unit is missing or unknown");
    const Wide scaled = decimal.numerator * static_cast<Wide>(unit->ns);
    if (scaled % decimal.denominator != 0) {
      return DurationError(text, "it is finer than a nanosecond");
    }
    total += scaled / decimal.denominator;
    if (total > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) {
      return DurationError(text, "it is too long");
    }
    if (!rest.empty()) SkipBlanks(rest);
  }
  return static_cast<std::int64_t>(total);
}

std::string FormatDuration(std::int64_t duration_ns) {
  const auto ns = static_cast<double>(duration_ns);
  if (duration_ns == 0) return "0s";
  if (duration_ns >= 1'000'000'000) return fmt::format("{:.3f}s", ns / 1e9);
  if (duration_ns >= 1'000'000) return fmt::format("{:.1f}ms", ns / 1e6);
  if (duration_ns >= 1'000) return fmt::format("{:.1f}µs", ns / 1e3);
  return fmt::format("{}ns", duration_ns);
}

}  // namespace ioflux
