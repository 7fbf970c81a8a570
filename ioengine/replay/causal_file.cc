// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/causal_file.h"

#include <algorithm>

#include "base/saturating_math.h"

namespace ioflux {

void CausalFile::AfterChanges(const SourceOp& op, const Found& found) const {
  for (const Change& change : changes_) {
    if (change.op.IsBefore(op)) found(change.rule, change.op);
  }
}

/// What waits for the new change waits for those before it too.
void CausalFile::Replace(const SourceOp& op, CausalRule rule) {
  std::erase_if(changes_, [&](const Change& change) { return change.op.IsBefore(op); });
  changes_.push_back({op, rule});
}

void CausalFile::Open(const SourceOp& op, bool creates, bool truncates, const Found& found) {
  AfterChanges(op, found);
  for (const SourceOp& close : closes_) {
    if (close.IsBefore(op)) found(CausalRule::kOpenAfterClose, close);
  }
  if (truncates || (creates && !exists_)) {
    Replace(op, CausalRule::kUseAfterCreate);
    exists_ = true;
  }
  looks_[op.stream] = op;
}

void CausalFile::Look(const SourceOp& op, const Found& found) {
  AfterChanges(op, found);
  looks_[op.stream] = op;
}

void CausalFile::Delete(const SourceOp& op, const Found& found) {
  AfterChanges(op, found);
  for (const auto& [stream, look] : looks_) {
    if (look.IsBefore(op)) found(CausalRule::kDeleteAfterUse, look);
  }
  Replace(op, CausalRule::kUseAfterDelete);
  exists_ = false;
  looks_.clear();
  extents_.clear();
  closes_.clear();
}

void CausalFile::Read(const SourceOp& op, std::int64_t offset, std::int64_t bytes,
                      const Found& found) {
  const std::int64_t end = SaturatingAdd(offset, bytes);
  auto extent = extents_.upper_bound(offset);
  if (extent != extents_.begin()) --extent;
  for (; extent != extents_.end() && extent->first < end; ++extent) {
    if (extent->second.end <= offset) continue;
    if (extent->second.writer.IsBefore(op))
      found(CausalRule::kReadAfterWrite, extent->second.writer);
  }
}

void CausalFile::Write(const SourceOp& op, std::int64_t offset, std::int64_t bytes) {
  if (bytes <= 0) return;
  const std::int64_t end = SaturatingAdd(offset, bytes);
  auto extent = extents_.upper_bound(offset);
  if (extent != extents_.begin()) --extent;
  while (extent != extents_.end() && extent->first < end) {
    const std::int64_t old_start = extent->first;
    const Extent old = extent->second;
    if (old.end <= offset) {
      ++extent;
      continue;
    }
    extent = extents_.erase(extent);
    if (old_start < offset) extents_.emplace(old_start, Extent{offset, old.writer});
    if (old.end > end) extents_.emplace(end, old);
  }
  extents_[offset] = {end, op};
}

void CausalFile::Put(const SourceOp& op, std::int64_t bytes, const Found& found) {
  AfterChanges(op, found);
  Replace(op, CausalRule::kUseAfterCreate);
  exists_ = true;
  looks_[op.stream] = op;
  extents_.clear();
  Write(op, 0, bytes);
}

void CausalFile::Close(const SourceOp& op, const SourceOp& opened) {
  std::erase_if(closes_, [&](const SourceOp& close) {
    return close.IsBefore(opened) || close.stream == op.stream;
  });
  closes_.push_back(op);
}

}  // namespace ioflux
