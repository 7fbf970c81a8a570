// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <cstring>

namespace ioflux {
namespace {

// Names come from files: a zero byte would end the message, others would steer the terminal.
std::string WithoutControls(const std::string& text) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
      shown += c;
    } else {
      shown += {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    }
  }
  return shown;
}

}  // namespace

std::string Describe(const Error& error) {
  std::string text = error.where.path;
  if (error.where.line != 0) {
    text += (text.empty() ? "line " : ":") + std::to_string(error.where.line);
  }
  if (!error.where.item.empty()) {
    text += text.empty() ? error.where.item : " (" + error.where.item + ")";
  }
  if (!text.empty()) text += ": ";
  text += error.what;
  if (!error.mend.empty()) text += "\n  try: " + error.mend;
  return WithoutControls(text);
}

Error SystemError(const std::string& what, int errno_value, Where where, std::string mend) {
  // strerrordesc_np neither uses a shared buffer nor changes with the locale.
  const char* reason = strerrordesc_np(errno_value);
  return Error{
      .kind = ErrorKind::kIo,
      .what = what + ": " + (reason != nullptr ? reason : "error " + std::to_string(errno_value)),
      .where = std::move(where),
      .mend = std::move(mend)};
}

}  // namespace ioflux
