// SPDX-License-Identifier: GPL-2.0-only
//
// OpStore: the operations of one stream, resident in 32 bytes each.
//
// What does not fit 32 bits (or is rare) goes to side lists that are read in step: a `wide` op
// takes its values from the next WideOp, an op with a recorded `ret` takes it from the next entry
// of `returned`. Handles and targets are small indices; the loader resolved them. Ops are stored in
// chunks, so growing copies nothing.
//
// Threading: filled by one thread, then const. Each OpCursor belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace_tools/format/op.h"

namespace ioflux {

/// One operation as the replayer sees it.
struct ReplayOp {
  std::int64_t t_ns = 0;
  std::int64_t offset = 0;
  std::int64_t length_bytes = 0;
  std::int64_t expected_bytes = 0;  ///< what the source moved
  std::int64_t duration_ns = -1;    ///< of the source op; -1 unknown
  std::int64_t op_id = 0;
  std::uint32_t target = 0;     ///< OPEN STAT GET PUT HEAD DELETE
  std::uint32_t slot = 0;       ///< OPEN READ WRITE FSYNC CLOSE: which open file of the stream
  std::uint32_t open_bits = 0;  ///< OPEN: OpenBits
  OpKind kind = OpKind::kUnknown;
};

/// How a file is opened.
enum OpenBits : std::uint32_t {
  kOpenRead = 1,
  kOpenWrite = 2,
  kOpenCreate = 4,
  kOpenTruncate = 8,
  kOpenSync = 16,
  kOpenAppend = 32,
  kOpenDirect = 64,
  kOpenSequential = 128,
  kOpenRandom = 256,
};

class OpCursor;

class OpStore {
 public:
  void Append(const ReplayOp& op);
  /// Gives back slack of the side lists. After the last Append.
  void Finish();

  std::uint64_t size() const { return size_; }
  std::uint64_t resident_bytes() const;

 private:
  friend class OpCursor;

  struct PackedOp {
    std::int64_t t_ns;
    std::uint64_t offset_and_kind;  // offset << 8 | wide << 5 | returned << 4 | kind
    std::uint32_t length;           // OPEN: slot
    std::uint32_t ref;              // target or slot
    std::uint32_t op_id;
    std::uint32_t duration_ns;  // kNoDuration = unknown
  };
  static_assert(sizeof(PackedOp) == 32);

  struct WideOp {
    std::int64_t offset, length_bytes, duration_ns, op_id;
  };

  struct Chunk {
    std::unique_ptr<PackedOp[]> ops;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };

  static constexpr std::uint32_t kNoDuration = UINT32_MAX;
  static constexpr std::uint64_t kReturnedBit = 1 << 4;
  static constexpr std::uint64_t kWideBit = 1 << 5;
  static constexpr int kOffsetShift = 8;

  std::vector<Chunk> chunks_;
  std::vector<WideOp> wide_;
  std::vector<std::int64_t> returned_;
  std::uint64_t size_ = 0;
};

/// Reads a store from the start to its end.
class OpCursor {
 public:
  explicit OpCursor(const OpStore& store) : store_(&store) { Rewind(); }

  void Rewind();

  /// The next op into `op`; false at the end.
  bool Next(ReplayOp& op) {
    if (position_ == end_) [[unlikely]] {
      if (!NextChunk()) return false;
    }
    const OpStore::PackedOp& packed = *position_++;
    __builtin_prefetch(position_ + kPrefetchedOps);
    op.t_ns = packed.t_ns;
    op.kind = static_cast<OpKind>(packed.offset_and_kind & 15);
    op.offset = static_cast<std::int64_t>(packed.offset_and_kind >> OpStore::kOffsetShift);
    op.length_bytes = packed.length;
    op.op_id = packed.op_id;
    op.duration_ns =
        packed.duration_ns == OpStore::kNoDuration ? std::int64_t{-1} : packed.duration_ns;
    op.target = op.slot = packed.ref;
    if ((packed.offset_and_kind & (OpStore::kWideBit | OpStore::kReturnedBit)) != 0 ||
        op.kind == OpKind::kOPEN) [[unlikely]] {
      Unfold(packed, op);
    } else {
      op.expected_bytes = op.length_bytes;
    }
    return true;
  }

 private:
  /// Ahead of the op at hand: the ops of a long trace come from memory, not from a cache.
  static constexpr int kPrefetchedOps = 16;

  bool NextChunk();
  void Unfold(const OpStore::PackedOp& packed, ReplayOp& op);

  const OpStore* store_;
  std::size_t chunk_ = 0;
  const OpStore::PackedOp* position_ = nullptr;
  const OpStore::PackedOp* end_ = nullptr;
  std::size_t next_wide_ = 0;
  std::size_t next_returned_ = 0;
};

}  // namespace ioflux
