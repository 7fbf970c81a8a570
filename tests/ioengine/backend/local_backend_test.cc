// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/local_backend.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

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

TEST_F(Local, AFailedPutLeavesNothingBehind) {
  dir_.Write("key/occupied", "a folder stands where the object should go");

  const IoOutcome outcome = backend_.Put(At("key"), 4, "data");

  EXPECT_NE(outcome.error, 0);
  EXPECT_EQ(outcome.moved_bytes, 0);
  EXPECT_EQ(dir_.Names(), std::vector<std::string>{"key"});
}

}  // namespace
}  // namespace ioflux
