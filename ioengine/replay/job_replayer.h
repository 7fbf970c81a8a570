// SPDX-License-Identifier: GPL-2.0-only
//
// JobReplayer: a job of the host that replays one stream with blocking calls.
//
// The host (fio) drives it in pairs: Next() performs whatever metadata operations come first, makes
// the next data or sync operation ready (payload filled, due time reached, slot taken) and says
// what it is; Execute() performs it and accounts for it. Nothing that Next() does is in the time of
// the operation that Execute() performs.
//
// Threading: a job belongs to the thread that runs it, from Begin() to End(). Its statistics may be
// shared with other jobs (StatsShard).
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "ioengine/replay/deadline_wait.h"
#include "ioengine/replay/progress_file.h"
#include "ioengine/replay/stream_replayer.h"

namespace ioflux {

/// On cache lines of its own: it is written at every operation.
class alignas(64) JobReplayer {
 public:
  enum class Step : std::uint8_t { kOperation, kEndOfPass, kStopped };

  /// The operation that Execute() will perform.
  struct Request {
    DataDirection direction = DataDirection::kNone;  ///< kNone = a sync
    std::int64_t offset = 0;
    std::int64_t length_bytes = 0;
    char* buffer = nullptr;
  };

  /// `shared` and `shard` outlive the job.
  JobReplayer(const SharedReplay& shared, const StreamOps& stream, std::uint32_t job_number,
              StatsShard* shard, ProgressSlot* progress);
  ~JobReplayer();
  JobReplayer(const JobReplayer&) = delete;
  JobReplayer& operator=(const JobReplayer&) = delete;

  /// In the thread that will run the job: makes its buffer, then waits for the common start.
  /// kRefused when there is no memory for the largest operation, kFailed when told to stop.
  Result<void> Begin(StopQuestion stop);

  /// kEndOfPass also rewinds, for hosts that loop.
  Step Next(Request* request, StopQuestion stop);

  /// Performs the operation of the last Next(); returns the bytes it moved.
  std::int64_t Execute(std::int64_t start_ns);

  /// Closes what the stream left open; not counted. Also of a job that never began.
  void End();

  const StreamOps& stream() const { return stream_.ops(); }
  const StreamFigures& figures() const { return stream_.figures(); }
  StatsShard& shard() const { return *shard_; }
  std::uint32_t job_number() const { return job_number_; }
  std::int64_t start_ns() const { return start_ns_; }  ///< the common start; 0 before it
  std::int64_t payload_ns() const { return payload_ns_; }

 private:
  struct BufferFree {
    void operator()(char* buffer) const;
  };

  Result<void> MakeBuffer();
  void PrepareData(Request* request);
  bool WaitForTurn(StopQuestion stop);
  void ExecuteMetadata();
  void Account(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns);

  const SharedReplay& shared_;
  StreamReplayer stream_;
  DeadlineWait wait_;
  const bool moves_data_;
  const bool paced_;
  const bool limited_;
  std::unique_ptr<char, BufferFree> buffer_;
  StatsShard* shard_;
  ProgressSlot* progress_;
  std::int64_t start_ns_ = 0;
  std::int64_t payload_ns_ = 0;
  std::uint32_t job_number_;
  bool awaited_ = false;  ///< it no longer counts as one the others wait for
};

}  // namespace ioflux
