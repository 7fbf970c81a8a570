// SPDX-License-Identifier: GPL-2.0-only
//
// OpKind: the ten kinds of operation and what each carries (op_kind.def).
//
// Threading: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ioflux {

enum class OpKind : std::uint8_t {
#define IOFLUX_OP_KIND(name, tgt, h, off, len, ret, data) k##name,
#include "trace_tools/format/op_kind.def"
#undef IOFLUX_OP_KIND
  kUnknown,
};
inline constexpr int kOpKinds = static_cast<int>(OpKind::kUnknown);

enum class Presence : std::uint8_t { kForbidden, kOptional, kRequired };
enum class DataDirection : std::uint8_t { kNone, kRead, kWrite };

struct OpKindInfo {
  std::string_view name;
  Presence target, handle, offset, length, returned;
  DataDirection data;
};

namespace op_kind_table {

// The letters of op_kind.def.
inline constexpr Presence kR = Presence::kRequired;
inline constexpr Presence kO = Presence::kOptional;
inline constexpr Presence kN = Presence::kForbidden;

inline constexpr std::array<OpKindInfo, kOpKinds> kRows = {{
#define IOFLUX_OP_KIND(name, tgt, h, off, len, ret, data) \
  {#name, k##tgt, k##h, k##off, k##len, k##ret, DataDirection::k##data},
#include "trace_tools/format/op_kind.def"
#undef IOFLUX_OP_KIND
}};

}  // namespace op_kind_table

/// Of a known kind.
constexpr const OpKindInfo& InfoOf(OpKind kind) {
  return op_kind_table::kRows[static_cast<std::size_t>(kind)];
}
std::string_view NameOf(OpKind kind);                    ///< "READ"; "?" for kUnknown
std::optional<OpKind> OpKindFromName(std::string_view);  ///< exact, upper case
std::span<const std::string_view> OpKindNames();         ///< of the ten

}  // namespace ioflux
