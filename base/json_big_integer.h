// SPDX-License-Identifier: GPL-2.0-only
//
// Integers from 2^63 to 2^64-1 in a jansson document, which has none: inode numbers and seeds are
// unsigned. Inside the document they are nodes of their own kind that nothing else can make;
// JsonValue and DumpJson turn them into exact numbers again.
//
// Not for use outside base/json_*.
#pragma once

#include <jansson.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace ioflux {

/// A new reference; `value` is at least 2^63.
json_t* NewBigInteger(std::uint64_t value);

/// The number, if `value` is such a node.
std::optional<std::uint64_t> BigInteger(const json_t* value);

/// json_loadb() that takes integers up to 2^64-1. null with `problem` filled in when it fails.
json_t* LoadWithBigIntegers(std::string_view text, std::size_t flags, json_error_t* problem);

}  // namespace ioflux
