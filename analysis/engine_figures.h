// SPDX-License-Identifier: GPL-2.0-only
//
// Figures of the engine that are the same in side files and results. Passive data; nanoseconds and
// bytes.
#pragma once

#include <cstdint>

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
