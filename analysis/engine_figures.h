// SPDX-License-Identifier: GPL-2.0-only
//
// Figures of the engine that are the same in side files and results. Passive data; nanoseconds and
// bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ioflux {

/// What the trace offers for pacing, and how the engine waited.
struct PacingFigures {
  std::int64_t gaps = 0;        ///< operations with one before them in their stream
  std::int64_t known_gaps = 0;  ///< those whose predecessor has a duration
  std::int64_t spin_ns = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("gaps", self.gaps);
    archive.Required("known_gaps", self.known_gaps);
    archive.Required("spin_ns", self.spin_ns);
  }
};

/// With order=causal: what operations waited for in other streams.
struct CausalFigures {
  std::map<std::string, std::int64_t> pairs;  ///< by rule: operations that must keep their order
  std::int64_t waits = 0;                     ///< operations that had to wait
  std::int64_t waited_ns = 0;                 ///< the sum of these waits
  std::int64_t broken = 0;  ///< waits that ended because the stream they waited for had ended

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("pairs", self.pairs);
    archive.Required("waits", self.waits);
    archive.Required("waited_ns", self.waited_ns);
    archive.Required("broken", self.broken);
  }
};

struct EngineMemory {
  std::int64_t trace_bytes = 0;     ///< the resident trace
  std::int64_t peak_rss_bytes = 0;  ///< of the whole process, fio included

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("trace_bytes", self.trace_bytes);
    archive.Required("peak_rss_bytes", self.peak_rss_bytes);
  }
};

}  // namespace ioflux
