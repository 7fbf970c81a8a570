// SPDX-License-Identifier: GPL-2.0-only
#include "cli/stop_request.h"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace ioflux {
namespace {

/// timeout(1) and some launchers signal the child and then its process group: one wish, heard
/// twice. Nobody presses Ctrl-C again, and means it, this soon.
constexpr std::int64_t kSameRequestNs = 1'000'000'000;

std::atomic<int> stop_count{0};
int listeners = 0;
std::atomic<std::int64_t> counted_at_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "used in a signal handler");

void CountStop(int /*signal*/) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  if (stop_count > 0 && now_ns - counted_at_ns < kSameRequestNs) return;
  counted_at_ns = now_ns;
  ++stop_count;
}

}  // namespace

StopRequest::StopRequest() {
  if (listeners++ > 0) return;
  stop_count = 0;
  struct sigaction action {};
  action.sa_handler = CountStop;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    sigaction(kStopSignals[i], &action, &previous_[i]);
  }
}

StopRequest::~StopRequest() {
  if (--listeners > 0) return;
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    sigaction(kStopSignals[i], &previous_[i], nullptr);
  }
}

int StopRequest::count() const { return stop_count; }

}  // namespace ioflux
