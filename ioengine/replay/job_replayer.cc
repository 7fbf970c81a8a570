// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_replayer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace ioflux {
namespace {

constexpr std::size_t kBufferAlignment = 4096;
/// A larger buffer is touched by the operation itself; to touch it beforehand for every stream
/// could exhaust memory.
constexpr std::int64_t kTouchedBytes = 64 << 20;

OpenRequest RequestOf(std::uint32_t open_bits) {
  return {.read = (open_bits & kOpenRead) != 0,
          .write = (open_bits & kOpenWrite) != 0,
          .create = (open_bits & kOpenCreate) != 0,
          .truncate = (open_bits & kOpenTruncate) != 0,
          .append = (open_bits & kOpenAppend) != 0,
          .sync = (open_bits & kOpenSync) != 0,
          .direct = (open_bits & kOpenDirect) != 0,
          .sequential = (open_bits & kOpenSequential) != 0,
          .random = (open_bits & kOpenRandom) != 0};
}

}  // namespace

void JobReplayer::BufferFree::operator()(char* buffer) const { std::free(buffer); }

JobReplayer::JobReplayer(const SharedReplay& shared, const StreamOps& stream,
                         std::uint32_t job_number, ProgressSlot* progress)
    : shared_(shared),
      stream_(stream),
      cursor_(stream.ops),
      moves_data_(shared.backend->MovesData()),
      handles_(stream.slots, kNoHandle),
      handle_targets_(stream.slots, 0),
      stats_(stream.kinds),
      progress_(progress),
      job_number_(job_number) {}

JobReplayer::~JobReplayer() = default;

void JobReplayer::Begin() {
  if (!moves_data_) return;
  GrowBuffer(stream_.largest_op_bytes);
  std::memset(buffer_.get(), 0, static_cast<std::size_t>(std::min(buffer_bytes_, kTouchedBytes)));
}

void JobReplayer::GrowBuffer(std::int64_t length_bytes) {
  if (length_bytes <= buffer_bytes_ && buffer_ != nullptr) return;
  const std::size_t size =
      (static_cast<std::size_t>(std::max<std::int64_t>(length_bytes, 1)) + kBufferAlignment - 1) /
      kBufferAlignment * kBufferAlignment;
  buffer_.reset(static_cast<char*>(std::aligned_alloc(kBufferAlignment, size)));
  if (buffer_ == nullptr) throw std::bad_alloc();
  buffer_bytes_ = static_cast<std::int64_t>(size);
}

JobReplayer::Step JobReplayer::Next(Request* request, bool (*stopping)(void*), void* cookie) {
  while (cursor_.Next(op_)) {
    switch (op_.kind) {
      case OpKind::kREAD:
      case OpKind::kWRITE:
      case OpKind::kFSYNC:
      case OpKind::kGET:
      case OpKind::kPUT:
        PrepareData(request);
        return Step::kOperation;
      default:
        ExecuteMetadata();
        if (stopping(cookie)) return Step::kStopped;
    }
  }
  ++passes_;
  CloseAll();
  cursor_.Rewind();
  return Step::kEndOfPass;
}

void JobReplayer::PrepareData(Request* request) {
  request->direction = InfoOf(op_.kind).data;
  request->offset = op_.offset;
  request->length_bytes = op_.length_bytes;
  if (!moves_data_) return;
  if (request->direction == DataDirection::kWrite) FillPayload();
  request->buffer = buffer_.get();
}

void JobReplayer::FillPayload() {
  const std::int64_t start_ns = shared_.clock.now_ns();
  const std::uint32_t target = op_.kind == OpKind::kPUT ? op_.target : handle_targets_[op_.slot];
  shared_.payload->Fill(static_cast<std::uint64_t>(op_.op_id), (*shared_.target_hashes)[target],
                        static_cast<std::uint64_t>(op_.offset),
                        {buffer_.get(), static_cast<std::size_t>(op_.length_bytes)});
  payload_ns_ += shared_.clock.now_ns() - start_ns;
}

void JobReplayer::ExecuteMetadata() {
  const std::int64_t start_ns = shared_.clock.now_ns();
  const IoOutcome outcome = PerformMetadata();
  Account(outcome, start_ns, shared_.clock.now_ns());
}

IoOutcome JobReplayer::PerformMetadata() {
  Backend& backend = *shared_.backend;
  const std::vector<BackendTarget>& targets = *shared_.targets;
  std::int64_t size_bytes = 0;
  switch (op_.kind) {
    case OpKind::kOPEN:
      handle_targets_[op_.slot] = op_.target;
      return backend.Open(targets[op_.target], RequestOf(op_.open_bits), &handles_[op_.slot]);
    case OpKind::kCLOSE:
      return backend.Close(std::exchange(handles_[op_.slot], kNoHandle));
    case OpKind::kSTAT:
      return backend.Stat(targets[op_.target], &size_bytes);
    case OpKind::kHEAD:
      return backend.Head(targets[op_.target]);
    default:
      return backend.Delete(targets[op_.target]);
  }
}

IoOutcome JobReplayer::PerformData() {
  Backend& backend = *shared_.backend;
  switch (op_.kind) {
    case OpKind::kREAD:
      return backend.Read(handles_[op_.slot], op_.offset, op_.length_bytes, buffer_.get());
    case OpKind::kWRITE:
      return backend.Write(handles_[op_.slot], op_.offset, op_.length_bytes, buffer_.get());
    case OpKind::kFSYNC:
      return backend.Sync(handles_[op_.slot]);
    case OpKind::kGET:
      return backend.Get((*shared_.targets)[op_.target], op_.offset, op_.length_bytes,
                         buffer_.get());
    default:
      return backend.Put((*shared_.targets)[op_.target], op_.length_bytes, buffer_.get());
  }
}

std::int64_t JobReplayer::Execute(std::int64_t start_ns) {
  IoOutcome outcome = PerformData();
  const std::int64_t end_ns = shared_.clock.now_ns();
  // A backend without data has no end of file either: it moves what the source moved.
  if (!moves_data_) outcome.moved_bytes = op_.expected_bytes;
  Account(outcome, start_ns, end_ns);
  return outcome.moved_bytes;
}

void JobReplayer::Account(const IoOutcome& outcome, std::int64_t start_ns, std::int64_t end_ns) {
  KindStats& kind = stats_.kind(op_.kind);
  kind.service_time.Add(end_ns - start_ns);
  kind.moved_bytes += static_cast<std::uint64_t>(outcome.moved_bytes);
  kind.requested_bytes += static_cast<std::uint64_t>(op_.length_bytes);
  ++ops_;
  bytes_ += static_cast<std::uint64_t>(outcome.moved_bytes);
  if (first_start_ns_ < 0) [[unlikely]]
    first_start_ns_ = start_ns;
  last_end_ns_ = end_ns;
  if (outcome.error != 0 || outcome.moved_bytes != op_.expected_bytes) [[unlikely]]
    Fail(outcome, start_ns);
  if (progress_ != nullptr) {
    progress_->ops.store(ops_, std::memory_order_relaxed);
    progress_->bytes.store(bytes_, std::memory_order_relaxed);
  }
}

void JobReplayer::Fail(const IoOutcome& outcome, std::int64_t start_ns) {
  KindStats& kind = stats_.kind(op_.kind);
  ++errors_;
  ++kind.errors;
  if (outcome.error == 0 && InfoOf(op_.kind).data == DataDirection::kRead) ++kind.short_reads;
  const bool by_handle = InfoOf(op_.kind).handle == Presence::kRequired;
  stats_.KeepFailure({.start_ns = start_ns,
                      .op_id = op_.op_id,
                      .stream = stream_.stream,
                      .kind = op_.kind,
                      .target = by_handle ? handle_targets_[op_.slot] : op_.target,
                      .offset = op_.offset,
                      .length_bytes = op_.length_bytes,
                      .moved_bytes = outcome.moved_bytes,
                      .expected_bytes = op_.expected_bytes,
                      .error = outcome.error});
}

void JobReplayer::CloseAll() {
  for (BackendHandle& handle : handles_) {
    if (handle != kNoHandle) shared_.backend->Close(std::exchange(handle, kNoHandle));
  }
}

void JobReplayer::End() { CloseAll(); }

}  // namespace ioflux
