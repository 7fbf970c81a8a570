// SPDX-License-Identifier: GPL-2.0-only
//
// Pacing: when the operations of a stream are due.
//
//   asap      never: the next one starts when the one before it is done
//   think     the first at its recorded time, each later one as long after the completion of the
//             one before it as in the source: gap = t - (t_before + duration_before), at least 0
//   timeline  at its recorded time
//   scaled    at its recorded time divided by `speedup`
//
// Recorded times count from the common start of the run and may be negative. A host that loops
// replays the trace again, one period later: the period is the time the source took.
//
// Threading: values, no shared state. Nanoseconds of the host's clock.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/saturating_math.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

enum class PaceMode : std::uint8_t { kAsap, kThink, kTimeline, kScaled };

PaceMode PaceModeOf(const ReplaySettings& settings);

struct Pacing {
  PaceMode mode = PaceMode::kAsap;
  double speedup = 1;
  std::int64_t period_ns = 0;              ///< recorded time from the start to the last completion
  std::int64_t late_after_ns = INT64_MAX;  ///< lag above which an op counts as late
  bool abort_when_late = false;

  /// 36 years: nobody waits longer, and no clock of a host is near it.
  static constexpr std::int64_t kFarthestNs = std::int64_t{1} << 60;

  bool paced() const { return mode != PaceMode::kAsap; }

  /// A recorded time on the clock of the replay, still relative to its start. The division is that
  /// of double precision, cut to whole nanoseconds.
  /// At most kFarthestNs, either way, so that sums with the clock stay in range.
  std::int64_t Scaled(std::int64_t recorded_ns) const {
    if (mode != PaceMode::kScaled || speedup == 1)
      return std::clamp(recorded_ns, -kFarthestNs, kFarthestNs);
    const double scaled_ns = static_cast<double>(recorded_ns) / speedup;
    return static_cast<std::int64_t>(
        std::clamp(scaled_ns, static_cast<double>(-kFarthestNs), static_cast<double>(kFarthestNs)));
  }
};

/// Where one stream is in its schedule.
class Schedule {
 public:
  explicit Schedule(const Pacing& pacing) : pacing_(&pacing) {}

  void Start(std::int64_t start_ns) {
    base_ns_ = start_ns;
    BeginPass();
  }

  /// When the op recorded at `recorded_ns` is due; paced modes only.
  std::int64_t DueNs(std::int64_t recorded_ns) const {
    if (pacing_->mode != PaceMode::kThink || first_of_pass_) {
      return base_ns_ + pacing_->Scaled(recorded_ns);
    }
    if (!gap_known_ || recorded_ns <= source_end_ns_) return done_ns_;
    std::int64_t gap_ns = 0;
    if (__builtin_sub_overflow(recorded_ns, source_end_ns_, &gap_ns)) gap_ns = Pacing::kFarthestNs;
    return done_ns_ + std::min(gap_ns, Pacing::kFarthestNs);
  }

  /// The op of DueNs has completed. `duration_ns` is its recorded one, -1 = unknown.
  void Done(std::int64_t recorded_ns, std::int64_t duration_ns, std::int64_t done_ns) {
    first_of_pass_ = false;
    gap_known_ = duration_ns >= 0;
    source_end_ns_ = SaturatingAdd(recorded_ns, duration_ns);
    done_ns_ = done_ns;
  }

  /// The trace starts again. In think mode, where a slow storage makes the pass longer, not before
  /// the last op is done.
  void NextPass() {
    base_ns_ += pacing_->Scaled(pacing_->period_ns);
    if (pacing_->mode == PaceMode::kThink && done_ns_ > base_ns_) base_ns_ = done_ns_;
    BeginPass();
  }

 private:
  void BeginPass() {
    first_of_pass_ = true;
    gap_known_ = false;
  }

  const Pacing* pacing_;
  std::int64_t base_ns_ = 0;
  std::int64_t source_end_ns_ = 0;  // recorded completion of the op before
  std::int64_t done_ns_ = 0;        // its completion in the replay
  bool first_of_pass_ = true;
  bool gap_known_ = false;
};

}  // namespace ioflux
