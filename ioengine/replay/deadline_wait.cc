// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/deadline_wait.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace ioflux {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
/// Beyond this a sleeping processor gains nothing.
constexpr std::int64_t kAutoSpinNs = 60'000;
/// Time between two operations on one processor below which spinning costs more than it brings.
constexpr std::int64_t kDenseNs = 150'000;

void SleepFor(std::int64_t duration_ns) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const std::int64_t end_ns = until.tv_nsec + duration_ns;
  until.tv_sec += end_ns / kSecondNs;
  until.tv_nsec = end_ns % kSecondNs;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace

void DeadlineWait::SharpenTimers() { prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0); }

void DeadlineWait::Relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

bool DeadlineWait::Until(std::int64_t due_ns, StopQuestion stop) const {
  for (;;) {
    const std::int64_t left_ns = due_ns - clock_.now_ns();
    if (left_ns <= 0) return true;
    if (left_ns <= spin_ns_) break;
    SleepFor(std::min(left_ns - spin_ns_, StopQuestion::kAskEveryNs));
    if (left_ns > StopQuestion::kAskEveryNs && stop()) return false;
  }
  while (clock_.now_ns() < due_ns) Relax();
  return true;
}

std::int64_t AutoSpinNs(std::int64_t duration_ns, std::uint64_t ops, std::uint32_t processors) {
  if (ops == 0 || duration_ns <= 0) return 0;
  const double gap_ns = static_cast<double>(duration_ns) / static_cast<double>(ops) *
                        static_cast<double>(std::max(processors, 1U));
  return gap_ns < static_cast<double>(kDenseNs) ? 0 : kAutoSpinNs;
}

}  // namespace ioflux
