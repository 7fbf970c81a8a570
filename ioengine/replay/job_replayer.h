// SPDX-License-Identifier: GPL-2.0-only
//
// JobReplayer: one stream of a trace, one operation after the other.
//
// The host (fio) drives it in pairs: Next() performs whatever metadata operations come first, makes
// the next data or sync operation ready (buffer grown, payload filled) and says what it is;
// Execute() performs it and accounts for it. Nothing that Next() does is in the time of the
// operation that Execute() performs. Reads ask for the recorded length and expect the recorded
// count: any other count is a failure of the op, never of the run.
//
// Threading: a job belongs to the thread that runs it, from Begin() to End(). Clock: the host's, in
// nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ioengine/backend/backend.h"
#include "ioengine/replay/op_stats.h"
#include "ioengine/replay/op_store.h"
#include "ioengine/replay/payload.h"
#include "ioengine/replay/progress_file.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

/// What the host offers. `stopping` is true once the run should end early.
struct HostClock {
  std::int64_t (*now_ns)();
};

/// What all jobs of a session share; const while jobs run, owned by the session.
struct SharedReplay {
  const std::vector<BackendTarget>* targets = nullptr;
  const std::vector<std::uint64_t>* target_hashes = nullptr;  ///< payload seed of each target
  Backend* backend = nullptr;
  const Payload* payload = nullptr;
  HostClock clock{};
};

class JobReplayer {
 public:
  enum class Step : std::uint8_t { kOperation, kEndOfPass, kStopped };

  /// The operation that Execute() will perform.
  struct Request {
    DataDirection direction = DataDirection::kNone;  ///< kNone = a sync
    std::int64_t offset = 0;
    std::int64_t length_bytes = 0;
    char* buffer = nullptr;
  };

  JobReplayer(const SharedReplay& shared, const StreamOps& stream, std::uint32_t job_number,
              ProgressSlot* progress);
  ~JobReplayer();
  JobReplayer(const JobReplayer&) = delete;
  JobReplayer& operator=(const JobReplayer&) = delete;

  /// In the thread that will run the job: allocates and touches its buffer.
  void Begin();

  /// `stopping` is asked between metadata ops. kEndOfPass also rewinds, for hosts that loop.
  Step Next(Request* request, bool (*stopping)(void*), void* cookie);

  /// Performs the operation of the last Next(); returns the bytes it moved.
  std::int64_t Execute(std::int64_t start_ns);

  /// Closes what the stream left open; not counted.
  void End();

  const StreamOps& stream() const { return stream_; }
  const OpStats& stats() const { return stats_; }
  std::uint32_t job_number() const { return job_number_; }
  std::uint64_t ops() const { return ops_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t errors() const { return errors_; }
  std::uint64_t passes() const { return passes_; }  ///< complete ones
  bool started() const { return first_start_ns_ >= 0; }
  std::int64_t first_start_ns() const { return first_start_ns_; }
  std::int64_t last_end_ns() const { return last_end_ns_; }
  std::int64_t payload_ns() const { return payload_ns_; }

 private:
  struct BufferFree {
    void operator()(char* buffer) const;
  };

  void PrepareData(Request* request);
  void FillPayload();
  void ExecuteMetadata();
  IoOutcome PerformMetadata();
  IoOutcome PerformData();
  void Account(const IoOutcome& outcome, std::int64_t start_ns, std::int64_t end_ns);
  void Fail(const IoOutcome& outcome, std::int64_t start_ns);
  void GrowBuffer(std::int64_t length_bytes);
  void CloseAll();

  const SharedReplay shared_;
  const StreamOps& stream_;
  OpCursor cursor_;
  ReplayOp op_;
  const bool moves_data_;
  std::vector<BackendHandle> handles_;         // by slot
  std::vector<std::uint32_t> handle_targets_;  // by slot
  std::unique_ptr<char, BufferFree> buffer_;
  std::int64_t buffer_bytes_ = 0;

  OpStats stats_;
  ProgressSlot* progress_;
  std::uint64_t ops_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t passes_ = 0;
  std::int64_t first_start_ns_ = -1;
  std::int64_t last_end_ns_ = -1;
  std::int64_t payload_ns_ = 0;
  std::uint32_t job_number_;
};

}  // namespace ioflux
