// SPDX-License-Identifier: GPL-2.0-only
//
// ReplayJob: what every job of a session has in common, whether it replays one stream or many: the
// common start, statistics, progress.
//
// Threading: constructed by one thread, then driven by one; figures are read when it is over.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/backend/limitation.h"
#include "ioengine/replay/deadline_wait.h"
#include "ioengine/replay/op_stats.h"
#include "ioengine/replay/progress_file.h"
#include "ioengine/replay/shared_replay.h"
#include "ioengine/replay/stop_question.h"
#include "ioengine/replay/stream_replayer.h"

namespace ioflux {

/// The operation that a job is about to perform, as its host sees it.
struct ReplayRequest {
  DataDirection direction = DataDirection::kNone;  ///< kNone = a sync
  std::int64_t offset = 0;
  std::int64_t length_bytes = 0;
  char* buffer = nullptr;
};

class ReplayJob {
 public:
  /// `shared` and `shard` outlive the job.
  ReplayJob(const SharedReplay& shared, std::uint32_t job_number, StatsShard* shard,
            ProgressSlot* progress);
  ReplayJob(const ReplayJob&) = delete;
  ReplayJob& operator=(const ReplayJob&) = delete;
  virtual ~ReplayJob();

  /// In the thread that will run the job: makes ready what it needs, then waits for the common
  /// start. kRefused when there is no memory for the largest operation, kFailed when told to stop.
  Result<void> Begin(StopQuestion stop);

  /// Closes what the streams left open; not counted. Also of a job that never began.
  void End();

  /// In the order of the trace.
  virtual std::vector<const StreamReplayer*> streams() const = 0;
  /// What a reader of the result must know about how this job ran. When it is over.
  virtual std::vector<Limitation> limitations() const { return {}; }

  StatsShard& shard() const { return *shard_; }
  std::uint32_t job_number() const { return job_number_; }
  std::int64_t start_ns() const { return start_ns_; }  ///< the common start; 0 before it
  std::int64_t payload_ns() const { return payload_ns_; }

 protected:
  virtual Result<void> MakeReady() = 0;
  virtual void Start(std::int64_t start_ns) = 0;
  virtual void EndStreams() = 0;

  /// Of an op that `stream` has performed.
  void Account(StreamReplayer& stream, IoOutcome* outcome, std::int64_t start_ns,
               std::int64_t end_ns) {
    if (limited_) shared_.control->GiveSlot();
    // One call of it, so that the compiler puts it here.
    std::unique_lock<std::mutex> lock;
    if (shard_->jobs != 1) [[unlikely]]
      lock = std::unique_lock(shard_->mutex);
    stream.Account(outcome, start_ns, end_ns, shard_->stats);
  }

  /// The op that `stream` is at, as the host sees it.
  static ReplayRequest RequestOf(const StreamReplayer& stream, char* buffer) {
    const ReplayOp& op = stream.op();
    return {.direction = InfoOf(op.kind).data,
            .offset = op.offset,
            .length_bytes = op.length_bytes,
            .buffer = buffer};
  }
  /// Before the clock of an op that writes starts; the time it takes is counted apart.
  void FillPayload(const StreamReplayer& stream, char* buffer) {
    const std::int64_t from_ns = shared_.clock.now_ns();
    stream.FillPayload(buffer);
    payload_ns_ += shared_.clock.now_ns() - from_ns;
  }

  const SharedReplay& shared_;
  DeadlineWait wait_;
  const bool moves_data_;
  const bool paced_;
  const bool limited_;
  StatsShard* shard_;
  ProgressSlot* progress_;
  std::int64_t start_ns_ = 0;
  std::int64_t payload_ns_ = 0;

 private:
  std::uint32_t job_number_;
  bool awaited_ = false;  // it no longer counts as one the others wait for
};

}  // namespace ioflux
