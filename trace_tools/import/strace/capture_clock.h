// SPDX-License-Identifier: GPL-2.0-only
//
// CaptureClock: the times of one capture, made absolute.
//
// -ttt is absolute already. -t and -tt carry no date: each line gets the day that lies nearest to
// the line before it, in either direction, but never one that would put it before the start of the
// capture. -r tells the time since the line before, whosever that was; lines must be given in the
// order of the file.
//
// Threading: one thread. Unit: nanoseconds, on a clock of the capture's own choice.
#pragma once

#include <cstdint>

#include "trace_tools/import/strace/line_head.h"

namespace ioflux::strace {

class CaptureClock {
 public:
  /// A clock whose first time of day shall lie within half a day of `reference_ns`.
  void StartNear(std::int64_t reference_ns) {
    started_ = true;
    start_ns_ = reference_ns - kHalfDayNs;
    now_ns_ = reference_ns;
  }

  /// `time` must have a kind other than kNone.
  std::int64_t Resolve(const TimeText& time);

  /// Whether the capture was made with -r alone.
  bool is_relative() const { return mode_ == Mode::kRelative; }
  bool is_time_of_day() const { return mode_ == Mode::kTimeOfDay; }
  std::int64_t now_ns() const { return now_ns_; }

 private:
  static constexpr std::int64_t kHalfDayNs = 43'200'000'000'000;
  enum class Mode : std::uint8_t { kUndecided, kAbsolute, kRelative, kTimeOfDay };

  std::int64_t OnNearestDay(std::int64_t in_day_ns);

  Mode mode_ = Mode::kUndecided;
  bool started_ = false;
  std::int64_t start_ns_ = 0;
  std::int64_t now_ns_ = 0;
};

}  // namespace ioflux::strace
