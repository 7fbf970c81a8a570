// SPDX-License-Identifier: GPL-2.0-only
//
// StopQuestion: how the replayer asks its host whether to go on. Asked between operations that the
// host does not see and, while waiting, at least every kAskEveryNs; the host uses the occasion for
// whatever it must serve in time.
#pragma once

#include <cstdint>

namespace ioflux {

struct StopQuestion {
  /// Longest wait without asking.
  static constexpr std::int64_t kAskEveryNs = 100'000'000;

  bool (*ask)(void* cookie) = nullptr;
  void* cookie = nullptr;

  bool operator()() const { return ask != nullptr && ask(cookie); }
};

}  // namespace ioflux
