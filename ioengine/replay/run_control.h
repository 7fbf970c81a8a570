// SPDX-License-Identifier: GPL-2.0-only
//
// RunControl: what the jobs of a session share while they run: the common start, the limit on
// operations in flight, and the order to stop.
//
// It lives in memory that forked processes share, so it holds for thread and for process jobs.
// Waits use futexes in slices of at most StopQuestion::kAskEveryNs.
//
// Threading: every call from any thread of any process of the session. Times: the host's clock, ns.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "ioengine/replay/host_clock.h"
#include "ioengine/replay/stop_question.h"

namespace ioflux {

enum class AbortReason : std::uint32_t { kNone, kError, kLag };

class RunControl {
 public:
  /// At most `max_inflight` hold a slot at the same time.
  static Result<RunControl> Create(std::uint32_t max_inflight);
  RunControl(RunControl&& other) noexcept;
  RunControl& operator=(RunControl&& other) noexcept;
  ~RunControl();

  /// One more job that AwaitStart waits for. Before any job starts.
  void Expect();

  /// Waits for all other jobs, then until the start they have in common, which it returns: the
  /// moment the last one came, and a little later the more threads have to wake up. Nothing when
  /// told to stop first. A job that comes after the start gets the time it comes at.
  std::optional<std::int64_t> AwaitStart(HostClock clock, StopQuestion stop);
  /// A job that was expected will not come.
  void Leave();

  /// Takes a slot, first come, first served. False when told to stop while waiting.
  bool TakeSlot(HostClock clock, StopQuestion stop);
  /// Takes a slot if there is one and nobody waits for it. Who comes back for it says with
  /// AddBacklog how long that took.
  bool TryTakeSlot();
  void AddBacklog(std::int64_t blocked_ns);
  void GiveSlot();

  /// The first reason stands.
  void Abort(AbortReason reason);
  bool aborted() const;
  AbortReason abort_reason() const;

  std::uint64_t backlog_events() const;      ///< slots that had to be waited for
  std::uint64_t backlog_blocked_ns() const;  ///< the sum of these waits
  std::uint32_t peak_inflight() const;       ///< most slots taken at once; 0 without TakeSlot

 private:
  struct Shared;
  explicit RunControl(Shared* shared) : shared_(shared) {}
  void AdmitNext();
  void CountInflight();
  void SetStartWhenComplete(HostClock clock);

  Shared* shared_ = nullptr;
};

}  // namespace ioflux
