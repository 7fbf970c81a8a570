// SPDX-License-Identifier: GPL-2.0-only
//
// Figures taken from one latency histogram. Percentiles follow LatencyHistogram::PercentileNs
// (upper edge of the bucket that holds the rank, at most 1/64 above the true value, never above the
// exact maximum); maximum and mean are exact. Passive data; nanoseconds.
#pragma once

#include <cstdint>
#include <string>

#include "base/latency_histogram.h"

namespace ioflux {

/// Latencies of one kind of operation.
struct OpLatency {
  std::string op_type;
  std::int64_t count = 0;  ///< operations of the kind
  std::int64_t p50_ns = 0;
  std::int64_t p90_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t p999_ns = 0;
  std::int64_t max_ns = 0;
  double mean_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("op_type", self.op_type);
    archive.Required("count", self.count);
    archive.Required("p50_ns", self.p50_ns);
    archive.Required("p90_ns", self.p90_ns);
    archive.Required("p99_ns", self.p99_ns);
    archive.Required("p999_ns", self.p999_ns);
    archive.Required("max_ns", self.max_ns);
    archive.Required("mean_ns", self.mean_ns);
  }
};

/// All kinds together: schedule drift, completion lag.
struct LagStats {
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t p999_ns = 0;
  std::int64_t max_ns = 0;
  double mean_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("p50_ns", self.p50_ns);
    archive.Required("p99_ns", self.p99_ns);
    archive.Required("p999_ns", self.p999_ns);
    archive.Required("max_ns", self.max_ns);
    archive.Required("mean_ns", self.mean_ns);
  }
};

OpLatency SummariseLatency(const std::string& op_type, std::int64_t ops,
                           const LatencyHistogram& histogram);
LagStats SummariseLag(const LatencyHistogram& histogram);

}  // namespace ioflux
