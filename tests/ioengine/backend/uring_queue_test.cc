// SPDX-License-Identifier: GPL-2.0-only
//
// The queue on real files, compared with the backend's own calls: same outcome, same bytes.
#include "ioengine/backend/uring_queue.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "ioengine/backend/local_backend.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

class UringQueueOnFiles : public testing::Test {
 protected:
  void SetUp() override {
    backend_ = std::make_unique<LocalBackend>(FileRoot::Confined(dir_.path(), false).value());
    Result<std::unique_ptr<UringQueue>> queue = UringQueue::Create(*backend_, 4);
    if (!queue) GTEST_SKIP() << queue.error().what;
    queue_ = std::move(queue).value();
  }

  IoOutcome Do(const QueuedOp& op) {
    queue_->Add(op, 7);
    queue_->Submit();
    std::vector<QueueCompletion> done;
    while (done.empty()) {
      queue_->Wait(1'000'000'000);
      queue_->Reap(done);
    }
    EXPECT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].tag, 7U);
    return done[0].outcome;
  }

  IoOutcome Open(const std::string& path, OpenRequest request, BackendHandle* handle) {
    target_ = {.name = path, .path = path};
    return Do(
        {.kind = QueuedOp::Kind::kOpen, .open = request, .target = &target_, .opened = handle});
  }

  IoOutcome Stat(const std::string& path) {
    target_ = {.name = path, .path = path};
    return Do({.kind = QueuedOp::Kind::kStat, .target = &target_});
  }

  TempDir dir_;
  BackendTarget target_;
  std::unique_ptr<LocalBackend> backend_;
  std::unique_ptr<UringQueue> queue_;
};

TEST_F(UringQueueOnFiles, ReadsWritesSyncsAndClosesLikeTheCalls) {
  BackendHandle handle = kNoHandle;
  ASSERT_EQ(Open("f", {.read = true, .write = true, .create = true}, &handle).error, 0);
  ASSERT_GE(handle, 0);
  char text[] = "0123456789";
  QueuedOp op{.kind = QueuedOp::Kind::kWrite,
              .handle = handle,
              .offset = 3,
              .length_bytes = 10,
              .buffer = text};
  EXPECT_EQ(Do(op).moved_bytes, 10);
  EXPECT_EQ(Do({.kind = QueuedOp::Kind::kSync, .handle = handle}).error, 0);
  char back[16] = {};
  op = {.kind = QueuedOp::Kind::kRead,
        .handle = handle,
        .offset = 8,
        .length_bytes = 16,
        .buffer = back};
  const IoOutcome read = Do(op);
  EXPECT_EQ(read.error, 0);
  EXPECT_EQ(read.moved_bytes, 5) << "short at the end of the file";
  EXPECT_STREQ(back, "56789");
  EXPECT_EQ(Do({.kind = QueuedOp::Kind::kClose, .handle = handle}).error, 0);
  EXPECT_EQ(dir_.Read("f"), std::string("\0\0\0"
                                        "0123456789",
                                        13));
}

TEST_F(UringQueueOnFiles, FailsWithTheErrnoOfTheCalls) {
  BackendHandle handle = 1;
  EXPECT_EQ(Open("missing", {.read = true}, &handle).error, ENOENT);
  EXPECT_EQ(handle, kNoHandle);
  EXPECT_EQ(Do({.kind = QueuedOp::Kind::kClose, .handle = kNoHandle}).error, EBADF);
  char byte = 0;
  EXPECT_EQ(
      Do({.kind = QueuedOp::Kind::kRead, .handle = kNoHandle, .length_bytes = 1, .buffer = &byte})
          .error,
      EBADF);
  EXPECT_EQ(Stat("missing").error, ENOENT);
}

TEST_F(UringQueueOnFiles, NoOpenAndNoStatLeavesTheRoot) {
  const TempDir outside;
  outside.Write("secret", "x");
  ASSERT_EQ(symlink((outside / "secret").c_str(), (dir_ / "link").c_str()), 0);
  BackendHandle handle = kNoHandle;
  EXPECT_EQ(Open("link", {.read = true}, &handle).error, EXDEV);
  EXPECT_EQ(Open("../x", {.read = true}, &handle).error, EXDEV);
  EXPECT_EQ(Stat("link").error, EXDEV);
}

TEST_F(UringQueueOnFiles, MakesTheFoldersOfAFileThatIsCreated) {
  BackendHandle handle = kNoHandle;
  EXPECT_EQ(Open("a/b/f", {.write = true, .create = true}, &handle).error, 0);
  EXPECT_GE(handle, 0);
  EXPECT_TRUE(dir_.Exists("a/b/f"));
  EXPECT_EQ(Stat("a/b/f").error, 0);
  backend_->Close(handle);
}

TEST_F(UringQueueOnFiles, LeavesToTheCallsWhatOneRingOperationCannotDo) {
  EXPECT_FALSE(queue_->Takes({.kind = QueuedOp::Kind::kOther}));
  EXPECT_FALSE(queue_->Takes(
      {.kind = QueuedOp::Kind::kRead, .handle = 5, .length_bytes = std::int64_t{3} << 30}));
  const BackendHandle direct =
      LocalHandle::Direct(5, {.offset_bytes = 512, .memory_bytes = 512}).value();
  alignas(512) char buffer[512];
  QueuedOp op{.kind = QueuedOp::Kind::kWrite,
              .handle = direct,
              .offset = 512,
              .length_bytes = 512,
              .buffer = buffer};
  EXPECT_TRUE(queue_->Takes(op));
  op.offset = 100;
  EXPECT_FALSE(queue_->Takes(op)) << "unaligned offset";
  op.offset = 512;
  op.buffer = buffer + 8;
  EXPECT_FALSE(queue_->Takes(op)) << "unaligned memory";
}

}  // namespace
}  // namespace ioflux
