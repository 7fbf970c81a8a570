// SPDX-License-Identifier: GPL-2.0-only
//
// CausalGate: how far every stream is, for the ops of others that wait for it (order=causal).
//
// In memory that forked processes share, like RunControl. A stream whose job ends early lets
// everybody pass that waits for it, since what they wait for will not come; those are counted.
//
// Threading: Done and Withdraw of a stream by its driver; everything else from any thread of any
// process of the session. Waits use futexes in slices of at most StopQuestion::kAskEveryNs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/causal_order.h"
#include "ioengine/replay/host_clock.h"
#include "ioengine/replay/stop_question.h"

namespace ioflux {

class CausalGate {
 public:
  static Result<CausalGate> Create(CausalOrder order, std::vector<std::uint64_t> ops_of_streams);
  CausalGate(CausalGate&& other) noexcept;
  CausalGate& operator=(CausalGate&& other) noexcept;
  ~CausalGate();

  const CausalOrder& order() const { return order_; }
  std::uint64_t ops_of(std::uint32_t stream) const { return ops_of_streams_[stream]; }

  /// `ops` of the stream are over, over all passes.
  void Done(std::uint32_t stream, std::uint64_t ops);
  /// It will do no more.
  void Withdraw(std::uint32_t stream);

  /// Whether `need` holds in pass `pass` (from 0).
  bool Holds(const CausalNeed& need, std::uint64_t pass) const;
  /// Of a need that holds: counts it if nothing but the end of its stream made it so.
  void CountIfBroken(const CausalNeed& need, std::uint64_t pass);
  /// Waits until it does. False when told to stop first.
  bool Await(const CausalNeed& need, std::uint64_t pass, StopQuestion stop);

  /// An op waited so long before it could start.
  void CountWait(std::int64_t waited_ns);
  std::uint64_t waits() const;
  std::uint64_t waited_ns() const;
  std::uint64_t broken() const;  ///< waits that ended because the stream they waited for had ended

 private:
  struct Progress;
  struct Totals;
  CausalGate(CausalOrder order, std::vector<std::uint64_t> ops_of_streams)
      : order_(std::move(order)), ops_of_streams_(std::move(ops_of_streams)) {}

  CausalOrder order_;
  std::vector<std::uint64_t> ops_of_streams_;
  void* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  Totals* totals_ = nullptr;
  Progress* progress_ = nullptr;  // by stream
};

/// The waits of one stream, in step with its ops.
class CausalCursor {
 public:
  CausalCursor(CausalGate* gate, std::uint32_t stream);

  /// Whether op `place` of pass `pass` may start; asks only for what did not hold before.
  bool MayStart(std::uint64_t place, std::uint64_t pass);
  /// Waits until it may. False when told to stop first.
  bool Await(std::uint64_t place, std::uint64_t pass, HostClock clock, StopQuestion stop);
  /// The op is over, the `ops`-th of the stream.
  void Done(std::uint64_t ops) { gate_->Done(stream_, ops); }
  /// To the next pass.
  void Rewind();
  void Withdraw() { gate_->Withdraw(stream_); }
  void CountWait(std::int64_t waited_ns) { gate_->CountWait(waited_ns); }

 private:
  struct Unmet {
    CausalNeed need;
    std::uint64_t pass = 0;
  };

  /// The first need of the op that does not hold; nothing when all do.
  std::optional<Unmet> FindUnmet(std::uint64_t place, std::uint64_t pass);

  CausalGate* gate_;
  std::uint32_t stream_;
  std::size_t next_ = 0;    // wait of the stream that comes next
  std::uint32_t need_ = 0;  // of it, those that hold
  std::size_t others_ = 0;  // involved streams known to have ended the pass before
  bool is_involved_ = false;
};

}  // namespace ioflux
