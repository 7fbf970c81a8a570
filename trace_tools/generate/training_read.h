// SPDX-License-Identifier: GPL-2.0-only
//
// The profile `training-read`: data-loader workers read a shuffled list of shards, record by
// record, epoch after epoch.
//
// In each epoch the shards 0…n-1 are put in order (shuffled from the identity if wanted); the shard
// at position p goes to stream p mod workers as OPEN, one READ per record, CLOSE, under the next
// handle, from 1. Records are drawn until they cover the shard, the last one cut to fit, and
// shuffled after that if they are to be read at random. One random source serves all of it, in
// exactly this order. Without a timing model each stream issues one op a millisecond.
//
// Equal parameters give equal bytes. Threading: one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "trace_tools/generate/generated_trace.h"
#include "trace_tools/generate/timing_model.h"

namespace ioflux {

struct TrainingReadParams {
  std::int64_t shards = 1024;                    ///< > 0; one target each
  std::int64_t shard_bytes = 64 << 20;           ///< > 0
  std::int64_t record_bytes = 512 << 10;         ///< mean of the distribution; > 0, <= shard_bytes
  std::string record_size_dist = "lognormal";    ///< lognormal
  std::int64_t epochs = 1;                       ///< > 0
  std::int64_t workers = 8;                      ///< > 0; one stream each
  std::string read_within_shard = "sequential";  ///< sequential, random
  bool shuffle = true;                           ///< new order of the shards in every epoch
  std::int64_t seed = 42;
  TimingModel model{};                       ///< with it every op has a duration
  std::optional<std::int64_t> compute_ns{};  ///< >= 0; from the end of an op to the next one
};

/// kRefused names the first parameter that is out of its range, in the order above, then anything
/// whose size does not fit: bytes, duration, header.
Result<GeneratedTrace> GenerateTrainingRead(const TrainingReadParams& params);

}  // namespace ioflux
