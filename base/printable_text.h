// SPDX-License-Identifier: GPL-2.0-only
//
// Names and texts from files, shown to people: they must not steer a terminal or break a line.
//
// Threading: pure function.
#pragma once

#include <string>
#include <string_view>

namespace ioflux {

/// `text` on one line of a terminal: control characters (line feeds too) are shown as `\xNN`, bad
/// UTF-8 as U+FFFD.
std::string Printable(std::string_view text);

}  // namespace ioflux
