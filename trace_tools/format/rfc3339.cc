// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/rfc3339.h"

#include <algorithm>

namespace ioflux {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// `pattern` holds `0` for a digit; any other character stands for itself.
bool TakePattern(std::string_view& text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '0' ? !IsDigit(text[i]) : text[i] != pattern[i]) return false;
  }
  text.remove_prefix(pattern.size());
  return true;
}

int TwoDigits(std::string_view text) { return (text[0] - '0') * 10 + (text[1] - '0'); }

int DaysOf(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool IsOffset(std::string_view text) {
  if (text == "Z") return true;
  std::string_view rest = text;
  if (!TakePattern(rest, "+00:00") && !TakePattern(rest, "-00:00")) return false;
  return rest.empty() && TwoDigits(text.substr(1)) < 24 && TwoDigits(text.substr(4)) < 60;
}

}  // namespace

bool IsRfc3339Time(std::string_view text) {
  std::string_view rest = text;
  if (!TakePattern(rest, "0000-00-00T00:00:00")) return false;
  const int year = TwoDigits(text) * 100 + TwoDigits(text.substr(2));
  const int month = TwoDigits(text.substr(5));
  const int day = TwoDigits(text.substr(8));
  if (month < 1 || month > 12 || day < 1 || day > DaysOf(year, month)) return false;
  // A minute may have a 61st second when a leap second is put in.
  if (TwoDigits(text.substr(11)) > 23 || TwoDigits(text.substr(14)) > 59) return false;
  if (TwoDigits(text.substr(17)) > 60) return false;
  if (rest.starts_with('.')) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end == 1) return false;
    rest.remove_prefix(end);
  }
  return IsOffset(rest);
}

}  // namespace ioflux
