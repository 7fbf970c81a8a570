// SPDX-License-Identifier: GPL-2.0-only
#include "base/printable_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace ioflux {
namespace {

std::string AsNumber(unsigned char byte) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  return {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = Utf8SequenceBytes(text.substr(i));
    const auto lead = static_cast<unsigned char>(text[i]);
    // C1 controls (U+0080 to U+009F) steer a terminal as well as C0 and DEL do.
    const bool c1 = bytes == 2 && lead == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (bytes == 0) {
      shown += kReplacementCharacter;
    } else if (lead < 0x20 || lead == 0x7F) {
      shown += AsNumber(lead);
    } else if (c1) {
      shown += AsNumber(static_cast<unsigned char>(text[i + 1]));
    } else {
      shown += text.substr(i, bytes);
    }
    i += std::max<std::size_t>(bytes, 1);
  }
  return shown;
}

}  // namespace ioflux
