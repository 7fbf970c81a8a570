// SPDX-License-Identifier: GPL-2.0-only
//
// OpRecord: one operation as TraceBuilder keeps it, small and without strings. Passive data.
#pragma once

#include <cstdint>
#include <limits>

#include "trace_tools/format/op.h"

namespace ioflux {

using StreamId = std::uint32_t;
using TargetId = std::uint32_t;
using HandleId = std::uint32_t;
inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();

/// Words of an OPEN as bits, in the order in which they are written.
using OpenFlags = std::uint8_t;
inline constexpr OpenFlags kOpenDirect = 1 << 0;
inline constexpr OpenFlags kOpenCreate = 1 << 1;
inline constexpr OpenFlags kOpenTruncate = 1 << 2;
inline constexpr OpenFlags kOpenAppend = 1 << 3;
inline constexpr OpenFlags kOpenSync = 1 << 4;
inline constexpr OpenFlags kOpenSequential = 1 << 5;
inline constexpr OpenFlags kOpenRandom = 1 << 6;

inline constexpr std::int64_t kNoDuration = -1;

/// Where an operation comes from.
struct OpOrigin {
  std::int64_t t_ns = 0;  ///< on the source's clock
  std::int64_t duration_ns = kNoDuration;
  std::uint16_t call = 0;  ///< importer's number of the call
  std::uint8_t lines = 0;  ///< of the source that are counted as this operation
  /// Stands for no call of this stream, so it yields to the times of the stream's calls.
  bool synthetic = false;
};

struct OpRecord {
  std::int64_t t_ns;
  std::int64_t duration_ns;
  std::uint64_t offset;
  std::uint64_t length_bytes;
  std::uint64_t returned_bytes;
  StreamId stream;
  std::uint32_t subject;  // the target of OPEN and STAT, else the handle
  std::uint32_t handle;   // of OPEN
  OpKind kind;
  OpenMode mode;
  OpenFlags flags;
  std::uint8_t lines;
  std::uint16_t call;
  bool synthetic;
  bool dropped;
};
static_assert(sizeof(OpRecord) == 64);

}  // namespace ioflux
