// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/stream_replayer.h"

#include <algorithm>
#include <utility>

namespace ioflux {
namespace {

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

QueuedOp::Kind QueueKindOf(OpKind kind) {
  switch (kind) {
    case OpKind::kOPEN:
      return QueuedOp::Kind::kOpen;
    case OpKind::kREAD:
      return QueuedOp::Kind::kRead;
    case OpKind::kWRITE:
      return QueuedOp::Kind::kWrite;
    case OpKind::kFSYNC:
      return QueuedOp::Kind::kSync;
    case OpKind::kCLOSE:
      return QueuedOp::Kind::kClose;
    case OpKind::kSTAT:
    case OpKind::kHEAD:
      return QueuedOp::Kind::kStat;
    default:
      return QueuedOp::Kind::kOther;
  }
}

StreamReplayer::StreamReplayer(const SharedReplay& shared, const StreamOps& ops)
    : shared_(shared),
      ops_(ops),
      moves_data_(shared.backend->MovesData()),
      cursor_(ops.ops),
      schedule_(shared.pacing),
      handles_(ops.slots, kNoHandle),
      handle_targets_(ops.slots, 0) {
  if (shared.causal != nullptr) causal_.emplace(shared.causal, ops.place);
}

void StreamReplayer::EndPass() {
  ++figures_.passes;
  CloseAll();
  cursor_.Rewind();
  if (causal_) causal_->Rewind();
  schedule_.NextPass();
}

std::uint32_t StreamReplayer::TargetOf(const ReplayOp& op) const {
  return InfoOf(op.kind).handle == Presence::kRequired ? handle_targets_[op.slot] : op.target;
}

void StreamReplayer::FillPayload(char* buffer) const {
  shared_.payload->Fill(
      static_cast<std::uint64_t>(op_.op_id), (*shared_.target_hashes)[TargetOf(op_)],
      static_cast<std::uint64_t>(op_.offset), {buffer, static_cast<std::size_t>(op_.length_bytes)});
}

IoOutcome StreamReplayer::PerformMetadata() {
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

IoOutcome StreamReplayer::PerformData(char* buffer) {
  Backend& backend = *shared_.backend;
  switch (op_.kind) {
    case OpKind::kREAD:
      return backend.Read(handles_[op_.slot], op_.offset, op_.length_bytes, buffer);
    case OpKind::kWRITE:
      return backend.Write(handles_[op_.slot], op_.offset, op_.length_bytes, buffer);
    case OpKind::kFSYNC:
      return backend.Sync(handles_[op_.slot]);
    case OpKind::kGET:
      return backend.Get((*shared_.targets)[op_.target], op_.offset, op_.length_bytes, buffer);
    default:
      return backend.Put((*shared_.targets)[op_.target], op_.length_bytes, buffer);
  }
}

IoOutcome StreamReplayer::Perform(char* buffer) {
  return is_metadata() ? PerformMetadata() : PerformData(buffer);
}

QueuedOp StreamReplayer::ForQueue(char* buffer) {
  QueuedOp queued{.kind = QueueKindOf(op_.kind),
                  .offset = op_.offset,
                  .length_bytes = op_.length_bytes,
                  .buffer = buffer};
  switch (queued.kind) {
    case QueuedOp::Kind::kOpen:
      queued.target = &(*shared_.targets)[op_.target];
      queued.open = RequestOf(op_.open_bits);
      queued.opened = &handles_[op_.slot];
      handle_targets_[op_.slot] = op_.target;
      break;
    case QueuedOp::Kind::kStat:
      queued.target = &(*shared_.targets)[op_.target];
      break;
    case QueuedOp::Kind::kClose:
      queued.handle = std::exchange(handles_[op_.slot], kNoHandle);
      break;
    case QueuedOp::Kind::kOther:
      break;
    default:
      queued.handle = handles_[op_.slot];
      break;
  }
  return queued;
}

void StreamReplayer::AddLag(KindStats& kind, std::int64_t start_ns, std::int64_t end_ns) {
  const std::int64_t due_ns = DueNs();
  const std::int64_t lag_ns = std::max<std::int64_t>(start_ns - due_ns, 0);
  kind.lag->Add(lag_ns);
  kind.response_time->Add(end_ns - due_ns);
  figures_.worst_lag_ns = std::max(figures_.worst_lag_ns, lag_ns);
  if (lag_ns > shared_.pacing.late_after_ns) {
    ++figures_.late_ops;
    if (shared_.pacing.abort_when_late) shared_.control->Abort(AbortReason::kLag);
  }
  schedule_.Done(op_.t_ns, op_.duration_ns, end_ns);
}

void StreamReplayer::Fail(const IoOutcome& outcome, std::int64_t start_ns, OpStats& stats) {
  KindStats& kind = stats.kind(op_.kind);
  ++figures_.errors;
  ++kind.errors;
  if (outcome.error == 0 && InfoOf(op_.kind).data == DataDirection::kRead) ++kind.short_reads;
  stats.KeepFailure({.start_ns = start_ns,
                     .op_id = op_.op_id,
                     .stream = ops_.stream,
                     .kind = op_.kind,
                     .target = TargetOf(op_),
                     .offset = op_.offset,
                     .length_bytes = op_.length_bytes,
                     .moved_bytes = outcome.moved_bytes,
                     .expected_bytes = op_.expected_bytes,
                     .error = outcome.error});
  if (shared_.abort_on_error) shared_.control->Abort(AbortReason::kError);
}

void StreamReplayer::End() {
  CloseAll();
  if (causal_) causal_->Withdraw();
}

void StreamReplayer::CloseAll() {
  for (BackendHandle& handle : handles_) {
    if (handle != kNoHandle) shared_.backend->Close(std::exchange(handle, kNoHandle));
  }
}

}  // namespace ioflux
