// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_replayer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "base/size_text.h"

namespace ioflux {
namespace {

constexpr std::size_t kBufferAlignment = 4096;
/// A larger buffer is touched by the operation itself; to touch it beforehand for every stream
/// could exhaust memory.
constexpr std::size_t kTouchedBytes = std::size_t{64} << 20;

}  // namespace

void JobReplayer::BufferFree::operator()(char* buffer) const { std::free(buffer); }

JobReplayer::JobReplayer(const SharedReplay& shared, const StreamOps& stream,
                         std::uint32_t job_number, StatsShard* shard, ProgressSlot* progress)
    : shared_(shared),
      stream_(shared, stream),
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

JobReplayer::~JobReplayer() = default;

Result<void> JobReplayer::MakeBuffer() {
  if (!moves_data_) return {};
  const auto largest_bytes = static_cast<std::size_t>(stream().largest_op_bytes);
  const std::size_t size = (std::max<std::size_t>(largest_bytes, 1) + kBufferAlignment - 1) /
                           kBufferAlignment * kBufferAlignment;
  buffer_.reset(static_cast<char*>(std::aligned_alloc(kBufferAlignment, size)));
  if (buffer_ == nullptr) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = "no memory for an operation of " + FormatSizeHuman(largest_bytes) +
                         " in stream " + std::to_string(stream().stream),
                 .where = {},
                 .mend = "run on a host with more memory, or look whether the trace is sound"};
  }
  std::memset(buffer_.get(), 0, std::min(size, kTouchedBytes));
  return {};
}

Result<void> JobReplayer::Begin(StopQuestion stop) {
  IOFLUX_RETURN_IF_ERROR(MakeBuffer());
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
  stream_.Start(start_ns_);
  const std::lock_guard lock(shard_->mutex);
  shard_->stats.StartCurves(start_ns_, shared_.curve_interval_ns);
  return {};
}

JobReplayer::Step JobReplayer::Next(Request* request, StopQuestion stop) {
  for (;;) {
    if (shared_.control->aborted()) return Step::kStopped;
    if (!stream_.Advance()) return Step::kEndOfPass;
    const bool metadata = stream_.is_metadata();
    if (!metadata) PrepareData(request);
    if ((paced_ || limited_) && !WaitForTurn(stop)) return Step::kStopped;
    if (!metadata) return Step::kOperation;
    ExecuteMetadata();
    if (stop()) return Step::kStopped;
  }
}

bool JobReplayer::WaitForTurn(StopQuestion stop) {
  if (paced_ && !wait_.Until(stream_.DueNs(), stop)) return false;
  return !limited_ || shared_.control->TakeSlot(shared_.clock, stop);
}

void JobReplayer::PrepareData(Request* request) {
  const ReplayOp& op = stream_.op();
  request->direction = InfoOf(op.kind).data;
  request->offset = op.offset;
  request->length_bytes = op.length_bytes;
  if (!moves_data_) return;
  request->buffer = buffer_.get();
  if (request->direction != DataDirection::kWrite) return;
  const std::int64_t from_ns = shared_.clock.now_ns();
  stream_.FillPayload(buffer_.get());
  payload_ns_ += shared_.clock.now_ns() - from_ns;
}

void JobReplayer::ExecuteMetadata() {
  const std::int64_t start_ns = shared_.clock.now_ns();
  IoOutcome outcome = stream_.Perform(nullptr);
  Account(&outcome, start_ns, shared_.clock.now_ns());
}

std::int64_t JobReplayer::Execute(std::int64_t start_ns) {
  IoOutcome outcome = stream_.Perform(buffer_.get());
  Account(&outcome, start_ns, shared_.clock.now_ns());
  return outcome.moved_bytes;
}

void JobReplayer::Account(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns) {
  if (limited_) shared_.control->GiveSlot();
  if (shard_->jobs == 1) [[likely]] {
    stream_.Account(outcome, start_ns, end_ns, shard_->stats);
  } else {
    const std::lock_guard lock(shard_->mutex);
    stream_.Account(outcome, start_ns, end_ns, shard_->stats);
  }
  if (progress_ != nullptr) {
    progress_->ops.store(figures().ops, std::memory_order_relaxed);
    progress_->bytes.store(figures().bytes, std::memory_order_relaxed);
  }
}

void JobReplayer::End() {
  if (!awaited_) shared_.control->Leave();
  awaited_ = true;
  stream_.CloseAll();
}

}  // namespace ioflux
