// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <cstring>

#include "base/printable_text.h"

namespace ioflux {

std::string Describe(const Error& error) {
  // Names come from files: a zero byte would end the message, others would steer the terminal.
  std::string text = Printable(error.where.path);
  if (error.where.line != 0) {
    text += (text.empty() ? "line " : ":") + std::to_string(error.where.line);
  }
  if (!error.where.item.empty()) {
    const std::string item = Printable(error.where.item);
    text += text.empty() ? item : " (" + item + ")";
  }
  if (!text.empty()) text += ": ";
  text += Printable(error.what);
  if (!error.mend.empty()) text += "\n  try: " + Printable(error.mend);
  return text;
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
