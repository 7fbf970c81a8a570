// SPDX-License-Identifier: GPL-2.0-only
//
// MuxReplayer: a job of the host that replays many streams at once. Each stream stays strictly
// sequential; the operations of different streams are in flight together.
//
// The host (fio) drives it so:
//   Next()    what to do now: an operation, or nothing yet (kIdle)
//   Issue()   begins the operation of the last Next(); it may be over at once
//   Submit()  all that were issued and are not over are on their way; their clock starts
//   Reap()    waits for some of them to end; completed() says which
// Metadata operations, which the host does not see, are under way in between. Where the backend
// has no queue (see OpQueue), and for operations that its queue does not take, Issue() performs the
// operation itself, and the other streams of the job wait for it.
//
// Rules of the host that this keeps (fio 3.33): what has ended is handed over before anything else
// is begun, so that the host stamps it in time; a pass ends only when nothing is in flight; Reap()
// comes back empty-handed at most once per kIdle, when the next operation is due or the host must
// be asked.
//
// Threading: a job belongs to the thread that runs it, from Begin() to End(). Memory: under 1 KiB a
// stream, and a buffer for each operation in flight.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ioengine/backend/op_queue.h"
#include "ioengine/replay/buffer_pool.h"
#include "ioengine/replay/ready_streams.h"
#include "ioengine/replay/replay_job.h"

namespace ioflux {

class alignas(64) MuxReplayer final : public ReplayJob {
 public:
  enum class Step : std::uint8_t { kOperation, kIdle, kEndOfPass, kStopped };

  /// An operation that the host began and that has ended.
  struct Completed {
    void* host_op = nullptr;
    std::int64_t moved_bytes = 0;
  };

  /// At most `max_inflight` operations at the same time. `streams` outlive the job.
  MuxReplayer(const SharedReplay& shared, const std::vector<const StreamOps*>& streams,
              std::uint32_t max_inflight, std::uint32_t job_number, StatsShard* shard,
              ProgressSlot* progress);
  ~MuxReplayer() override;

  /// Most operations in flight at the same time.
  std::uint32_t depth() const { return depth_; }

  Step Next(ReplayRequest* request, StopQuestion stop);

  /// True when the operation is over: it started at `start_ns` and moved `*moved_bytes`.
  /// Otherwise `host_op` comes back from Reap().
  bool Issue(void* host_op, std::int64_t start_ns, std::int64_t* moved_bytes);
  void Submit(std::int64_t start_ns);

  /// Waits for at least `least` of the operations in flight, hands over up to `most`; fewer than
  /// `least` (also none) once after Next() said kIdle.
  std::uint32_t Reap(std::uint32_t least, std::uint32_t most, StopQuestion stop);
  const Completed& completed(std::uint32_t index) const { return reaped_[index]; }

  std::vector<const StreamReplayer*> streams() const override;
  std::vector<Limitation> limitations() const override;

 private:
  struct Stream {
    Stream(const SharedReplay& shared, const StreamOps& ops) : replayer(shared, ops) {}

    StreamReplayer replayer;
    char* buffer = nullptr;     // of the op that is prepared or in flight
    QueuedOp queued;            // the op in flight, while the queue has it
    void* host_op = nullptr;    // nullptr: the host does not see the op
    std::int64_t start_ns = 0;  // of the op in flight
    std::int64_t ready_ns = 0;  // since when the next op could start
    bool is_prepared = false;
  };

  enum class Slot : std::uint8_t { kTaken, kLater, kStopped };

  Result<void> MakeReady() override;
  void Start(std::int64_t start_ns) override;
  void EndStreams() override;

  void BeginPass();
  void GoOn(std::uint32_t index, std::int64_t now_ns);
  void GoOnWhereOthersAreDone();
  std::int64_t NextLookNs() const;
  Slot TakeSlot(const Stream& stream, StopQuestion stop);
  Step NothingReady(StopQuestion stop);
  bool WaitForInternal(std::int64_t due_ns, StopQuestion stop);
  void Prepare(Stream& stream);
  void StartMetadata(std::uint32_t index);
  void Perform(std::uint32_t index, std::int64_t start_ns, std::int64_t* moved_bytes);
  bool TakeCompletions();
  void Finish(std::uint32_t index, IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns);
  void WaitUntil(std::int64_t due_ns);
  bool HasCompletions() const { return queue_ != nullptr && queue_->HasCompletions(); }

  std::deque<Stream> streams_;
  ReadyStreams ready_;
  std::vector<std::uint32_t> held_back_;  // streams whose op waits for other streams
  std::int64_t looked_at_held_ns_ = 0;
  BufferPool buffers_;
  std::unique_ptr<OpQueue> queue_;  // nullptr: every op is performed here and now
  std::string queue_refusal_;       // why there is none though the backend has one

  std::uint32_t depth_;
  std::uint32_t current_ = 0;          // the stream of the last Next()
  std::vector<std::uint32_t> issued_;  // not yet submitted
  std::uint32_t in_flight_ = 0;        // of the host, issued ones too
  std::uint32_t internal_in_flight_ = 0;
  bool pass_is_open_ = false;
  bool prepared_early_ = false;               // one stream holds a buffer before its time
  std::int64_t refused_slot_ns_ = INT64_MIN;  // when a slot was last not to be had

  bool may_return_early_ = false;  // from Reap(), once per kIdle
  std::int64_t idle_until_ns_ = INT64_MAX;
  std::vector<QueueCompletion> completions_;
  std::vector<Completed> done_;    // not yet handed over
  std::vector<Completed> reaped_;  // handed over by the last Reap()

  std::uint64_t queued_ops_ = 0;
  std::uint64_t held_up_ops_ = 0;  // performed here while the backend has a queue
  std::uint64_t ops_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace ioflux
