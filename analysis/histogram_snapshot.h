// SPDX-License-Identifier: GPL-2.0-only
//
// HistogramSnapshot: the histograms and counters of a run without loss, so that results can be
// merged and asked other percentiles later. Passive data; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/histogram_json.h"
#include "base/latency_histogram.h"

namespace ioflux {

struct HistogramSnapshot {
  std::string layout{kHistogramLayout};
  std::map<std::string, LatencyHistogram> histograms;          ///< latency, by kind
  std::map<std::string, LatencyHistogram> service_histograms;  ///< service time, by kind
  std::optional<LatencyHistogram> drift_hist;
  std::optional<LatencyHistogram> completion_lag_hist;
  std::map<std::string, std::int64_t> counts;  ///< operations, by kind
  std::int64_t bytes = 0;
  std::int64_t errors = 0;
  std::int64_t short_reads = 0;
  std::int64_t histogram_overflows = 0;
  std::int64_t backlog_events = 0;
  std::int64_t backlog_blocked_ns = 0;
  std::int64_t max_inflight_depth = 0;
  std::int64_t peak_inflight = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("layout", self.layout);
    archive.Required("histograms", self.histograms);
    archive.Required("service_histograms", self.service_histograms);
    archive.Optional("drift_hist", self.drift_hist);
    archive.Optional("completion_lag_hist", self.completion_lag_hist);
    archive.Required("counts", self.counts);
    archive.Required("bytes", self.bytes);
    archive.Required("errors", self.errors);
    archive.Required("short_reads", self.short_reads);
    archive.Required("histogram_overflows", self.histogram_overflows);
    archive.Required("backlog_events", self.backlog_events);
    archive.Required("backlog_blocked_ns", self.backlog_blocked_ns);
    archive.Required("max_inflight_depth", self.max_inflight_depth);
    archive.Required("peak_inflight", self.peak_inflight);
  }
};

}  // namespace ioflux
