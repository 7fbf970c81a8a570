// SPDX-License-Identifier: GPL-2.0-only
//
// The profile `checkpoint-write`: at every interval each rank writes its part of a model into a
// file of its own, in blocks. Nothing is random.
//
// Checkpoint c of rank r is target c x ranks + r and handle one more, on stream r: OPEN, WRITEs
// from offset 0 on, FSYNC if wanted, CLOSE. Without a timing model all of it happens at c x
// interval.
//
// Equal parameters give equal bytes. Threading: one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "trace_tools/generate/generated_trace.h"
#include "trace_tools/generate/timing_model.h"

namespace ioflux {

struct CheckpointWriteParams {
  std::int64_t model_bytes = std::int64_t{16} << 30;  ///< > 0; the last rank takes the remainder
  std::int64_t ranks = 8;                             ///< > 0, <= model_bytes; one stream each
  std::int64_t block_bytes = 4 << 20;                 ///< > 0
  std::int64_t checkpoints = 1;                       ///< > 0
  double interval_s = 0;                              ///< finite, >= 0; start to start
  std::string fsync = "per-file";                     ///< per-file, final, none
  /// With it every op has a duration and the ops of a rank follow one another; a checkpoint then
  /// starts at its interval or when the rank has finished the one before, whichever is later.
  TimingModel model{};
};

/// kRefused names the first parameter that is out of its range, in the order above, then anything
/// whose size does not fit: bytes, duration, header.
Result<GeneratedTrace> GenerateCheckpointWrite(const CheckpointWriteParams& params);

}  // namespace ioflux
