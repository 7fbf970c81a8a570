// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_control.h"

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <utility>

#include "ioengine/replay/futex.h"

namespace ioflux {
namespace {

using Word = FutexWord;

/// From the arrival of the last job to the start: time for every thread to wake up.
constexpr std::int64_t kStartLeadNs = 200'000;
constexpr std::int64_t kStartLeadPerJobNs = 20'000;
constexpr std::uint32_t kAnyBit = UINT32_MAX;

/// Waiters sleep on one of 32 bits, so that a freed slot wakes few of them.
std::uint32_t BitOf(std::uint32_t ticket) { return 1U << (ticket % 32); }

}  // namespace

/// A line each for what is written at every operation and what is only read.
struct RunControl::Shared {
  alignas(64) Word expected{0};  // jobs that have not left
  Word arrived{0};
  Word started{0};
  std::atomic<std::int64_t> start_ns{0};
  Word abort_reason{0};
  std::uint32_t max_inflight = 0;

  alignas(64) Word next_ticket{0};
  alignas(64) Word admitted{0};  // tickets below it hold or held a slot
  Word waiting{0};
  Word inflight{0};
  Word peak{0};
  std::atomic<std::uint64_t> backlog_events{0};
  std::atomic<std::uint64_t> backlog_blocked_ns{0};
};

Result<RunControl> RunControl::Create(std::uint32_t max_inflight) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return SystemError("cannot map memory for the jobs to share", errno, {});
  auto* shared = new (memory) Shared;
  shared->max_inflight = max_inflight;
  shared->admitted = max_inflight;
  return RunControl(shared);
}

RunControl::RunControl(RunControl&& other) noexcept
    : shared_(std::exchange(other.shared_, nullptr)) {}

RunControl& RunControl::operator=(RunControl&& other) noexcept {
  std::swap(shared_, other.shared_);
  return *this;
}

RunControl::~RunControl() {
  if (shared_ != nullptr) munmap(shared_, sizeof(Shared));
}

void RunControl::Expect() { ++shared_->expected; }

void RunControl::SetStartWhenComplete(HostClock clock) {
  const std::uint32_t expected = shared_->expected;
  if (shared_->arrived < expected || shared_->started != 0) return;
  // Several may see the last one come; the first to write decides.
  const std::int64_t lead_ns =
      expected > 1 ? kStartLeadNs + kStartLeadPerJobNs * static_cast<std::int64_t>(expected) : 0;
  std::int64_t unset = 0;
  shared_->start_ns.compare_exchange_strong(unset, clock.now_ns() + lead_ns);
  shared_->started = 1;
  FutexWake(&shared_->started, kAnyBit);
}

std::optional<std::int64_t> RunControl::AwaitStart(HostClock clock, StopQuestion stop) {
  if (shared_->started != 0) return clock.now_ns();
  ++shared_->arrived;
  SetStartWhenComplete(clock);
  while (shared_->started == 0) {
    FutexWait(&shared_->started, 0, kAnyBit);
    if (shared_->started == 0 && (stop() || aborted())) return std::nullopt;
    SetStartWhenComplete(clock);  // one may have left
  }
  return shared_->start_ns.load();
}

void RunControl::Leave() {
  --shared_->expected;
  FutexWake(&shared_->started, kAnyBit);
}

bool RunControl::TakeSlot(HostClock clock, StopQuestion stop) {
  const std::uint32_t ticket = shared_->next_ticket.fetch_add(1);
  const auto admitted = [&] {
    return static_cast<std::int32_t>(shared_->admitted.load() - ticket) > 0;
  };
  if (!admitted()) {
    const std::int64_t blocked_at_ns = clock.now_ns();
    ++shared_->waiting;
    while (!admitted()) {
      const std::uint32_t seen = shared_->admitted;
      if (static_cast<std::int32_t>(seen - ticket) > 0) break;
      FutexWait(&shared_->admitted, seen, BitOf(ticket));
      if (!admitted() && (stop() || aborted())) {
        --shared_->waiting;
        AdmitNext();  // so that the tickets behind this one stay in step
        return false;
      }
    }
    --shared_->waiting;
    AddBacklog(clock.now_ns() - blocked_at_ns);
  }
  CountInflight();
  return true;
}

bool RunControl::TryTakeSlot() {
  std::uint32_t ticket = shared_->next_ticket;
  do {
    if (static_cast<std::int32_t>(shared_->admitted.load() - ticket) <= 0) return false;
  } while (!shared_->next_ticket.compare_exchange_weak(ticket, ticket + 1));
  CountInflight();
  return true;
}

void RunControl::AddBacklog(std::int64_t blocked_ns) {
  ++shared_->backlog_events;
  shared_->backlog_blocked_ns += static_cast<std::uint64_t>(blocked_ns);
}

void RunControl::CountInflight() {
  const std::uint32_t depth = ++shared_->inflight;
  std::uint32_t peak = shared_->peak.load(std::memory_order_relaxed);
  while (depth > peak && !shared_->peak.compare_exchange_weak(peak, depth)) {
  }
}

void RunControl::GiveSlot() {
  --shared_->inflight;
  AdmitNext();
}

void RunControl::AdmitNext() {
  const std::uint32_t next = shared_->admitted.fetch_add(1);
  if (shared_->waiting != 0) FutexWake(&shared_->admitted, BitOf(next));
}

void RunControl::Abort(AbortReason reason) {
  std::uint32_t none = 0;
  shared_->abort_reason.compare_exchange_strong(none, static_cast<std::uint32_t>(reason));
}

bool RunControl::aborted() const {
  return shared_->abort_reason.load(std::memory_order_relaxed) != 0;
}

AbortReason RunControl::abort_reason() const {
  return static_cast<AbortReason>(shared_->abort_reason.load());
}

std::uint64_t RunControl::backlog_events() const { return shared_->backlog_events; }
std::uint64_t RunControl::backlog_blocked_ns() const { return shared_->backlog_blocked_ns; }
std::uint32_t RunControl::peak_inflight() const { return shared_->peak; }

}  // namespace ioflux
