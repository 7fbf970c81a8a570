// SPDX-License-Identifier: GPL-2.0-only
//
// UringQueue: the operations of a LocalBackend through io_uring.
//
// READ, WRITE and FSYNC are one ring operation each; OPEN and STAT are openat2 with the same
// resolution rules as the blocking calls (STAT opens a path descriptor and asks that); CLOSE is
// close. What needs more than one step (folders to make, O_DIRECT refused, unaligned direct I/O,
// more than one call can move) is not taken, or is done by the backend's own call when the ring has
// answered.
//
// Threading: one thread. Needs Linux 5.11 and the right to use io_uring, which containers often
// withhold.
#pragma once

#include <liburing.h>
#include <linux/openat2.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/op_queue.h"

namespace ioflux {

class LocalBackend;

/// kUnsupported, with what the kernel said, where io_uring cannot be used by this process.
Result<void> CheckUring();

class UringQueue final : public OpQueue {
 public:
  /// For at most `depth` operations under way; `backend` outlives the queue. kUnsupported, with
  /// what the kernel said, where io_uring is refused.
  static Result<std::unique_ptr<UringQueue>> Create(LocalBackend& backend, std::uint32_t depth);
  ~UringQueue() override;

  bool Takes(const QueuedOp& op) const override;
  void Add(const QueuedOp& op, std::uint32_t tag) override;
  void Submit() override;
  bool HasCompletions() const override { return io_uring_cq_ready(&ring_) != 0; }
  void Reap(std::vector<QueueCompletion>& completions) override;
  void Wait(std::int64_t timeout_ns) override;

 private:
  /// What is under way, and what the kernel reads meanwhile.
  struct Entry {
    const QueuedOp* op = nullptr;
    std::uint32_t tag = 0;
    open_how how{};
  };

  explicit UringQueue(LocalBackend& backend) : backend_(backend) {}
  Result<void> Open(std::uint32_t depth);
  Result<void> CheckOpcodes();
  io_uring_sqe* NextSqe();
  void Prepare(io_uring_sqe* sqe, Entry& entry);
  IoOutcome Finish(const Entry& entry, int result);

  LocalBackend& backend_;
  io_uring ring_{};
  bool is_open_ = false;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_entries_;
};

}  // namespace ioflux
