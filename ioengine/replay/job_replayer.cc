// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_replayer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
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
    : ReplayJob(shared, job_number, shard, progress), stream_(shared, stream) {}

JobReplayer::~JobReplayer() = default;

Result<void> JobReplayer::MakeReady() {
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

JobReplayer::Step JobReplayer::Next(ReplayRequest* request, StopQuestion stop) {
  for (;;) {
    if (shared_.control->aborted()) return Step::kStopped;
    if (!stream_.Advance()) return Step::kEndOfPass;
    const bool metadata = stream_.is_metadata();
    if (!metadata) PrepareData(request);
    if ((paced_ || limited_ || shared_.causal != nullptr) && !WaitForTurn(stop))
      return Step::kStopped;
    if (!metadata) return Step::kOperation;
    ExecuteMetadata();
    if (stop()) return Step::kStopped;
  }
}

bool JobReplayer::WaitForTurn(StopQuestion stop) {
  if (!stream_.AwaitOthers(stop) || shared_.control->aborted()) return false;
  if (paced_ && !wait_.Until(stream_.DueNs(), stop)) return false;
  return !limited_ || shared_.control->TakeSlot(shared_.clock, stop);
}

void JobReplayer::PrepareData(ReplayRequest* request) {
  *request = RequestOf(stream_, buffer_.get());
  if (moves_data_ && request->direction == DataDirection::kWrite)
    FillPayload(stream_, buffer_.get());
}

void JobReplayer::ExecuteMetadata() {
  const std::int64_t start_ns = shared_.clock.now_ns();
  IoOutcome outcome = stream_.Perform(nullptr);
  Finish(&outcome, start_ns, shared_.clock.now_ns());
}

std::int64_t JobReplayer::Execute(std::int64_t start_ns) {
  IoOutcome outcome = stream_.Perform(buffer_.get());
  Finish(&outcome, start_ns, shared_.clock.now_ns());
  return outcome.moved_bytes;
}

void JobReplayer::Finish(IoOutcome* outcome, std::int64_t start_ns, std::int64_t end_ns) {
  Account(stream_, outcome, start_ns, end_ns);
  if (progress_ != nullptr) {
    progress_->ops.store(figures().ops, std::memory_order_relaxed);
    progress_->bytes.store(figures().bytes, std::memory_order_relaxed);
  }
}

}  // namespace ioflux
