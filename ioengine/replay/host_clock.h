// SPDX-License-Identifier: GPL-2.0-only
//
// HostClock: the clock that every stamp of a replay is taken from, fio's own; nanoseconds.
#pragma once

#include <cstdint>

namespace ioflux {

struct HostClock {
  std::int64_t (*now_ns)() = nullptr;
};

}  // namespace ioflux
