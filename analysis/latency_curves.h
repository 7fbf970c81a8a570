// SPDX-License-Identifier: GPL-2.0-only
//
// LatencyCurves: how latencies went over the time of a run, per kind of operation, the same in side
// files and results. Interval i covers [i, i+1) * interval_ns since the start of the replay; an
// operation belongs to the interval it ended in; intervals without one are absent.
//
// service_time: start to end. lag: due to start. response_time: due to end. The last two are empty
// in asap, where nothing is due. Passive data; nanoseconds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/packed_histogram.h"

namespace ioflux {

struct CurvePoint {
  std::int64_t interval = 0;
  PackedHistogram samples;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("interval", self.interval);
    archive.Required("samples", self.samples);
  }
};

struct KindCurves {
  std::vector<CurvePoint> service_time;
  std::vector<CurvePoint> lag;
  std::vector<CurvePoint> response_time;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("service_time", self.service_time);
    archive.Optional("lag", self.lag);
    archive.Optional("response_time", self.response_time);
  }
};

struct LatencyCurves {
  std::int64_t interval_ns = 0;  ///< 0 = no curves were made
  std::map<std::string, KindCurves> ops;

  bool empty() const { return ops.empty(); }

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("interval_ns", self.interval_ns);
    archive.Required("ops", self.ops);
  }
};

/// Adds `part`, whose time axis begins `shift_ns` after that of `sum`. Widths that differ are made
/// equal by doubling the narrower one.
void MergeCurves(LatencyCurves& sum, LatencyCurves part, std::int64_t shift_ns);

}  // namespace ioflux
