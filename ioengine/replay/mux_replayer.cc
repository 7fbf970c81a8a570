// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/mux_replayer.h"

#include <algorithm>
#include <utility>

namespace ioflux {
namespace {

/// Looks at the streams that wait for others, while others are ready.
constexpr std::int64_t kBetweenLooksNs = 20'000;
/// The same, while there is nothing else to do.
constexpr std::int64_t kBetweenPollsNs = 100'000;

}  // namespace

MuxReplayer::MuxReplayer(const SharedReplay& shared, const std::vector<const StreamOps*>& streams,
                         std::uint32_t max_inflight, std::uint32_t job_number, StatsShard* shard,
                         ProgressSlot* progress)
    : ReplayJob(shared, job_number, shard, progress),
      ready_(shared.pacing.paced(), streams.size()),
      depth_(std::min(static_cast<std::uint32_t>(streams.size()), max_inflight)) {
  for (const StreamOps* ops : streams) streams_.emplace_back(shared, *ops);
}

MuxReplayer::~MuxReplayer() = default;

Result<void> MuxReplayer::MakeReady() {
  Result<std::unique_ptr<OpQueue>> queue = shared_.backend->MakeQueue(depth_);
  if (queue) {
    queue_ = std::move(queue).value();
  } else {
    queue_refusal_ = queue.error().what;
  }
  issued_.reserve(depth_);
  if (!moves_data_) return {};
  std::int64_t largest_bytes = 0;
  for (const Stream& stream : streams_) {
    largest_bytes = std::max(largest_bytes, stream.replayer.ops().largest_op_bytes);
  }
  // One more than in flight, for the operation that is prepared before its time.
  return buffers_.Reserve(depth_ + 1, static_cast<std::size_t>(largest_bytes));
}

void MuxReplayer::Start(std::int64_t start_ns) {
  for (Stream& stream : streams_) stream.replayer.Start(start_ns);
}

void MuxReplayer::BeginPass() {
  pass_is_open_ = true;
  const std::int64_t now_ns = shared_.clock.now_ns();
  for (std::uint32_t index = 0; index < streams_.size(); ++index) GoOn(index, now_ns);
}

/// Of a stream whose op is over: goes on to its next one, if it has one in this pass.
void MuxReplayer::GoOn(std::uint32_t index, std::int64_t now_ns) {
  Stream& stream = streams_[index];
  if (!stream.replayer.Advance()) return;
  if (!stream.replayer.MayStart()) {
    stream.ready_ns = now_ns;
    held_back_.push_back(index);
    return;
  }
  const std::int64_t due_ns = paced_ ? stream.replayer.DueNs() : 0;
  stream.ready_ns = paced_ ? std::max(due_ns, now_ns) : now_ns;
  ready_.Push(index, due_ns);
}

/// Streams of other jobs say nothing when an op is over, so this is asked now and then.
void MuxReplayer::GoOnWhereOthersAreDone() {
  const std::int64_t now_ns = shared_.clock.now_ns();
  if (!ready_.empty() && now_ns - looked_at_held_ns_ < kBetweenLooksNs) return;
  looked_at_held_ns_ = now_ns;
  std::erase_if(held_back_, [&](std::uint32_t index) {
    Stream& stream = streams_[index];
    if (!stream.replayer.MayStart()) return false;
    stream.replayer.CountWaitForOthers(now_ns - stream.ready_ns);
    const std::int64_t due_ns = paced_ ? stream.replayer.DueNs() : 0;
    stream.ready_ns = std::max(due_ns, now_ns);
    ready_.Push(index, due_ns);
    return true;
  });
}

/// When there may be something to begin.
std::int64_t MuxReplayer::NextLookNs() const {
  const std::int64_t due_ns = ready_.front_due_ns();
  if (held_back_.empty()) return due_ns;
  return std::min(due_ns, shared_.clock.now_ns() + kBetweenPollsNs);
}

MuxReplayer::Step MuxReplayer::Next(ReplayRequest* request, StopQuestion stop) {
  if (!pass_is_open_) BeginPass();
  for (;;) {
    if (shared_.control->aborted()) return Step::kStopped;
    TakeCompletions();
    if (!done_.empty()) {  // to be stamped now
      may_return_early_ = true;
      return Step::kIdle;
    }
    if (!held_back_.empty()) GoOnWhereOthersAreDone();
    const bool is_ready =
        !ready_.empty() && (!paced_ || ready_.front_due_ns() <= shared_.clock.now_ns());
    if (!is_ready) {
      const Step step = NothingReady(stop);
      if (step != Step::kOperation) return step;
      continue;
    }
    const std::uint32_t index = ready_.front();
    Stream& stream = streams_[index];
    if (limited_) {
      const Slot slot = TakeSlot(stream, stop);
      if (slot == Slot::kStopped) return Step::kStopped;
      if (slot == Slot::kLater) {
        may_return_early_ = true;
        idle_until_ns_ = INT64_MAX;
        if (in_flight_ != 0) return Step::kIdle;
        if (!WaitForInternal(INT64_MAX, stop)) return Step::kStopped;
        continue;
      }
    }
    ready_.Pop();
    if (stream.replayer.is_metadata()) {
      StartMetadata(index);
      if (stop()) return Step::kStopped;
      continue;
    }
    if (stream.is_prepared) prepared_early_ = false;
    Prepare(stream);
    *request = RequestOf(stream.replayer, stream.buffer);
    current_ = index;
    return Step::kOperation;
  }
}

/// kOperation: look again.
MuxReplayer::Step MuxReplayer::NothingReady(StopQuestion stop) {
  const std::int64_t due_ns = NextLookNs();
  if (!ready_.empty() && !prepared_early_) {
    Stream& first = streams_[ready_.front()];
    if (!first.replayer.is_metadata() && moves_data_) {
      Prepare(first);
      prepared_early_ = true;
    }
  }
  if (in_flight_ != 0) {
    may_return_early_ = true;
    idle_until_ns_ = due_ns;
    return Step::kIdle;
  }
  if (internal_in_flight_ == 0 && ready_.empty() && held_back_.empty()) {
    pass_is_open_ = false;
    return Step::kEndOfPass;
  }
  return WaitForInternal(due_ns, stop) ? Step::kOperation : Step::kStopped;
}

MuxReplayer::Slot MuxReplayer::TakeSlot(const Stream& stream, StopQuestion stop) {
  if (shared_.control->TryTakeSlot()) {
    if (refused_slot_ns_ >= stream.ready_ns) {
      shared_.control->AddBacklog(shared_.clock.now_ns() - stream.ready_ns);
    }
    return Slot::kTaken;
  }
  refused_slot_ns_ = shared_.clock.now_ns();
  // What this job has in flight gives a slot back when it ends; else another job must.
  if (in_flight_ + internal_in_flight_ != 0) return Slot::kLater;
  return shared_.control->TakeSlot(shared_.clock, stop) ? Slot::kTaken : Slot::kStopped;
}

/// Waits until something has ended or it is `due_ns`. False when told to stop.
bool MuxReplayer::WaitForInternal(std::int64_t due_ns, StopQuestion stop) {
  if (internal_in_flight_ == 0) return wait_.Until(due_ns, stop);
  while (!HasCompletions() && shared_.clock.now_ns() < due_ns) {
    WaitUntil(due_ns);
    if (stop()) return false;
  }
  return true;
}

/// One slice of a wait for the queue.
void MuxReplayer::WaitUntil(std::int64_t due_ns) {
  const std::int64_t left_ns = due_ns == INT64_MAX ? INT64_MAX : due_ns - shared_.clock.now_ns();
  if (left_ns > shared_.spin_ns) {
    queue_->Wait(std::min(left_ns - (left_ns == INT64_MAX ? 0 : shared_.spin_ns),
                          StopQuestion::kAskEveryNs));
    return;
  }
  while (!HasCompletions() && shared_.clock.now_ns() < due_ns) DeadlineWait::Relax();
}

void MuxReplayer::Prepare(Stream& stream) {
  if (!std::exchange(stream.is_prepared, true) && moves_data_) {
    const DataDirection direction = InfoOf(stream.replayer.op().kind).data;
    if (direction == DataDirection::kNone) return;
    stream.buffer = buffers_.Take();
    if (direction == DataDirection::kWrite) FillPayload(stream.replayer, stream.buffer);
  }
}

void MuxReplayer::StartMetadata(std::uint32_t index) {
  Stream& stream = streams_[index];
  const std::int64_t start_ns = shared_.clock.now_ns();
  if (queue_ == nullptr || QueueKindOf(stream.replayer.op().kind) == QueuedOp::Kind::kOther) {
    std::int64_t moved_bytes = 0;
    Perform(index, start_ns, &moved_bytes);
    return;
  }
  stream.host_op = nullptr;
  stream.start_ns = start_ns;
  stream.queued = stream.replayer.ForQueue(nullptr);
  queue_->Add(stream.queued, index);
  // Those of the host that wait for their Submit() are not in the queue yet.
  queue_->Submit();
  ++internal_in_flight_;
  ++queued_ops_;
}

void MuxReplayer::Perform(std::uint32_t index, std::int64_t start_ns, std::int64_t* moved_bytes) {
  Stream& stream = streams_[index];
  if (queue_ != nullptr) ++held_up_ops_;
  IoOutcome outcome = stream.replayer.Perform(stream.buffer);
  Finish(index, &outcome, start_ns, shared_.clock.now_ns());
  *moved_bytes = outcome.moved_bytes;
}

bool MuxReplayer::Issue(void* host_op, std::int64_t start_ns, std::int64_t* moved_bytes) {
  Stream& stream = streams_[current_];
  if (queue_ != nullptr) stream.queued = stream.replayer.ForQueue(stream.buffer);
  if (queue_ == nullptr || !queue_->Takes(stream.queued)) {
    Perform(current_, start_ns, moved_bytes);
    return true;
  }
  stream.host_op = host_op;
  issued_.push_back(current_);
  ++in_flight_;
  return false;
}

void MuxReplayer::Submit(std::int64_t start_ns) {
  for (const std::uint32_t index : issued_) {
    Stream& stream = streams_[index];
    stream.start_ns = start_ns;
    queue_->Add(stream.queued, index);
  }
  queued_ops_ += issued_.size();
  issued_.clear();
  queue_->Submit();
}

/// True when metadata operations were among them: their streams go on without the host.
bool MuxReplayer::TakeCompletions() {
  if (!HasCompletions()) return false;
  const std::uint32_t internal_before = internal_in_flight_;
  completions_.clear();
  queue_->Reap(completions_);
  const std::int64_t end_ns = shared_.clock.now_ns();
  for (QueueCompletion& completion : completions_) {
    Stream& stream = streams_[completion.tag];
    void* const host_op = std::exchange(stream.host_op, nullptr);
    if (host_op == nullptr) {
      --internal_in_flight_;
    } else {
      --in_flight_;
    }
    Finish(completion.tag, &completion.outcome, stream.start_ns, end_ns);
    if (host_op != nullptr) {
      done_.push_back({.host_op = host_op, .moved_bytes = completion.outcome.moved_bytes});
    }
  }
  return internal_in_flight_ != internal_before;
}

void MuxReplayer::Finish(std::uint32_t index, IoOutcome* outcome, std::int64_t start_ns,
                         std::int64_t end_ns) {
  Stream& stream = streams_[index];
  Account(stream.replayer, outcome, start_ns, end_ns);
  if (stream.buffer != nullptr) buffers_.Give(std::exchange(stream.buffer, nullptr));
  stream.is_prepared = false;
  if (progress_ != nullptr) {
    progress_->ops.store(++ops_, std::memory_order_relaxed);
    progress_->bytes.store(bytes_ += static_cast<std::uint64_t>(outcome->moved_bytes),
                           std::memory_order_relaxed);
  }
  GoOn(index, end_ns);
}

std::uint32_t MuxReplayer::Reap(std::uint32_t least, std::uint32_t most, StopQuestion stop) {
  const bool may_return_early = std::exchange(may_return_early_, false);
  if (!issued_.empty()) Submit(shared_.clock.now_ns());
  for (;;) {
    const bool streams_go_on = TakeCompletions();
    if (done_.size() >= least) break;
    const std::int64_t due_ns = may_return_early ? idle_until_ns_ : INT64_MAX;
    if (may_return_early && (streams_go_on || shared_.clock.now_ns() >= due_ns)) break;
    WaitUntil(due_ns);
    if (!HasCompletions() && stop() && may_return_early) break;
  }
  reaped_.clear();
  if (done_.size() <= most) {
    reaped_.swap(done_);
  } else {
    const auto end = done_.begin() + static_cast<std::ptrdiff_t>(most);
    reaped_.assign(done_.begin(), end);
    done_.erase(done_.begin(), end);
  }
  return static_cast<std::uint32_t>(reaped_.size());
}

void MuxReplayer::EndStreams() {
  while (in_flight_ + internal_in_flight_ > issued_.size()) {
    queue_->Wait(StopQuestion::kAskEveryNs);
    TakeCompletions();
  }
  for (Stream& stream : streams_) stream.replayer.End();
}

std::vector<const StreamReplayer*> MuxReplayer::streams() const {
  std::vector<const StreamReplayer*> all;
  for (const Stream& stream : streams_) all.push_back(&stream.replayer);
  return all;
}

std::vector<Limitation> MuxReplayer::limitations() const {
  if (!queue_refusal_.empty()) {
    return {{(streams_.size() > 1 ? "the streams of a job ran one operation at a time, since "
                                  : "operations were blocking calls, since ") +
             queue_refusal_}};
  }
  if (held_up_ops_ == 0) return {};
  return {
      {"{} of {} op(s) could not go through io_uring and held up the other streams of their job",
       {held_up_ops_, held_up_ops_ + queued_ops_}}};
}

}  // namespace ioflux
