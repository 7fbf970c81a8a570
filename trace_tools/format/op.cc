// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op.h"

namespace ioflux {
namespace {

// The letters of op_kind.def.
constexpr Presence kPresenceR = Presence::kRequired;
constexpr Presence kPresenceO = Presence::kOptional;
constexpr Presence kPresenceN = Presence::kForbidden;

constexpr std::array<OpKindInfo, kOpKinds> kKinds = {{
#define IOFLUX_OP_KIND(name, tgt, h, off, len, ret, data)                 \
  {#name,          kPresence##tgt, kPresence##h,          kPresence##off, \
   kPresence##len, kPresence##ret, DataDirection::k##data},
#include "trace_tools/format/op_kind.def"
#undef IOFLUX_OP_KIND
}};

}  // namespace

const OpKindInfo& InfoOf(OpKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view NameOf(OpKind kind) { return kind == OpKind::kUnknown ? "?" : InfoOf(kind).name; }

std::optional<OpKind> OpKindFromName(std::string_view name) {
  for (int i = 0; i < kOpKinds; ++i) {
    if (kKinds[static_cast<std::size_t>(i)].name == name) return static_cast<OpKind>(i);
  }
  return std::nullopt;
}

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
