// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/replay_job.h"

namespace ioflux {

ReplayJob::ReplayJob(const SharedReplay& shared, std::uint32_t job_number, StatsShard* shard,
                     ProgressSlot* progress)
    : shared_(shared),
      wait_(shared.clock, shared.spin_ns),
      moves_data_(shared.backend->MovesData()),
      paced_(shared.pacing.paced()),
      limited_(shared.limited),
      shard_(shard),
      progress_(progress),
      job_number_(job_number) {
  ++shard_->jobs;
  shared_.control->Expect();
}

ReplayJob::~ReplayJob() = default;

Result<void> ReplayJob::Begin(StopQuestion stop) {
  IOFLUX_RETURN_IF_ERROR(MakeReady());
  if (paced_) DeadlineWait::SharpenTimers();
  awaited_ = true;
  const std::optional<std::int64_t> start_ns = shared_.control->AwaitStart(shared_.clock, stop);
  if (!start_ns || !wait_.Until(*start_ns, stop)) {
    return Error{.kind = ErrorKind::kFailed,
                 .what = "stopped before the first operation",
                 .where = {},
                 .mend = ""};
  }
  start_ns_ = *start_ns;
  Start(start_ns_);
  const std::lock_guard lock(shard_->mutex);
  shard_->stats.StartCurves(start_ns_, shared_.curve_interval_ns);
  return {};
}

void ReplayJob::End() {
  if (!awaited_) shared_.control->Leave();
  awaited_ = true;
  EndStreams();
}

}  // namespace ioflux
