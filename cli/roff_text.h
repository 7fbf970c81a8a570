// SPDX-License-Identifier: GPL-2.0-only
//
// Text for troff's man macros. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ioflux {

/// `text` (UTF-8) so that troff shows it as it is: control lines, backslashes, quotes and hyphens
/// lose their meaning, letters outside ASCII become named glyphs. Line ends stay, empty lines
/// become paragraph breaks.
std::string RoffText(std::string_view text);

/// `text` in bold or italics, inside a line.
std::string RoffBold(std::string_view text);
std::string RoffItalic(std::string_view text);

/// `text` line by line without filling, for examples and tables.
std::string RoffPreformatted(std::string_view text);

}  // namespace ioflux
