// SPDX-License-Identifier: GPL-2.0-only
//
// SharedReplay: what all streams of a session share: where operations go, when they start, and what
// may end the run.
#pragma once

#include <cstdint>
#include <vector>

#include "ioengine/backend/backend.h"
#include "ioengine/replay/causal_gate.h"
#include "ioengine/replay/host_clock.h"
#include "ioengine/replay/pacing.h"
#include "ioengine/replay/payload.h"
#include "ioengine/replay/run_control.h"

namespace ioflux {

/// What all streams of a session share; const while jobs run, owned by the session.
struct SharedReplay {
  const std::vector<BackendTarget>* targets = nullptr;
  const std::vector<std::uint64_t>* target_hashes = nullptr;  ///< payload seed of each target
  Backend* backend = nullptr;
  const Payload* payload = nullptr;
  HostClock clock{};
  Pacing pacing;
  RunControl* control = nullptr;
  CausalGate* causal = nullptr;  ///< nullptr: streams wait for nobody
  bool limited = false;  ///< more streams than operations may be in flight: slots are needed
  bool abort_on_error = false;
  std::int64_t spin_ns = 0;
  std::int64_t curve_interval_ns = 0;
};

}  // namespace ioflux
