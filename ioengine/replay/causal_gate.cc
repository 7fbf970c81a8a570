// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/causal_gate.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <utility>

#include "ioengine/replay/futex.h"

namespace ioflux {
namespace {

constexpr std::uint64_t kWithdrawn = UINT64_MAX;
constexpr std::uint32_t kAnyBit = UINT32_MAX;

}  // namespace

/// A line for each stream: it is written at every op.
struct alignas(64) CausalGate::Progress {
  std::atomic<std::uint64_t> ops{0};  // over, over all passes; kWithdrawn
  std::atomic<std::uint64_t> ops_at_withdrawal{0};
  FutexWord waiting{0};
  FutexWord pulse{0};  // changes when somebody waits and an op is over
};

struct alignas(64) CausalGate::Totals {
  std::atomic<std::uint64_t> waits{0};
  std::atomic<std::uint64_t> waited_ns{0};
  std::atomic<std::uint64_t> broken{0};
};

Result<CausalGate> CausalGate::Create(CausalOrder order,
                                      std::vector<std::uint64_t> ops_of_streams) {
  CausalGate gate(std::move(order), std::move(ops_of_streams));
  const std::size_t streams = gate.ops_of_streams_.size();
  gate.memory_bytes_ = sizeof(Totals) + streams * sizeof(Progress);
  void* memory =
      mmap(nullptr, gate.memory_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return SystemError("cannot map memory for the streams to share", errno, {});
  gate.memory_ = memory;
  gate.totals_ = new (memory) Totals;
  gate.progress_ = new (static_cast<char*>(memory) + sizeof(Totals)) Progress[streams];
  return gate;
}

CausalGate::CausalGate(CausalGate&& other) noexcept { *this = std::move(other); }

CausalGate& CausalGate::operator=(CausalGate&& other) noexcept {
  std::swap(order_, other.order_);
  std::swap(ops_of_streams_, other.ops_of_streams_);
  std::swap(memory_, other.memory_);
  std::swap(memory_bytes_, other.memory_bytes_);
  std::swap(totals_, other.totals_);
  std::swap(progress_, other.progress_);
  return *this;
}

CausalGate::~CausalGate() {
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
}

void CausalGate::Done(std::uint32_t stream, std::uint64_t ops) {
  Progress& progress = progress_[stream];
  progress.ops.store(ops);
  if (progress.waiting.load() == 0) return;
  ++progress.pulse;
  FutexWake(&progress.pulse, kAnyBit);
}

void CausalGate::Withdraw(std::uint32_t stream) {
  Progress& progress = progress_[stream];
  const std::uint64_t ops = progress.ops.load();
  if (ops == kWithdrawn) return;
  progress.ops_at_withdrawal = ops;
  Done(stream, kWithdrawn);
}

bool CausalGate::Holds(const CausalNeed& need, std::uint64_t pass) const {
  return progress_[need.stream].ops.load() >= pass * ops_of_streams_[need.stream] + need.ops;
}

void CausalGate::CountIfBroken(const CausalNeed& need, std::uint64_t pass) {
  const Progress& progress = progress_[need.stream];
  if (progress.ops.load() != kWithdrawn) return;
  if (progress.ops_at_withdrawal.load() < pass * ops_of_streams_[need.stream] + need.ops)
    ++totals_->broken;
}

bool CausalGate::Await(const CausalNeed& need, std::uint64_t pass, StopQuestion stop) {
  Progress& progress = progress_[need.stream];
  ++progress.waiting;
  bool told_to_stop = false;
  while (!told_to_stop) {
    const std::uint32_t seen = progress.pulse.load();
    if (Holds(need, pass)) break;
    FutexWait(&progress.pulse, seen, kAnyBit);
    told_to_stop = !Holds(need, pass) && stop();
  }
  --progress.waiting;
  return !told_to_stop;
}

void CausalGate::CountWait(std::int64_t waited_ns) {
  ++totals_->waits;
  totals_->waited_ns += static_cast<std::uint64_t>(waited_ns);
}

std::uint64_t CausalGate::waits() const { return totals_->waits; }
std::uint64_t CausalGate::waited_ns() const { return totals_->waited_ns; }
std::uint64_t CausalGate::broken() const { return totals_->broken; }

CausalCursor::CausalCursor(CausalGate* gate, std::uint32_t stream)
    : gate_(gate),
      stream_(stream),
      is_involved_(std::binary_search(gate->order().involved.begin(), gate->order().involved.end(),
                                      stream)) {}

void CausalCursor::Rewind() {
  next_ = 0;
  need_ = 0;
  others_ = 0;
}

std::optional<CausalCursor::Unmet> CausalCursor::FindUnmet(std::uint64_t place,
                                                           std::uint64_t pass) {
  const CausalOrder& order = gate_->order();
  for (; is_involved_ && pass > 0 && others_ < order.involved.size(); ++others_) {
    const std::uint32_t other = order.involved[others_];
    const CausalNeed need{.stream = other, .ops = gate_->ops_of(other)};
    if (!gate_->Holds(need, pass - 1)) return Unmet{need, pass - 1};
  }
  const std::vector<CausalWait>& waits = order.waits[stream_];
  if (next_ == waits.size() || waits[next_].op != place) return std::nullopt;
  const CausalWait& wait = waits[next_];
  for (; wait.first_need + need_ < wait.last_need; ++need_) {
    const CausalNeed& need = order.needs[wait.first_need + need_];
    if (!gate_->Holds(need, pass)) return Unmet{need, pass};
    gate_->CountIfBroken(need, pass);
  }
  ++next_;
  need_ = 0;
  return std::nullopt;
}

bool CausalCursor::MayStart(std::uint64_t place, std::uint64_t pass) {
  return !FindUnmet(place, pass);
}

bool CausalCursor::Await(std::uint64_t place, std::uint64_t pass, HostClock clock,
                         StopQuestion stop) {
  std::optional<Unmet> unmet = FindUnmet(place, pass);
  if (!unmet) return true;
  const std::int64_t from_ns = clock.now_ns();
  for (; unmet; unmet = FindUnmet(place, pass)) {
    if (!gate_->Await(unmet->need, unmet->pass, stop)) return false;
  }
  gate_->CountWait(clock.now_ns() - from_ns);
  return true;
}

}  // namespace ioflux
