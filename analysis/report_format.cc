// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/report_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/duration_text.h"
#include "base/utf8.h"

namespace ioflux {
namespace {

/// Characters of well-formed UTF-8: every byte that does not continue one.
std::size_t CharacterCount(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string Blanks(std::string_view text, std::size_t width) {
  const std::size_t used = CharacterCount(text);
  return std::string(used < width ? width - used : 0, ' ');
}

}  // namespace

std::string FormatSignedDuration(std::int64_t duration_ns) {
  if (duration_ns == 0) return "0s";
  if (duration_ns < 0) return "-" + FormatDuration(-duration_ns);
  return "+" + FormatDuration(duration_ns);
}

std::string FormatMicroseconds(std::int64_t latency_ns) {
  if (latency_ns == 0) return "-";
  const double us = static_cast<double>(latency_ns) / 1000;
  if (us >= 1000) return fmt::format("{:.0f}", us);
  if (us >= 10) return fmt::format("{:.1f}", us);
  return fmt::format("{:.2f}", us);
}

std::string FormatCount(double count) {
  if (count >= 1e6) return fmt::format("{:.2f}M", count / 1e6);
  if (count >= 1e3) return fmt::format("{:.1f}k", count / 1e3);
  return fmt::format("{:.0f}", count);
}

std::string FormatPercent(double percent) { return fmt::format("{:.1f}%", percent); }
std::string FormatSignedPercent(double percent) { return fmt::format("{:+.1f}%", percent); }

std::string Counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string PadLeft(std::string_view text, std::size_t width) {
  return Blanks(text, width) + std::string(text);
}

std::string PadRight(std::string_view text, std::size_t width) {
  return std::string(text) + Blanks(text, width);
}

}  // namespace ioflux
