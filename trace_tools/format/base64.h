// SPDX-License-Identifier: GPL-2.0-only
//
// Base64 (RFC 4648 §4, with padding): how a target name that is not UTF-8 travels in `name_raw`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ioflux {

std::string EncodeBase64(std::string_view bytes);

/// Nothing when `text` is not exactly what EncodeBase64 writes.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace ioflux
