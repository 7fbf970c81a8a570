// SPDX-License-Identifier: GPL-2.0-only
//
// A job of many streams driven as fio drives it, on real files.
#include "ioengine/replay/mux_replayer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "ioengine/backend/local_backend.h"
#include "ioengine/backend/mem_backend.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

constexpr StopQuestion kNever{};
constexpr int kStreams = 20;
constexpr int kReads = 30;

std::int64_t Now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What fio does with such an engine: as many in flight as there are, then what has ended.
class Host {
 public:
  Host(MuxReplayer& job, std::size_t batch) : job_(job), batch_(batch) {}

  /// Until the end of a pass; the number of operations that ended.
  std::size_t RunPass() {
    std::size_t ended = 0;
    for (;;) {
      ReplayRequest request;
      switch (job_.Next(&request, kNever)) {
        case MuxReplayer::Step::kEndOfPass:
          EXPECT_TRUE(in_flight_.empty()) << "a pass ends with nothing in flight";
          return ended;
        case MuxReplayer::Step::kStopped:
          ADD_FAILURE() << "nobody said stop";
          return ended;
        case MuxReplayer::Step::kIdle:
          Commit();
          EXPECT_FALSE(in_flight_.empty()) << "idle, and nothing to wait for";
          ended += Reap(1);
          break;
        case MuxReplayer::Step::kOperation:
          ended += Issue();
          break;
      }
    }
  }

  std::size_t peak() const { return peak_; }

 private:
  std::size_t Issue() {
    std::int64_t moved_bytes = 0;
    void* const host_op = &names_[next_name_++ % names_.size()];
    if (job_.Issue(host_op, Now(), &moved_bytes)) return 1;
    EXPECT_TRUE(in_flight_.insert(host_op).second);
    peak_ = std::max(peak_, in_flight_.size());
    if (++issued_ == batch_) Commit();
    return 0;
  }

  void Commit() {
    if (issued_ != 0) job_.Submit(Now());
    issued_ = 0;
  }

  std::size_t Reap(std::uint32_t least) {
    const std::uint32_t count = job_.Reap(least, 64, kNever);
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(in_flight_.erase(job_.completed(i).host_op), 1U) << "ended once, and had begun";
    }
    return count;
  }

  MuxReplayer& job_;
  std::size_t batch_;
  std::size_t issued_ = 0;
  std::size_t next_name_ = 0;
  std::size_t peak_ = 0;
  std::array<char, 4096> names_{};
  std::set<void*> in_flight_;
};

class Mux : public testing::Test {
 protected:
  void SetUp() override {
    dir_.Write("a", std::string(8192, 'a'));
    std::vector<std::string> ops;
    int op_id = 0;
    for (int step = 0; step < kReads + 3; ++step) {
      for (int s = 0; s < kStreams; ++s) ops.push_back(Op(step, s, op_id++));
    }
    Result<LoadedTrace> trace =
        LoadTrace(dir_.Write("t", TraceText({{"a", 8192}, {"w", 0}}, ops, kStreams)));
    ASSERT_TRUE(trace) << Describe(trace.error());
    trace_ = std::move(trace).value();
  }

  static std::string Op(int step, int s, int op_id) {
    const std::string text = std::to_string(s);
    const std::string head = R"({"t":)" + std::to_string(step * 100'000) + R"(,"op_id":)" +
                             std::to_string(op_id) + R"(,"s":)" + text + R"(,"op":)";
    if (step == 0) return head + R"("OPEN","tgt":0,"h":)" + text + R"(,"mode":"r"})";
    if (step == kReads + 1) return head + R"("FSYNC","h":)" + text + "}";
    if (step == kReads + 2) return head + R"("CLOSE","h":)" + text + "}";
    return head + R"("READ","h":)" + text + R"(,"off":)" + std::to_string(step) + R"(,"len":4096})";
  }

  void Begin(Backend* backend, std::uint32_t max_inflight = 512) {
    shared_.targets = &targets_;
    shared_.target_hashes = &hashes_;
    shared_.backend = backend;
    shared_.payload = &payload_;
    shared_.clock = {.now_ns = Now};
    control_ = RunControl::Create(max_inflight).value();
    shared_.control = &*control_;
    shared_.limited = kStreams > max_inflight;
    shared_.pacing.period_ns = trace_.end_ns;
    shard_ = std::make_unique<StatsShard>(UINT32_MAX, shared_.pacing.paced());
    std::vector<const StreamOps*> streams;
    for (const StreamOps& stream : trace_.streams) streams.push_back(&stream);
    job_ = std::make_unique<MuxReplayer>(shared_, streams, max_inflight, 1, shard_.get(), nullptr);
    const Result<void> began = job_->Begin(kNever);
    ASSERT_TRUE(began) << Describe(began.error());
  }

  void ExpectAllDone(std::uint64_t passes) {
    for (const StreamReplayer* stream : job_->streams()) {
      EXPECT_EQ(stream->figures().ops, passes * (kReads + 3));
      EXPECT_EQ(stream->figures().bytes, passes * kReads * 4096);
      EXPECT_EQ(stream->figures().errors, 0U);
      EXPECT_EQ(stream->figures().passes, passes);
    }
  }

  LocalBackend* Local() {
    local_ = std::make_unique<LocalBackend>(FileRoot::Confined(dir_.path(), false).value());
    return local_.get();
  }

  TempDir dir_;
  LoadedTrace trace_;
  std::vector<BackendTarget> targets_{{.name = "a", .path = "a"}, {.name = "w", .path = "w"}};
  std::vector<std::uint64_t> hashes_{1, 2};
  Payload payload_{Payload::Mode::kSeeded, 7};
  std::optional<RunControl> control_;
  SharedReplay shared_;
  std::unique_ptr<StatsShard> shard_;
  std::unique_ptr<LocalBackend> local_;
  MemBackend mem_;
  std::unique_ptr<MuxReplayer> job_;
};

TEST_F(Mux, EveryStreamRunsToItsEndInEveryPass) {
  for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
    Begin(Local());
    Host host(*job_, batch);
    for (std::uint64_t pass = 1; pass <= 3; ++pass) {
      EXPECT_EQ(host.RunPass(), std::size_t{kStreams} * (kReads + 1));
      ExpectAllDone(pass);
    }
    job_->End();
    EXPECT_TRUE(job_->limitations().empty() ||
                job_->limitations()[0].Words().find("io_uring") != std::string::npos);
  }
}

TEST_F(Mux, ABackendThatCompletesAtOnceHasNothingInFlight) {
  Begin(&mem_);
  Host host(*job_, 1);
  EXPECT_EQ(host.RunPass(), std::size_t{kStreams} * (kReads + 1));
  EXPECT_EQ(host.peak(), 0U);
  ExpectAllDone(1);
  EXPECT_TRUE(job_->limitations().empty());
}

TEST_F(Mux, NeverMoreInFlightThanTheLimit) {
  Begin(Local(), /*max_inflight=*/4);
  Host host(*job_, 64);
  host.RunPass();
  ExpectAllDone(1);
  EXPECT_LE(host.peak(), 4U);
  EXPECT_LE(control_->peak_inflight(), 4U);
  EXPECT_GT(control_->backlog_events(), 0U);
}

TEST_F(Mux, PacedStreamsStartNothingBeforeItsTime) {
  shared_.pacing.mode = PaceMode::kTimeline;
  Begin(Local());
  const std::int64_t start_ns = Now();
  Host host(*job_, 1);
  host.RunPass();
  ExpectAllDone(1);
  EXPECT_GE(Now() - start_ns, (kReads + 2) * 100'000 - 100'000);
  for (const StreamReplayer* stream : job_->streams()) EXPECT_GE(stream->figures().worst_lag_ns, 0);
  const KindStats* reads = shard_->stats.find(OpKind::kREAD);
  EXPECT_EQ(reads->lag->Total().count(), std::uint64_t{kStreams} * kReads);
}

TEST_F(Mux, StoppedInAGapItReturnsAtOnce) {
  shared_.pacing.mode = PaceMode::kScaled;
  shared_.pacing.speedup = 1e-6;  // gaps of 100 s
  Begin(Local());
  int questions = 0;
  const StopQuestion stop{
      .ask = [](void* cookie) { return ++*static_cast<int*>(cookie) > kStreams + 2; },
      .cookie = &questions};
  ReplayRequest request;
  MuxReplayer::Step step{};
  do {
    step = job_->Next(&request, stop);
  } while (step == MuxReplayer::Step::kIdle && job_->Reap(1, 64, stop) < 64);
  EXPECT_EQ(step, MuxReplayer::Step::kStopped);
  job_->End();
}

TEST_F(Mux, WhatCannotBeQueuedIsDoneAndCounted) {
  Local();
  class WithoutQueue final : public MemBackend {
   public:
    Result<std::unique_ptr<OpQueue>> MakeQueue(std::uint32_t) override {
      return Error{
          .kind = ErrorKind::kUnsupported, .what = "io_uring is refused", .where = {}, .mend = {}};
    }
  } refusing;
  Begin(&refusing);
  Host host(*job_, 1);
  EXPECT_EQ(host.RunPass(), std::size_t{kStreams} * (kReads + 1));
  ExpectAllDone(1);
  ASSERT_EQ(job_->limitations().size(), 1U);
  EXPECT_NE(job_->limitations()[0].Words().find("one operation at a time, since io_uring is refused"),
            std::string::npos);
}

}  // namespace
}  // namespace ioflux
