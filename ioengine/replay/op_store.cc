// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/op_store.h"

#include <algorithm>

namespace ioflux {
namespace {

constexpr std::uint32_t kFirstChunkOps = 16;
constexpr std::uint32_t kLargestChunkOps = 8192;
constexpr std::int64_t kOffsetLimit = std::int64_t{1} << 55;

bool Fits32(std::int64_t value) { return value >= 0 && value < UINT32_MAX; }

}  // namespace

void OpStore::Append(const ReplayOp& op) {
  if (chunks_.empty() || chunks_.back().size == chunks_.back().capacity) {
    const std::uint32_t capacity =
        chunks_.empty() ? kFirstChunkOps : std::min(chunks_.back().capacity * 2, kLargestChunkOps);
    chunks_.push_back({std::make_unique_for_overwrite<PackedOp[]>(capacity), 0, capacity});
  }
  PackedOp packed{};
  packed.t_ns = op.t_ns;
  packed.ref = op.slot;
  std::uint64_t bits = static_cast<std::uint64_t>(op.kind);
  std::int64_t offset = op.offset;
  std::int64_t length_bytes = op.length_bytes;
  switch (op.kind) {
    case OpKind::kOPEN:  // has neither offset nor length: their room holds the bits and the slot
      packed.ref = op.target;
      offset = op.open_bits;
      length_bytes = op.slot;
      break;
    case OpKind::kSTAT:
    case OpKind::kGET:
    case OpKind::kPUT:
    case OpKind::kHEAD:
    case OpKind::kDELETE:
      packed.ref = op.target;
      break;
    default:
      break;
  }
  const bool has_length = InfoOf(op.kind).data != DataDirection::kNone;
  if (has_length && op.expected_bytes != op.length_bytes) {
    bits |= kReturnedBit;
    returned_.push_back(op.expected_bytes);
  }
  const bool duration_fits = op.duration_ns == -1 || Fits32(op.duration_ns);
  if (offset < kOffsetLimit && Fits32(length_bytes) && duration_fits && Fits32(op.op_id)) {
    packed.length = static_cast<std::uint32_t>(length_bytes);
    packed.op_id = static_cast<std::uint32_t>(op.op_id);
    packed.duration_ns =
        op.duration_ns == -1 ? kNoDuration : static_cast<std::uint32_t>(op.duration_ns);
    bits |= static_cast<std::uint64_t>(offset) << kOffsetShift;
  } else {
    bits |= kWideBit;
    wide_.push_back({offset, length_bytes, op.duration_ns, op.op_id});
  }
  packed.offset_and_kind = bits;
  Chunk& chunk = chunks_.back();
  chunk.ops[chunk.size++] = packed;
  ++size_;
}

void OpStore::Finish() {
  wide_.shrink_to_fit();
  returned_.shrink_to_fit();
}

std::uint64_t OpStore::resident_bytes() const {
  std::uint64_t bytes =
      wide_.capacity() * sizeof(WideOp) + returned_.capacity() * sizeof(std::int64_t);
  for (const Chunk& chunk : chunks_) bytes += chunk.capacity * sizeof(PackedOp);
  return bytes;
}

void OpCursor::Rewind() {
  chunk_ = 0;
  position_ = end_ = nullptr;
  next_wide_ = next_returned_ = 0;
}

bool OpCursor::NextChunk() {
  if (chunk_ == store_->chunks_.size()) return false;
  const OpStore::Chunk& chunk = store_->chunks_[chunk_++];
  position_ = chunk.ops.get();
  end_ = position_ + chunk.size;
  return true;
}

void OpCursor::Unfold(const OpStore::PackedOp& packed, ReplayOp& op) {
  if ((packed.offset_and_kind & OpStore::kWideBit) != 0) {
    const OpStore::WideOp& wide = store_->wide_[next_wide_++];
    op.offset = wide.offset;
    op.length_bytes = wide.length_bytes;
    op.duration_ns = wide.duration_ns;
    op.op_id = wide.op_id;
  }
  if (op.kind == OpKind::kOPEN) {
    op.open_bits = static_cast<std::uint32_t>(op.offset);
    op.slot = static_cast<std::uint32_t>(op.length_bytes);
    op.offset = op.length_bytes = 0;
  }
  op.expected_bytes = (packed.offset_and_kind & OpStore::kReturnedBit) != 0
                          ? store_->returned_[next_returned_++]
                          : op.length_bytes;
}

}  // namespace ioflux
