// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/local_backend.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "tests/support/file_size_limit.h"
#include "tests/support/temp_dir.h"
#include "trace_tools/format/op.h"

namespace ioflux {
namespace {

using testing::Contains;

class Local : public testing::Test {
 protected:
  Local() : backend_(FileRoot::Confined(dir_.path(), false).value()) {}

  static BackendTarget At(const std::string& path) { return {.name = path, .path = path}; }

  BackendHandle Open(const std::string& path, OpenRequest request) {
    BackendHandle handle = kNoHandle;
    EXPECT_EQ(backend_.Open(At(path), request, &handle).error, 0) << path;
    return handle;
  }

  TempDir dir_;
  LocalBackend backend_;
  char buffer_[64] = {};
};

TEST_F(Local, AReadBeyondTheEndIsShortAndNoError) {
  dir_.Write("a", "0123456789");
  const BackendHandle handle = Open("a", {.read = true});

  const IoOutcome tail = backend_.Read(handle, 6, 64, buffer_);
  const IoOutcome beyond = backend_.Read(handle, 10, 64, buffer_);

  EXPECT_EQ(tail.moved_bytes, 4);
  EXPECT_EQ(tail.error, 0);
  EXPECT_EQ(beyond.moved_bytes, 0);
  EXPECT_EQ(beyond.error, 0);
  EXPECT_EQ(backend_.Close(handle).error, 0);
}

TEST_F(Local, WritesGoWhereTheOffsetSays) {
  dir_.Write("a", "0123456789");
  const BackendHandle handle = Open("a", {.write = true});
  EXPECT_EQ(backend_.Write(handle, 3, 2, "xy").moved_bytes, 2);
  EXPECT_EQ(backend_.Sync(handle).error, 0);
  EXPECT_EQ(backend_.Close(handle).error, 0);
  EXPECT_EQ(dir_.Read("a"), "012xy56789");
}

TEST_F(Local, OpenFlagsCreateAndTruncate) {
  dir_.Write("old", "content");
  backend_.Close(Open("old", {.write = true, .truncate = true}));
  EXPECT_EQ(dir_.Read("old"), "");
  backend_.Close(Open("new/folder/file", {.write = true, .create = true}));
  EXPECT_TRUE(dir_.Exists("new/folder/file"));
  BackendHandle handle = kNoHandle;
  EXPECT_EQ(backend_.Open(At("missing"), {.read = true}, &handle).error, ENOENT);
}

TEST_F(Local, EveryCallOnAFailedHandleSaysSo) {
  EXPECT_EQ(backend_.Read(kNoHandle, 0, 1, buffer_).error, EBADF);
  EXPECT_EQ(backend_.Write(kNoHandle, 0, 1, "x").error, EBADF);
  EXPECT_EQ(backend_.Sync(kNoHandle).error, EBADF);
  EXPECT_EQ(backend_.Close(kNoHandle).error, EBADF);
}

TEST_F(Local, StatAndHeadFollowThePath) {
  dir_.Write("a", "0123456789");
  std::int64_t size_bytes = 0;
  EXPECT_EQ(backend_.Stat(At("a"), &size_bytes).error, 0);
  EXPECT_EQ(size_bytes, 10);
  EXPECT_EQ(backend_.Head(At("a")).error, 0);
  EXPECT_EQ(backend_.Head(At("b")).error, ENOENT);
}

TEST_F(Local, PutAppearsWholeAndGetReadsARange) {
  EXPECT_EQ(backend_.Put(At("bucket/key"), 10, "0123456789").moved_bytes, 10);
  EXPECT_EQ(dir_.Read("bucket/key"), "0123456789");
  EXPECT_EQ(backend_.Get(At("bucket/key"), 2, 3, buffer_).moved_bytes, 3);
  EXPECT_EQ(std::string(buffer_, 3), "234");
  EXPECT_EQ(backend_.Delete(At("bucket/key")).error, 0);
  EXPECT_EQ(backend_.Get(At("bucket/key"), 0, 1, buffer_).error, ENOENT);
}

TEST_F(Local, U36_AShortWriteIsAnOutcomeAndNotTriedAgain) {
  const BackendHandle handle = Open("a", {.write = true, .create = true});
  const FileSizeLimit limit(100);

  const IoOutcome first = backend_.Write(handle, 40, 64, buffer_);
  const IoOutcome longer = backend_.Write(handle, 60, 64, buffer_);
  const IoOutcome beyond = backend_.Write(handle, 100, 64, buffer_);

  EXPECT_EQ(first.moved_bytes, 60);
  EXPECT_EQ(first.error, 0);
  EXPECT_EQ(longer.moved_bytes, 40);
  EXPECT_EQ(beyond.error, EFBIG);
  backend_.Close(handle);
}

TEST_F(Local, U13_SyncOfAFileThatIsOnlyReadOrNeverWrittenSucceeds) {
  dir_.Write("a", "0123456789");
  for (const bool write : {false, true}) {
    const BackendHandle handle = Open("a", {.read = true, .write = write});
    EXPECT_EQ(backend_.Sync(handle).error, 0);
    EXPECT_EQ(backend_.Close(handle).error, 0);
  }
}

TEST_F(Local, U7_AppendedBytesLandWhereTheSourcesDid) {
  dir_.Write("log", "0123456789");
  const BackendHandle handle = Open("log", {.write = true, .append = true});

  EXPECT_EQ(backend_.Write(handle, 2, 2, "ab").moved_bytes, 2);
  EXPECT_EQ(backend_.Write(handle, 10, 2, "cd").moved_bytes, 2);

  EXPECT_EQ(dir_.Read("log"), "01ab456789cd");
  EXPECT_EQ(fcntl(LocalHandle(handle).descriptor(), F_GETFL) & O_APPEND, 0);
  EXPECT_NE(backend_.OpenFlagLimitation("append"), "");
  backend_.Close(handle);
}

TEST_F(Local, U7_SyncIsSetOnTheDescriptor) {
  const BackendHandle handle = Open("a", {.write = true, .create = true, .sync = true});
  EXPECT_EQ(fcntl(LocalHandle(handle).descriptor(), F_GETFL) & O_SYNC, O_SYNC);
  backend_.Close(handle);
}

TEST_F(Local, U7_AdviceThatIsRefusedIsCountedAndFailsNoOpen) {
  ASSERT_EQ(mkfifo((dir_ / "pipe").c_str(), 0600), 0);

  backend_.Close(Open("pipe", {.read = true, .write = true, .sequential = true}));
  backend_.Close(Open("pipe", {.read = true, .write = true, .random = true}));

  EXPECT_THAT(WordsOf(backend_.Limitations()),
              Contains("the file system refused the advice (seq, rand) of 2 OPEN op(s)"));
}

TEST_F(Local, U7_EveryOpenFlagIsHonouredOrExplained) {
  for (const std::string_view word : kOpenFlagWords) {
    const bool explained = word == "append" || word == "direct";
    EXPECT_EQ(!backend_.OpenFlagLimitation(word).empty(), explained) << word;
  }
  EXPECT_NE(backend_.OpenFlagLimitation("odd"), "");
  const LocalBackend direct(FileRoot::Unconfined(), {.allow_direct = true});
  EXPECT_EQ(direct.OpenFlagLimitation("direct"), "");
}

}  // namespace
}  // namespace ioflux
