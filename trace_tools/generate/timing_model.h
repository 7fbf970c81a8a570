// SPDX-License-Identifier: GPL-2.0-only
//
// How long the operations of a generated trace take, when that is modelled: a latency per
// operation plus, for data, its bytes over a bandwidth. Without a model no op has a duration.
//
// Passive data and arithmetic; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace ioflux {

struct TimingModel {
  std::optional<std::int64_t> bandwidth_bytes_per_s{};  ///< > 0; absent: data takes no time
  std::optional<std::int64_t> latency_ns{};             ///< >= 0; absent: 0

  bool given() const { return bandwidth_bytes_per_s || latency_ns; }

  /// Of an op that moves `bytes` (0 for one without data), rounded to the nanosecond; INT64_MAX
  /// when it does not fit.
  std::int64_t DurationNs(std::int64_t bytes) const;

  /// `100MiB/s, latency 1.0ms`, for the notes of a trace; "" when nothing is given.
  std::string Text() const;
};

/// kRefused when a value is out of its range.
Result<void> CheckTimingModel(const TimingModel& model);

}  // namespace ioflux
