// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/latency_stats.h"

namespace ioflux {

OpLatency SummariseLatency(const std::string& op_type, std::int64_t ops,
                           const LatencyHistogram& histogram) {
  return OpLatency{.op_type = op_type,
                   .count = ops,
                   .p50_ns = histogram.PercentileNs(50),
                   .p90_ns = histogram.PercentileNs(90),
                   .p99_ns = histogram.PercentileNs(99),
                   .p999_ns = histogram.PercentileNs(99.9),
                   .max_ns = histogram.max_ns(),
                   .mean_ns = histogram.mean_ns()};
}

LagStats SummariseLag(const LatencyHistogram& histogram) {
  return LagStats{.p50_ns = histogram.PercentileNs(50),
                  .p99_ns = histogram.PercentileNs(99),
                  .p999_ns = histogram.PercentileNs(99.9),
                  .max_ns = histogram.max_ns(),
                  .mean_ns = histogram.mean_ns()};
}

}  // namespace ioflux
