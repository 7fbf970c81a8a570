// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/capture_clock.h"

namespace ioflux::strace {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kDayNs = 86'400 * kSecondNs;
// Lines of several threads are not in order of time; this much before the first one is believed.
constexpr std::int64_t kSlackNs = 3'600 * kSecondNs;

// Later than any time a line can say, and a day and more below what fits.
constexpr std::int64_t kLatestNs = 9'100'000'000 * kSecondNs;

}  // namespace

std::int64_t CaptureClock::OnNearestDay(std::int64_t in_day_ns) {
  if (!started_) {
    started_ = true;
    start_ns_ = in_day_ns - kSlackNs;
    return in_day_ns;
  }
  std::int64_t day = now_ns_ / kDayNs;
  if (now_ns_ % kDayNs < 0) --day;
  std::int64_t t_ns = day * kDayNs + in_day_ns;
  if (t_ns - now_ns_ > kHalfDayNs) t_ns -= kDayNs;
  if (now_ns_ - t_ns > kHalfDayNs) t_ns += kDayNs;
  if (t_ns < start_ns_) t_ns += kDayNs;
  return t_ns;
}

std::int64_t CaptureClock::Resolve(const TimeText& time) {
  const std::int64_t value_ns = time.seconds * kSecondNs + time.nanoseconds;
  if (time.kind == TimeText::Kind::kTimeOfDay) {
    mode_ = Mode::kTimeOfDay;
    return now_ns_ = OnNearestDay(value_ns);
  }
  if (mode_ == Mode::kUndecided) {
    // -r begins with zero, and with blanks before it.
    const bool relative = time.aligned || value_ns == 0;
    mode_ = relative ? Mode::kRelative : Mode::kAbsolute;
  }
  if (mode_ == Mode::kAbsolute) return now_ns_ = value_ns;
  // A sum of damaged lines must not run over.
  if (now_ns_ < kLatestNs - value_ns) now_ns_ += value_ns;
  return now_ns_;
}

}  // namespace ioflux::strace
