// SPDX-License-Identifier: GPL-2.0-only
//
// How one stream of the trace fared in a replay. Passive data, the same in side files and results.
#pragma once

#include <cstdint>

namespace ioflux {

struct StreamOutcome {
  std::int64_t stream = 0;
  std::int64_t job = 0;  ///< fio job number, from 1
  std::int64_t ops_in_trace = 0;
  std::int64_t ops = 0;  ///< executed, failed ones included; more than in the trace with loops
  std::int64_t bytes = 0;
  std::int64_t errors = 0;
  std::int64_t passes = 0;          ///< complete ones; more than 1 with fio's loops
  std::int64_t first_start_ns = 0;  ///< since the start of the replay
  std::int64_t first_end_ns = 0;    ///< since the start of the replay
  std::int64_t last_end_ns = 0;     ///< since the start of the replay
  std::int64_t worst_lag_ns = 0;    ///< paced modes: latest start after it was due
  std::int64_t late_ops = 0;        ///< started later than max_lag
  bool complete = false;            ///< every op of the stream ran at least once

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("stream", self.stream);
    archive.Required("job", self.job);
    archive.Required("ops_in_trace", self.ops_in_trace);
    archive.Required("ops", self.ops);
    archive.Required("bytes", self.bytes);
    archive.Required("errors", self.errors);
    archive.Required("passes", self.passes);
    archive.Required("first_start_ns", self.first_start_ns);
    archive.Optional("first_end_ns", self.first_end_ns);
    archive.Required("last_end_ns", self.last_end_ns);
    archive.Optional("worst_lag_ns", self.worst_lag_ns);
    archive.Optional("late_ops", self.late_ops);
    archive.Required("complete", self.complete);
  }
};

}  // namespace ioflux
