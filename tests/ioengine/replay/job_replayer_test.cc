// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_replayer.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "ioengine/backend/mem_backend.h"
#include "tests/ioengine/replay/trace_text.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::int64_t fake_now_ns = 0;

/// Every look at the clock takes 10 ns.
std::int64_t FakeNow() { return fake_now_ns += 10; }

constexpr StopQuestion kNever{};
constexpr StopQuestion kAlways{.ask = [](void*) { return true; }};

/// A storage whose answers a test writes down; real ones will not fail on demand.
class ScriptedBackend final : public Backend {
 public:
  IoOutcome read{0, 0};
  IoOutcome write{0, 0};
  IoOutcome open{0, 0};
  int open_handles = 0;
  std::string written;

  IoOutcome Open(const BackendTarget&, OpenRequest, BackendHandle* handle) override {
    *handle = open.error == 0 ? 5 : kNoHandle;
    open_handles += open.error == 0 ? 1 : 0;
    return open;
  }
  IoOutcome Read(BackendHandle handle, std::int64_t, std::int64_t, char*) override {
    return handle == kNoHandle ? IoOutcome{0, EBADF} : read;
  }
  IoOutcome Write(BackendHandle, std::int64_t, std::int64_t length_bytes,
                  const char* buffer) override {
    written.assign(buffer, static_cast<std::size_t>(length_bytes));
    return write;
  }
  IoOutcome Sync(BackendHandle) override { return {}; }
  IoOutcome Close(BackendHandle handle) override {
    open_handles -= handle == kNoHandle ? 0 : 1;
    return {0, handle == kNoHandle ? EBADF : 0};
  }
  IoOutcome Stat(const BackendTarget&, std::int64_t*) override { return {0, ENOENT}; }
  IoOutcome Get(const BackendTarget&, std::int64_t, std::int64_t, char*) override { return read; }
  IoOutcome Put(const BackendTarget&, std::int64_t, const char*) override { return write; }
  IoOutcome Head(const BackendTarget&) override { return {}; }
  IoOutcome Delete(const BackendTarget&) override { return {}; }
  bool MovesData() const override { return true; }
  Result<void> MakeParents(const BackendTarget&) override { return {}; }
};

class Job : public testing::Test {
 protected:
  void Load(const std::vector<std::string>& ops, int partial = 0) {
    Result<LoadedTrace> trace =
        LoadTrace(dir_.Write("t", TraceText({{"a", 100}}, ops, 1, partial)));
    ASSERT_TRUE(trace) << Describe(trace.error());
    trace_ = std::move(trace).value();
    shared_.targets = &targets_;
    shared_.target_hashes = &hashes_;
    shared_.backend = backend_;
    shared_.payload = &payload_;
    shared_.clock = {.now_ns = FakeNow};
    shared_.control = &control_;
    shard_ = std::make_unique<StatsShard>(trace_.streams[0].kinds, shared_.pacing.paced());
    job_ = std::make_unique<JobReplayer>(shared_, trace_.streams[0], /*job_number=*/1, shard_.get(),
                                         nullptr);
    const Result<void> began = job_->Begin(kNever);
    ASSERT_TRUE(began) << Describe(began.error());
  }

  /// Runs one pass; the number of operations that the host would have seen.
  int RunPass() {
    ReplayRequest request;
    int seen = 0;
    while (job_->Next(&request, kNever) == JobReplayer::Step::kOperation) {
      job_->Execute(FakeNow());
      ++seen;
    }
    return seen;
  }

  TempDir dir_;
  LoadedTrace trace_;
  std::vector<BackendTarget> targets_{{.name = "target-a", .path = "a"}};
  std::vector<std::uint64_t> hashes_{PayloadTargetHash("target-a")};
  Payload payload_{Payload::Mode::kSeeded, 7};
  ScriptedBackend scripted_;
  MemBackend mem_;
  Backend* backend_ = &scripted_;
  RunControl control_ = RunControl::Create(512).value();
  SharedReplay shared_;
  std::unique_ptr<StatsShard> shard_;
  std::unique_ptr<JobReplayer> job_;
};

const std::vector<std::string> kReadOnce = {
    R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})",
    R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":8,"len":64})",
    R"({"t":0,"op_id":2,"s":0,"op":"CLOSE","h":1})"};

TEST_F(Job, TheHostSeesDataOpsAndTheMetadataIsDoneOnTheWay) {
  Load(kReadOnce);
  scripted_.read = {64, 0};

  EXPECT_EQ(RunPass(), 1);

  EXPECT_EQ(job_->figures().ops, 3U);
  EXPECT_EQ(job_->figures().bytes, 64U);
  EXPECT_EQ(job_->figures().errors, 0U);
  EXPECT_EQ(job_->figures().passes, 1U);
}

TEST_F(Job, ServiceTimeRunsFromTheGivenStartToTheEndOfTheCall) {
  Load(kReadOnce);
  scripted_.read = {64, 0};
  ReplayRequest request;
  ASSERT_EQ(job_->Next(&request, kNever), JobReplayer::Step::kOperation);
  fake_now_ns = 5000;

  job_->Execute(/*start_ns=*/4010);

  EXPECT_EQ(shard_->stats.find(OpKind::kREAD)->service_time.Total().sum_ns(), 1000U);
}

struct ReadCase {
  const char* name;
  IoOutcome outcome;
  bool records_ret;
  bool fails;
  std::uint64_t short_reads;
};

class ReadOutcome : public Job, public testing::WithParamInterface<ReadCase> {};

TEST_P(ReadOutcome, IsComparedWithWhatTheSourceMoved) {
  std::vector<std::string> ops = kReadOnce;
  if (GetParam().records_ret)
    ops[1] = R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":8,"len":64,"ret":10})";
  Load(ops, GetParam().records_ret ? 1 : 0);
  scripted_.read = GetParam().outcome;

  RunPass();

  EXPECT_EQ(job_->figures().errors, GetParam().fails ? 1U : 0U);
  EXPECT_EQ(shard_->stats.find(OpKind::kREAD)->short_reads, GetParam().short_reads);
  EXPECT_EQ(job_->figures().bytes, static_cast<std::uint64_t>(GetParam().outcome.moved_bytes));
}

INSTANTIATE_TEST_SUITE_P(All, ReadOutcome,
                         testing::Values(ReadCase{"full", {64, 0}, false, false, 0},
                                         ReadCase{"too few", {10, 0}, false, true, 1},
                                         ReadCase{
                                             "as short as the source", {10, 0}, true, false, 0},
                                         ReadCase{"more than the source", {64, 0}, true, true, 1},
                                         ReadCase{"hard error", {0, EIO}, false, true, 0}),
                         [](const testing::TestParamInfo<ReadCase>& tested) {
                           std::string name = tested.param.name;
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

TEST_F(Job, AFailureIsKeptWithItsPlace) {
  Load(kReadOnce);
  scripted_.read = {0, EIO};

  RunPass();

  ASSERT_EQ(shard_->stats.failures().size(), 1U);
  const Failure& failure = shard_->stats.failures()[0];
  EXPECT_EQ(failure.op_id, 1);
  EXPECT_EQ(failure.kind, OpKind::kREAD);
  EXPECT_EQ(failure.target, 0U);
  EXPECT_EQ(failure.offset, 8);
  EXPECT_EQ(failure.length_bytes, 64);
  EXPECT_EQ(failure.error, EIO);
}

TEST_F(Job, OpsOnAHandleWhoseOpenFailedFailOneByOne) {
  Load(kReadOnce);
  scripted_.open = {0, EACCES};

  RunPass();

  EXPECT_EQ(job_->figures().ops, 3U);
  EXPECT_EQ(job_->figures().errors, 3U);
}

TEST_F(Job, OnlyTheFirstHundredFailuresAreKeptButAllAreCounted) {
  std::vector<std::string> ops;
  for (int i = 0; i < 150; ++i)
    ops.push_back(R"({"t":0,"op_id":)" + std::to_string(i) + R"(,"s":0,"op":"STAT","tgt":0})");
  Load(ops);

  RunPass();

  EXPECT_EQ(shard_->stats.failures().size(), 100U);
  EXPECT_EQ(shard_->stats.failure_counts().at({OpKind::kSTAT, ENOENT}), 150U);
}

TEST_F(Job, AWriteCarriesThePayloadOfItsOpTargetAndOffset) {
  Load({R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w"})",
        R"({"t":0,"op_id":42,"s":0,"op":"WRITE","h":1,"off":3,"len":32})"});
  scripted_.write = {32, 0};

  RunPass();

  std::string expected(32, 0);
  payload_.Fill(42, hashes_[0], 3, expected);
  EXPECT_EQ(scripted_.written, expected);
  EXPECT_GT(job_->payload_ns(), 0);
}

TEST_F(Job, PayloadIsMadeBeforeTheOpStarts) {
  Load({R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"w"})",
        R"({"t":0,"op_id":1,"s":0,"op":"WRITE","h":1,"off":0,"len":32})"});
  scripted_.write = {32, 0};
  ReplayRequest request;
  ASSERT_EQ(job_->Next(&request, kNever), JobReplayer::Step::kOperation);
  const std::int64_t payload_ns = job_->payload_ns();
  EXPECT_GT(payload_ns, 0);

  job_->Execute(FakeNow());

  EXPECT_EQ(job_->payload_ns(), payload_ns);
}

TEST_F(Job, WhatAStreamLeavesOpenIsClosedAtItsEndUncounted) {
  Load({R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"r"})"});

  RunPass();

  EXPECT_EQ(scripted_.open_handles, 0);
  EXPECT_EQ(job_->figures().ops, 1U);
}

TEST_F(Job, ASecondPassReplaysTheSame) {
  Load(kReadOnce);
  scripted_.read = {64, 0};
  RunPass();
  EXPECT_EQ(RunPass(), 1);
  EXPECT_EQ(job_->figures().ops, 6U);
  EXPECT_EQ(job_->figures().passes, 2U);
}

TEST_F(Job, AStopIsHeardBetweenMetadataOps) {
  Load({R"({"t":0,"op_id":0,"s":0,"op":"STAT","tgt":0})",
        R"({"t":0,"op_id":1,"s":0,"op":"STAT","tgt":0})"});
  ReplayRequest request;
  EXPECT_EQ(job_->Next(&request, kAlways), JobReplayer::Step::kStopped);
  EXPECT_EQ(job_->figures().ops, 1U);
  EXPECT_EQ(job_->figures().passes, 0U);
}

TEST_F(Job, MemAcceptsEveryKindAndMovesWhatTheSourceMoved) {
  backend_ = &mem_;
  Load({R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":1,"mode":"rw"})",
        R"({"t":0,"op_id":1,"s":0,"op":"READ","h":1,"off":0,"len":64,"ret":10})",
        R"({"t":0,"op_id":2,"s":0,"op":"WRITE","h":1,"off":0,"len":64})",
        R"({"t":0,"op_id":3,"s":0,"op":"FSYNC","h":1})",
        R"({"t":0,"op_id":4,"s":0,"op":"CLOSE","h":1})",
        R"({"t":0,"op_id":5,"s":0,"op":"STAT","tgt":0})",
        R"({"t":0,"op_id":6,"s":0,"op":"GET","tgt":0,"off":0,"len":5})",
        R"({"t":0,"op_id":7,"s":0,"op":"PUT","tgt":0,"len":7})",
        R"({"t":0,"op_id":8,"s":0,"op":"HEAD","tgt":0})",
        R"({"t":0,"op_id":9,"s":0,"op":"DELETE","tgt":0})"},
       1);

  EXPECT_EQ(RunPass(), 5);

  EXPECT_EQ(job_->figures().ops, 10U);
  EXPECT_EQ(job_->figures().errors, 0U);
  EXPECT_EQ(job_->figures().bytes, 10U + 64 + 5 + 7);
}

}  // namespace
}  // namespace ioflux
