// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/uring_queue.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "ioengine/backend/local_backend.h"
#include "ioengine/backend/local_handle.h"

namespace ioflux {
namespace {

/// Linux moves no more in one call, whatever is asked (MAX_RW_COUNT).
constexpr std::int64_t kMostBytesPerCall = 0x7ffff000;
constexpr std::uint32_t kLeastEntries = 8;

Error Refused(const std::string& what, int error) {
  Error refused = SystemError(what, error, {},
                              "use --io psync, or allow io_uring: sysctl "
                              "kernel.io_uring_disabled, the seccomp profile of the container");
  refused.kind = ErrorKind::kUnsupported;
  return refused;
}

bool CanGoDirect(LocalHandle file, const QueuedOp& op) {
  const DirectAlignment alignment = file.alignment();
  return IsAligned(alignment, op.offset, op.length_bytes) &&
         reinterpret_cast<std::uintptr_t>(op.buffer) % alignment.memory_bytes == 0;
}

/// 0, or -errno. Plain rings are what kernels before 6.0 know.
int SetUp(io_uring* ring, std::uint32_t depth) {
  const std::uint32_t entries = std::max(depth, kLeastEntries);
  io_uring_params params{};
  params.flags = IORING_SETUP_CLAMP | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN;
  const int result = io_uring_queue_init_params(entries, ring, &params);
  if (result != -EINVAL) return result;
  params = {};
  params.flags = IORING_SETUP_CLAMP;
  return io_uring_queue_init_params(entries, ring, &params);
}

}  // namespace

Result<void> CheckUring() {
  LocalBackend backend(FileRoot::Unconfined());
  IOFLUX_RETURN_IF_ERROR(UringQueue::Create(backend, kLeastEntries));
  return {};
}

Result<std::unique_ptr<UringQueue>> UringQueue::Create(LocalBackend& backend, std::uint32_t depth) {
  std::unique_ptr<UringQueue> queue(new UringQueue(backend));
  IOFLUX_RETURN_IF_ERROR(queue->Open(depth));
  return queue;
}

UringQueue::~UringQueue() {
  if (is_open_) io_uring_queue_exit(&ring_);
}

Result<void> UringQueue::Open(std::uint32_t depth) {
  const int result = SetUp(&ring_, depth);
  if (result < 0) return Refused("io_uring cannot be used here", -result);
  is_open_ = true;
  IOFLUX_RETURN_IF_ERROR(CheckOpcodes());
  entries_.resize(depth);
  for (std::uint32_t i = depth; i > 0; --i) free_entries_.push_back(i - 1);
  return {};
}

Result<void> UringQueue::CheckOpcodes() {
  io_uring_probe* probe = io_uring_get_probe_ring(&ring_);
  bool complete = probe != nullptr && (ring_.features & IORING_FEAT_EXT_ARG) != 0;
  for (const int opcode :
       {IORING_OP_READ, IORING_OP_WRITE, IORING_OP_FSYNC, IORING_OP_OPENAT2, IORING_OP_CLOSE}) {
    complete = complete && io_uring_opcode_supported(probe, opcode) != 0;
  }
  io_uring_free_probe(probe);
  if (complete) return {};
  return Refused("the io_uring of this kernel lacks operations that a replay needs", ENOSYS);
}

bool UringQueue::Takes(const QueuedOp& op) const {
  switch (op.kind) {
    case QueuedOp::Kind::kOther:
      return false;
    case QueuedOp::Kind::kRead:
    case QueuedOp::Kind::kWrite: {
      if (op.length_bytes > kMostBytesPerCall) return false;
      const LocalHandle file(op.handle);
      return !file.direct() || CanGoDirect(file, op);
    }
    default:
      return true;
  }
}

io_uring_sqe* UringQueue::NextSqe() {
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  while (sqe == nullptr) {
    io_uring_submit(&ring_);
    sqe = io_uring_get_sqe(&ring_);
  }
  return sqe;
}

void UringQueue::Prepare(io_uring_sqe* sqe, Entry& entry) {
  const QueuedOp& op = *entry.op;
  const LocalHandle file(op.handle);
  const auto bytes = static_cast<unsigned>(op.length_bytes);
  const auto offset = static_cast<std::uint64_t>(op.offset);
  switch (op.kind) {
    case QueuedOp::Kind::kRead:
      io_uring_prep_read(sqe, file.descriptor(), op.buffer, bytes, offset);
      break;
    case QueuedOp::Kind::kWrite:
      io_uring_prep_write(sqe, file.descriptor(), op.buffer, bytes, offset);
      break;
    case QueuedOp::Kind::kSync:
      io_uring_prep_fsync(sqe, file.descriptor(), 0);
      break;
    case QueuedOp::Kind::kClose:
      io_uring_prep_close(sqe, file.descriptor());
      break;
    case QueuedOp::Kind::kOpen:
    case QueuedOp::Kind::kStat:
      entry.how =
          op.kind == QueuedOp::Kind::kStat ? backend_.HowToStat() : backend_.HowToOpen(op.open);
      io_uring_prep_openat2(sqe, backend_.root().descriptor(), op.target->path.c_str(), &entry.how);
      break;
    case QueuedOp::Kind::kOther:
      io_uring_prep_nop(sqe);
      break;
  }
}

void UringQueue::Add(const QueuedOp& op, std::uint32_t tag) {
  const std::uint32_t index = free_entries_.back();
  free_entries_.pop_back();
  Entry& entry = entries_[index];
  entry.op = &op;
  entry.tag = tag;
  io_uring_sqe* sqe = NextSqe();
  Prepare(sqe, entry);
  io_uring_sqe_set_data64(sqe, index);
  if (LocalHandle(op.handle).direct()) backend_.NoteQueuedDirect();
}

void UringQueue::Submit() { io_uring_submit(&ring_); }

IoOutcome UringQueue::Finish(const Entry& entry, int result) {
  const QueuedOp& op = *entry.op;
  switch (op.kind) {
    case QueuedOp::Kind::kOpen:
      return backend_.FinishOpen(*op.target, op.open, result, op.opened);
    case QueuedOp::Kind::kStat:
      return backend_.FinishStat(*op.target, result);
    case QueuedOp::Kind::kClose:
      return {0, result < 0 && result != -EINTR ? -result : 0};
    default:
      break;
  }
  if (result >= 0) return {result, 0};
  // The ring could not do without waiting what the call can.
  if (result == -EINTR || result == -EAGAIN) {
    if (op.kind == QueuedOp::Kind::kRead)
      return backend_.Read(op.handle, op.offset, op.length_bytes, op.buffer);
    if (op.kind == QueuedOp::Kind::kWrite)
      return backend_.Write(op.handle, op.offset, op.length_bytes, op.buffer);
    return backend_.Sync(op.handle);
  }
  return {0, -result};
}

void UringQueue::Reap(std::vector<QueueCompletion>& completions) {
  io_uring_cqe* cqe = nullptr;
  unsigned head = 0;
  unsigned seen = 0;
  io_uring_for_each_cqe(&ring_, head, cqe) {
    const auto index = static_cast<std::uint32_t>(cqe->user_data);
    const Entry& entry = entries_[index];
    completions.push_back({.tag = entry.tag, .outcome = Finish(entry, cqe->res)});
    free_entries_.push_back(index);
    ++seen;
  }
  io_uring_cq_advance(&ring_, seen);
}

void UringQueue::Wait(std::int64_t timeout_ns) {
  // What a submission left behind (it was interrupted, or the kernel was busy) goes first.
  if (io_uring_sq_ready(&ring_) != 0) Submit();
  io_uring_cqe* cqe = nullptr;
  __kernel_timespec timeout{};
  timeout.tv_sec = timeout_ns / 1'000'000'000;
  timeout.tv_nsec = timeout_ns % 1'000'000'000;
  io_uring_wait_cqe_timeout(&ring_, &cqe, &timeout);
}

}  // namespace ioflux
