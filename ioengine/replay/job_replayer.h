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
#include "ioengine/replay/replay_job.h"

namespace ioflux {

/// On cache lines of its own: it is written at every operation.
class alignas(64) JobReplayer final : public ReplayJob {
 public:
  enum class Step : std::uint8_t { kOperation, kEndOfPass, kStopped };

  JobReplayer(const SharedReplay& shared, const StreamOps& stream, std::uint32_t job_number,
              StatsShard* shard, ProgressSlot* progress);
  ~JobReplayer() override;

  /// kEndOfPass also rewinds, for hosts that loop.
  Step Next(ReplayRequest* request, StopQuestion stop);

  /// Performs the operation of the last Next(); returns the bytes it moved.
  std::int64_t Execute(std::int64_t start_ns);

  const StreamOps& stream() const { return stream_.ops(); }
  const StreamFigures& figures() const { return stream_.figures(); }
  std::vector<const StreamReplayer*> streams() const override { return {&stream_}; }

 private:
  struct BufferFree {
    void operator()(char* buffer) const;
  };

  Result<void> MakeReady() override;
  void Start(std::int64_t start_ns) override { stream_.Start(start_ns); }
  void EndStreams() override { stream_.End(); }
  void PrepareData(ReplayRequest* request);
  bool WaitForTurn(StopQuestion stop);
  void ExecuteMetadata();
  void Finish(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns);

  StreamReplayer stream_;
  std::unique_ptr<char, BufferFree> buffer_;
};

}  // namespace ioflux
