// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "ioengine/replay/stop_question.h"

namespace ioflux {

void FutexWait(FutexWord* word, std::uint32_t seen, std::uint32_t bits) {
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const std::int64_t end_ns = until.tv_nsec + StopQuestion::kAskEveryNs;
  until.tv_sec += end_ns / 1'000'000'000;
  until.tv_nsec = end_ns % 1'000'000'000;
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen, &until, nullptr, bits);
}

void FutexWake(FutexWord* word, std::uint32_t bits) {
  syscall(SYS_futex, word, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, bits);
}

}  // namespace ioflux
