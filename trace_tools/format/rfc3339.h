// SPDX-License-Identifier: GPL-2.0-only
//
// Whether a text is a point in time as RFC 3339 writes it: 2026-01-02T03:04:05Z, with an optional
// fraction, and `Z` or an offset such as +01:00.
#pragma once

#include <string_view>

namespace ioflux {

bool IsRfc3339Time(std::string_view text);

}  // namespace ioflux
