// SPDX-License-Identifier: GPL-2.0-only
//
// LoadTrace: a trace file, validated and packed per stream, ready to replay.
//
// One streaming pass: the file is never held, only 32 bytes per op (op_store.h) and each name once.
// Beside the ops it learns what preparation and confinement need to know of every target. An
// invalid trace is refused with its first three findings.
//
// Threading: call from one thread; the result is const and shared by all jobs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file_identity.h"
#include "base/result.h"
#include "base/stopping.h"
#include "ioengine/replay/op_store.h"
#include "trace_tools/format/trace_header.h"

namespace ioflux {

/// What the ops do to one target.
struct TargetUse {
  bool used = false;
  bool created_by_trace = false;  ///< nothing of it need exist before the run
  bool written = false;           ///< WRITE, PUT or DELETE, or an OPEN that creates or truncates
  bool filled = false;            ///< of these, anything but DELETE
  bool deleted = false;           ///< of these, DELETE
  bool by_many_streams = false;   ///< used by more than one
  std::int64_t stream = 0;        ///< that used it last
  std::int64_t read_extent_bytes = 0;     ///< largest offset + moved of READ and GET
  std::int64_t written_extent_bytes = 0;  ///< the same of WRITE and PUT
  std::int64_t written_bytes = 0;         ///< moved by WRITE and PUT
  std::int64_t read_bytes = 0;            ///< moved by READ and GET
};

struct StreamOps {
  std::int64_t stream = 0;
  std::uint32_t place = 0;  ///< in LoadedTrace::streams
  OpStore ops;
  std::uint32_t slots = 0;           ///< open files at the same time
  std::int64_t bytes = 0;            ///< moved by the source
  std::int64_t requested_bytes = 0;  ///< asked for by the source
  std::int64_t largest_op_bytes = 0;
  std::uint32_t kinds = 0;  ///< bit per OpKind that occurs
};

struct LoadedTrace {
  TraceHeader header;
  FileIdentity identity;           ///< ties a digest taken elsewhere to what was loaded
  std::vector<StreamOps> streams;  ///< ascending by stream number
  std::vector<TargetUse> targets;  ///< by target id
  std::array<std::uint64_t, kOpKinds> op_counts{};
  std::map<std::string, std::uint64_t> open_flag_words;  ///< known or not, and how often
  std::uint64_t grouped_ops = 0;                         ///< ops with a group other than 0
  std::uint64_t ops_with_duration = 0;
  std::uint64_t gaps = 0;        ///< ops that have one before them in their stream
  std::uint64_t known_gaps = 0;  ///< those whose predecessor has a duration
  std::int64_t end_ns = 0;       ///< latest recorded completion (start, where the duration lacks)

  bool writes() const;
  std::uint64_t resident_bytes() const;
};

/// A trace whose data ops ask for more in all is refused: no storage moves an exbibyte, and the
/// sums of several passes over less can be counted in 64 bits.
inline constexpr std::int64_t kMaxTraceBytes = std::int64_t{1} << 60;

/// Asks `stopping` at the start and every 4,096 ops.
Result<LoadedTrace> LoadTrace(const std::string& path, const Stopping& stopping = {});

}  // namespace ioflux
