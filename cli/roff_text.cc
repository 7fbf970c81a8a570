// SPDX-License-Identifier: GPL-2.0-only
#include "cli/roff_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/utf8.h"

namespace ioflux {
namespace {

// Characters troff would read as something else.
std::string_view Escape(char c) {
  switch (c) {
    case '\\':
      return "\\[rs]";
    case '-':
      return "\\-";
    case '\'':
      return "\\[aq]";
    case '`':
      return "\\[ga]";
    case '^':
      return "\\[ha]";
    case '~':
      return "\\[ti]";
    case '"':
      return "\\[dq]";
    default:
      return {};
  }
}

// Takes one code point off the front of `text`, which starts with a byte above 127. A byte that is
// no UTF-8 is shown as the replacement character.
std::uint32_t TakeCodePoint(std::string_view& text) {
  const std::size_t bytes = Utf8SequenceBytes(text);
  if (bytes < 2) {
    text.remove_prefix(1);
    return 0xFFFD;
  }
  std::uint32_t code = static_cast<unsigned char>(text[0]) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i)
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(bytes);
  return code;
}

std::string OneLine(std::string_view line) {
  std::string roff;
  if (line.starts_with('.')) roff = "\\&";  // else it would be a request
  while (!line.empty()) {
    const char c = line.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      roff += fmt::format("\\[u{:04X}]", TakeCodePoint(line));
      continue;
    }
    const std::string_view escape = Escape(c);
    roff += escape.empty() ? std::string_view(&c, 1) : escape;
    line.remove_prefix(1);
  }
  return roff;
}

std::string LineByLine(std::string_view text, std::string_view empty_line) {
  std::string roff;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!roff.empty()) roff += '\n';
    roff += end == 0 ? std::string(empty_line) : OneLine(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return roff;
}

}  // namespace

std::string RoffText(std::string_view text) { return LineByLine(text, ".PP"); }

std::string RoffBold(std::string_view text) { return "\\fB" + OneLine(text) + "\\fR"; }
std::string RoffItalic(std::string_view text) { return "\\fI" + OneLine(text) + "\\fR"; }

std::string RoffPreformatted(std::string_view text) {
  return ".nf\n" + LineByLine(text, ".sp") + "\n.fi\n";
}

}  // namespace ioflux
