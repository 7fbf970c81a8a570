// SPDX-License-Identifier: GPL-2.0-only
//
// Op: one line of a trace, one operation of the source program.
//
// Units: times are nanoseconds since the start of the trace, offsets and lengths bytes. Optional
// members are presence-sensitive: a written 0 and an absent member differ, so ask Has() first.
// Passive data; the rules about it are the validator's (rules.def).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/op_kind.h"

namespace ioflux {

enum class OpenMode : std::uint8_t { kNone, kRead, kWrite, kReadWrite, kUnknown };
std::string_view TextOf(OpenMode mode);  ///< "r", "w", "rw"; "" for kNone and kUnknown
std::optional<OpenMode> OpenModeFromText(std::string_view text);  ///< one of those three

/// Optional members of an op line.
enum class OpField : std::uint16_t {
  kOpId = 1 << 0,
  kGroup = 1 << 1,
  kTarget = 1 << 2,
  kHandle = 1 << 3,
  kOffset = 1 << 4,
  kLength = 1 << 5,
  kReturned = 1 << 6,
  kDuration = 1 << 7,
  kTime = 1 << 8,    ///< read side: `t` was written (a writer always writes it)
  kStream = 1 << 9,  ///< read side: `s` was written
};

struct Op {
  std::int64_t t_ns = 0;
  std::int64_t op_id = 0;
  std::int64_t stream = 0;
  std::int64_t group = 0;
  std::int64_t target = 0;  ///< index into TraceHeader::targets
  std::int64_t handle = 0;
  std::int64_t offset = 0;
  std::int64_t length_bytes = 0;    ///< requested
  std::int64_t returned_bytes = 0;  ///< moved by the source; absent = length_bytes
  std::int64_t duration_ns = 0;
  std::uint16_t present = 0;  ///< OpField bits
  OpKind kind = OpKind::kUnknown;
  OpenMode mode = OpenMode::kNone;
  std::vector<std::string> flags;  ///< OPEN: words as written, in order; see kOpenFlagWords
  std::string kind_text;           ///< as written; only when kind is kUnknown
  std::string mode_text;           ///< as written; only when mode is kUnknown

  bool Has(OpField field) const { return (present & static_cast<std::uint16_t>(field)) != 0; }
  bool HasAll(std::uint16_t fields) const { return (present & fields) == fields; }
  void Put(OpField field) {
    present = static_cast<std::uint16_t>(present | static_cast<std::uint16_t>(field));
  }
  void Remove(OpField field) {
    present = static_cast<std::uint16_t>(present & ~static_cast<std::uint16_t>(field));
  }

  // Setters that also mark the member present.
  Op& SetOpId(std::int64_t v) {
    op_id = v;
    Put(OpField::kOpId);
    return *this;
  }
  Op& SetTarget(std::int64_t v) {
    target = v;
    Put(OpField::kTarget);
    return *this;
  }
  Op& SetHandle(std::int64_t v) {
    handle = v;
    Put(OpField::kHandle);
    return *this;
  }
  Op& SetOffset(std::int64_t v) {
    offset = v;
    Put(OpField::kOffset);
    return *this;
  }
  Op& SetLength(std::int64_t v) {
    length_bytes = v;
    Put(OpField::kLength);
    return *this;
  }
  Op& SetReturned(std::int64_t v) {
    returned_bytes = v;
    Put(OpField::kReturned);
    return *this;
  }
  Op& SetDuration(std::int64_t v) {
    duration_ns = v;
    Put(OpField::kDuration);
    return *this;
  }
  Op& SetGroup(std::int64_t v) {
    group = v;
    Put(OpField::kGroup);
    return *this;
  }

  /// Bytes the source moved: `ret` if present, else `len`.
  std::int64_t MovedBytes() const {
    return Has(OpField::kReturned) ? returned_bytes : length_bytes;
  }
};

/// The OPEN flag words a replay understands; other words are legal and kept.
inline constexpr std::array<std::string_view, 7> kOpenFlagWords = {
    "direct", "create", "trunc", "append", "sync", "seq", "rand"};

}  // namespace ioflux
