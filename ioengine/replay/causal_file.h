// SPDX-License-Identifier: GPL-2.0-only
//
// CausalFile: what has been done to one file so far, as far as later ops of other streams may have
// to wait for it. Part of DeriveCausalOrder.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "ioengine/replay/causal_order.h"

namespace ioflux {

/// An op at its place in the source.
struct SourceOp {
  std::uint32_t stream = 0;
  std::uint64_t place = 0;  ///< in its stream
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;  ///< the start, where the duration is unknown

  /// Whether it was over when `later`, which comes behind it in the trace, started.
  bool IsBefore(const SourceOp& later) const {
    return end_ns < later.start_ns || (end_ns == later.start_ns && start_ns < later.start_ns);
  }
};

class CausalFile {
 public:
  using Found = std::function<void(CausalRule, const SourceOp&)>;

  explicit CausalFile(bool exists) : exists_(exists) {}

  /// Each tells `found` what `op` has to wait for, and remembers it.
  void Open(const SourceOp& op, bool creates, bool truncates, const Found& found);
  void Look(const SourceOp& op, const Found& found);
  void Delete(const SourceOp& op, const Found& found);
  void Read(const SourceOp& op, std::int64_t offset, std::int64_t bytes, const Found& found);
  void Write(const SourceOp& op, std::int64_t offset, std::int64_t bytes);
  /// PUT: made and written as a whole.
  void Put(const SourceOp& op, std::int64_t bytes, const Found& found);
  /// Of a handle that wrote and was opened by `opened`.
  void Close(const SourceOp& op, const SourceOp& opened);

 private:
  struct Change {
    SourceOp op;
    CausalRule rule;
  };
  struct Extent {
    std::int64_t end = 0;
    SourceOp writer;
  };

  void AfterChanges(const SourceOp& op, const Found& found) const;
  void Replace(const SourceOp& op, CausalRule rule);

  bool exists_;
  std::vector<Change> changes_;              // of the name; none of them before another
  std::map<std::uint32_t, SourceOp> looks_;  // the last of each stream since the last DELETE
  std::vector<SourceOp> closes_;             // of writers; none of them before the OPEN of another
  std::map<std::int64_t, Extent> extents_;   // by offset, disjoint
};

}  // namespace ioflux
