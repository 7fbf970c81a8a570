// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op.h"

namespace ioflux {
std::string_view TextOf(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead:
      return "r";
    case OpenMode::kWrite:
      return "w";
    case OpenMode::kReadWrite:
      return "rw";
    case OpenMode::kNone:
    case OpenMode::kUnknown:
      break;
  }
  return "";
}

std::optional<OpenMode> OpenModeFromText(std::string_view text) {
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite, OpenMode::kReadWrite}) {
    if (TextOf(mode) == text) return mode;
  }
  return std::nullopt;
}

}  // namespace ioflux
