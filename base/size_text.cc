// SPDX-License-Identifier: GPL-2.0-only
#include "base/size_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/number_text.h"

namespace ioflux {
namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view suffix;  // upper case
  std::uint64_t bytes;
};

// Longest suffixes first, so that MIB is not taken for B or M.
constexpr std::array<Unit, 15> kUnits = {{
    {"PIB", std::uint64_t{1} << 50},
    {"TIB", std::uint64_t{1} << 40},
    {"GIB", std::uint64_t{1} << 30},
    {"MIB", std::uint64_t{1} << 20},
    {"KIB", std::uint64_t{1} << 10},
    {"PB", 1'000'000'000'000'000},
    {"TB", 1'000'000'000'000},
    {"GB", 1'000'000'000},
    {"MB", 1'000'000},
    {"KB", 1'000},
    {"P", std::uint64_t{1} << 50},
    {"T", std::uint64_t{1} << 40},
    {"G", std::uint64_t{1} << 30},
    {"M", std::uint64_t{1} << 20},
    {"K", std::uint64_t{1} << 10},
}};

bool EndsWithIgnoringCase(std::string_view text, std::string_view upper_suffix) {
  if (text.size() < upper_suffix.size()) return false;
  text.remove_prefix(text.size() - upper_suffix.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'a' && text[i] <= 'z' ? static_cast<char>(text[i] - 32) : text[i];
    if (c != upper_suffix[i]) return false;
  }
  return true;
}

std::string_view TrimBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Error SizeError(std::string_view text, std::string_view why) {
  return Error{.kind = ErrorKind::kUsage,
               .what = fmt::format("'{}' is not a size: {}", text, why),
               .where = {},
               .mend =
                   "write bytes (4096) or a number with KiB, MiB, GiB, TiB, PiB (powers of "
                   "1024), KB, MB, GB, TB, PB (powers of 1000) or K, M, G, T, P (as KiB …)"};
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr std::string_view kTooLarge = "it is too large";

// `digits` counts units of 10^-digits.size(); 18 digits keep the product inside 128 bits.
Result<std::uint64_t> FractionBytes(std::string_view digits, std::uint64_t unit_bytes,
                                    std::string_view text) {
  while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1);
  if (digits.empty()) return std::uint64_t{0};
  if (digits.size() > 18) return SizeError(text, "it is not a whole number of bytes");
  std::uint64_t numerator = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), numerator);
  std::uint64_t denominator = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) denominator *= 10;
  const Wide product = static_cast<Wide>(numerator) * unit_bytes;
  if (product % denominator != 0) return SizeError(text, "it is not a whole number of bytes");
  return static_cast<std::uint64_t>(product / denominator);
}

Result<std::uint64_t> ScaledSize(std::string_view number, std::uint64_t unit_bytes,
                                 std::string_view text) {
  if (!number.empty() && number[0] == '+') number.remove_prefix(1);
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view("0") : number.substr(point + 1);
  if (!number.empty() && number[0] == '-') return SizeError(text, "it is negative");
  if (!AllDigits(whole) || !AllDigits(fraction)) return SizeError(text, "there is no number");
  std::uint64_t count = 0;
  const auto parsed = std::from_chars(whole.data(), whole.data() + whole.size(), count);
  if (parsed.ec != std::errc()) return SizeError(text, kTooLarge);
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t extra, FractionBytes(fraction, unit_bytes, text));
  const Wide total = static_cast<Wide>(count) * unit_bytes + extra;
  if (total > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) {
    return SizeError(text, kTooLarge);
  }
  return static_cast<std::uint64_t>(total);
}

}  // namespace

Result<std::uint64_t> ParseSize(std::string_view text) {
  if (text.empty()) return SizeError(text, "it is empty");
  if (const std::optional<std::int64_t> plain = ParseInteger(text)) {
    if (*plain < 0) return SizeError(text, "it is negative");
    return static_cast<std::uint64_t>(*plain);
  }
  for (const Unit& unit : kUnits) {
    if (!EndsWithIgnoringCase(text, unit.suffix)) continue;
    const std::string_view number = text.substr(0, text.size() - unit.suffix.size());
    return ScaledSize(TrimBlanks(number), unit.bytes, text);
  }
  if (AllDigits(text)) return SizeError(text, kTooLarge);
  return SizeError(text, "the unit is missing or unknown");
}

std::string FormatSizeExact(std::uint64_t size_bytes) {
  constexpr std::array<std::string_view, 6> kNames = {"", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t power = 0;
  while (size_bytes != 0 && size_bytes % 1024 == 0 && power + 1 < kNames.size()) {
    size_bytes /= 1024;
    ++power;
  }
  return fmt::format("{}{}", size_bytes, kNames[power]);
}

std::string FormatSizeHuman(std::uint64_t size_bytes) {
  const auto size = static_cast<double>(size_bytes);
  if (size_bytes >= std::uint64_t{1} << 30) return fmt::format("{:.2f} GiB", size / (1 << 30));
  if (size_bytes >= std::uint64_t{1} << 20) return fmt::format("{:.2f} MiB", size / (1 << 20));
  if (size_bytes >= std::uint64_t{1} << 10) return fmt::format("{:.2f} KiB", size / (1 << 10));
  return fmt::format("{} B", size_bytes);
}

}  // namespace ioflux
