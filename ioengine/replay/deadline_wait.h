// SPDX-License-Identifier: GPL-2.0-only
//
// DeadlineWait: waiting until an operation is due, exactly.
//
// Sleeps on an absolute deadline of CLOCK_MONOTONIC with 1 ns of timer slack, and watches the clock
// for the last `spin_ns`, which takes the wake-up delay out (measured: p50 26 us without, 0.8 us
// with 60 us of spin). Long waits are cut into slices, so that the host is asked in time.
//
// Threading: one per thread.
#pragma once

#include <cstdint>

#include "ioengine/replay/host_clock.h"
#include "ioengine/replay/stop_question.h"

namespace ioflux {

class DeadlineWait {
 public:
  DeadlineWait(HostClock clock, std::int64_t spin_ns) : clock_(clock), spin_ns_(spin_ns) {}

  /// In the thread that will wait: asks the kernel not to delay its timers.
  static void SharpenTimers();

  /// Between two looks at a clock.
  static void Relax();

  /// Returns at `due_ns` of the host's clock, or at once if that has passed. False when told to
  /// stop first.
  bool Until(std::int64_t due_ns, StopQuestion stop) const;

 private:
  HostClock clock_;
  std::int64_t spin_ns_;
};

/// What `spin=auto` means: 60 us, but nothing where operations come so densely that watching the
/// clock would occupy the processors. `ops` happen in `duration_ns`, over all streams.
std::int64_t AutoSpinNs(std::int64_t duration_ns, std::uint64_t ops, std::uint32_t processors);

}  // namespace ioflux
