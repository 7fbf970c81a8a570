// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op_kind.h"

#include <algorithm>

namespace ioflux {
namespace {

constexpr std::array<std::string_view, kOpKinds> kNames = {
#define IOFLUX_OP_KIND(name, tgt, h, off, len, ret, data) #name,
#include "trace_tools/format/op_kind.def"
#undef IOFLUX_OP_KIND
};

}  // namespace

std::string_view NameOf(OpKind kind) { return kind == OpKind::kUnknown ? "?" : InfoOf(kind).name; }

std::optional<OpKind> OpKindFromName(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<OpKind>(found - kNames.begin());
}

std::span<const std::string_view> OpKindNames() { return kNames; }

}  // namespace ioflux
