// SPDX-License-Identifier: GPL-2.0-only
//
// StreamReplayer: one stream of a trace: where it is, what it has open, when its next operation is
// due, and what it has done so far. It performs one operation at a time, in the order of the trace,
// and knows nothing of threads: whoever drives it decides when and with which buffer.
//
// Reads ask for the recorded length and expect the recorded count: any other count is a failure of
// the op, never of the run.
//
// Threading: one driver at a time. Memory: under 1 KiB, and 12 bytes per file open at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ioengine/backend/op_queue.h"
#include "ioengine/replay/op_stats.h"
#include "ioengine/replay/op_store.h"
#include "ioengine/replay/shared_replay.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

/// What a stream has done.
struct StreamFigures {
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
  std::uint64_t passes = 0;          ///< complete ones
  std::uint64_t late_ops = 0;        ///< started later than Pacing::late_after_ns
  std::int64_t worst_lag_ns = 0;     ///< paced modes only
  std::int64_t first_start_ns = -1;  ///< -1 = no op yet
  std::int64_t first_end_ns = -1;
  std::int64_t last_end_ns = -1;
};

/// A bit per kind of op that the host sees; it is told of no other.
inline constexpr std::uint32_t kHostOpKinds =
    1U << static_cast<unsigned>(OpKind::kREAD) | 1U << static_cast<unsigned>(OpKind::kWRITE) |
    1U << static_cast<unsigned>(OpKind::kFSYNC) | 1U << static_cast<unsigned>(OpKind::kGET) |
    1U << static_cast<unsigned>(OpKind::kPUT);

/// What a queue would do for an op of this kind.
QueuedOp::Kind QueueKindOf(OpKind kind);

class StreamReplayer {
 public:
  StreamReplayer(const SharedReplay& shared, const StreamOps& ops);

  /// The common start of the run.
  void Start(std::int64_t start_ns) { schedule_.Start(start_ns); }

  /// Goes to the next op; false at the end of the trace, which also closes what is open, counts the
  /// pass and goes back to the start.
  bool Advance() {
    if (cursor_.Next(op_)) [[likely]]
      return true;
    EndPass();
    return false;
  }

  /// The op that Advance() came to.
  const ReplayOp& op() const { return op_; }
  /// The host sees data and sync ops; the others are performed in between.
  bool is_metadata() const { return (kHostOpKinds >> static_cast<unsigned>(op_.kind) & 1) == 0; }
  /// When it is due; paced modes only.
  std::int64_t DueNs() const { return schedule_.DueNs(op_.t_ns); }

  /// Whether what the op must not overtake in other streams is over.
  bool MayStart() { return !causal_ || causal_->MayStart(Place(), figures_.passes); }
  /// Waits until it is. False when told to stop first.
  bool AwaitOthers(StopQuestion stop) {
    return !causal_ || causal_->Await(Place(), figures_.passes, shared_.clock, stop);
  }
  /// For who waits otherwise: how long it was.
  void CountWaitForOthers(std::int64_t waited_ns) { causal_->CountWait(waited_ns); }

  /// For ops that write: what to write. `buffer` holds op().length_bytes.
  void FillPayload(char* buffer) const;

  /// Performs the op; `buffer` holds what it reads or writes.
  IoOutcome Perform(char* buffer);

  /// The op for a queue to perform instead. What it opens or closes counts as open or closed from
  /// now on.
  QueuedOp ForQueue(char* buffer);

  /// Accounts for the op after Perform() or the queue, in `stats` and in figures().
  void Account(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns, OpStats& stats);

  /// There will be no more ops: closes what is open, not counted, and lets pass who waits.
  void End();

  const StreamOps& ops() const { return ops_; }
  const StreamFigures& figures() const { return figures_; }

 private:
  /// Of the op in its pass.
  std::uint64_t Place() const { return figures_.ops - figures_.passes * ops_.ops.size(); }
  void CloseAll();
  void EndPass();
  IoOutcome PerformMetadata();
  IoOutcome PerformData(char* buffer);
  void AddLag(KindStats& kind, std::int64_t start_ns, std::int64_t end_ns);
  void Fail(const IoOutcome& outcome, std::int64_t start_ns, OpStats& stats);
  std::uint32_t TargetOf(const ReplayOp& op) const;

  const SharedReplay& shared_;
  const StreamOps& ops_;
  const bool moves_data_;
  OpCursor cursor_;
  ReplayOp op_;
  Schedule schedule_;
  std::vector<BackendHandle> handles_;         // by slot
  std::vector<std::uint32_t> handle_targets_;  // by slot
  StreamFigures figures_;
  std::optional<CausalCursor> causal_;
};

// Here, since it runs at every operation and its callers are elsewhere.
inline void StreamReplayer::Account(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns,
                                    OpStats& stats) {
  // A backend without data has no end of file either: it moves what the source moved.
  if (!moves_data_) outcome->moved_bytes = op_.expected_bytes;
  stats.Reach(end_ns);
  KindStats& kind = stats.kind(op_.kind);
  kind.service_time.Add(end_ns - start_ns);
  kind.moved_bytes += static_cast<std::uint64_t>(outcome->moved_bytes);
  kind.requested_bytes += static_cast<std::uint64_t>(op_.length_bytes);
  ++figures_.ops;
  figures_.bytes += static_cast<std::uint64_t>(outcome->moved_bytes);
  if (figures_.first_start_ns < 0) [[unlikely]] {
    figures_.first_start_ns = start_ns;
    figures_.first_end_ns = end_ns;
  }
  figures_.last_end_ns = end_ns;
  if (shared_.pacing.paced()) AddLag(kind, start_ns, end_ns);
  if (outcome->error != 0 || outcome->moved_bytes != op_.expected_bytes) [[unlikely]]
    Fail(*outcome, start_ns, stats);
  if (causal_) [[unlikely]]
    causal_->Done(figures_.ops);
}

}  // namespace ioflux
