// SPDX-License-Identifier: GPL-2.0-only
//
// OpQueue: many operations of one thread in flight at a backend at the same time.
//
//   queue.Add(op, tag)      what is to be done; nothing happens yet
//   queue.Submit()          all that was added is on its way
//   queue.Reap(into)        what has ended since the last Reap, in any order
//
// A queue need not take every operation; what it does not take is performed with the backend's own
// calls, which block. Like them a queue never retries, never judges a count, and says what moved
// and which errno came back.
//
// Threading: one thread, the one that made it. Ownership: an operation that was added, and what it
// points to, must outlive its completion.
#pragma once

#include <cstdint>
#include <vector>

#include "ioengine/backend/backend.h"

namespace ioflux {

struct QueuedOp {
  enum class Kind : std::uint8_t { kOther, kOpen, kRead, kWrite, kSync, kClose, kStat };
  Kind kind = Kind::kOther;  ///< kOther is never taken
  OpenRequest open{};
  const BackendTarget* target = nullptr;  ///< kOpen, kStat
  BackendHandle handle = kNoHandle;       ///< kRead, kWrite, kSync, kClose
  BackendHandle* opened = nullptr;        ///< kOpen: gets the handle, kNoHandle after a failure
  std::int64_t offset = 0;
  std::int64_t length_bytes = 0;
  char* buffer = nullptr;
};

struct QueueCompletion {
  std::uint32_t tag = 0;
  IoOutcome outcome;
};

class OpQueue {
 public:
  virtual ~OpQueue() = default;

  /// Whether Add would take it.
  virtual bool Takes(const QueuedOp& op) const = 0;
  /// At most as many operations as the queue was made for may be under way. `tag` comes back with
  /// the completion.
  virtual void Add(const QueuedOp& op, std::uint32_t tag) = 0;
  virtual void Submit() = 0;
  /// Without entering the kernel.
  virtual bool HasCompletions() const = 0;
  /// Appends to `completions`; never waits.
  virtual void Reap(std::vector<QueueCompletion>& completions) = 0;
  /// Returns when something has ended, after `timeout_ns`, or earlier.
  virtual void Wait(std::int64_t timeout_ns) = 0;
};

}  // namespace ioflux
