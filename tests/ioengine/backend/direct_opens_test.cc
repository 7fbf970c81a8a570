// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/direct_opens.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ioengine/backend/local_backend.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The kernel refuses O_DIRECT on every file of /proc, so that a refusal can be had anywhere.
const BackendTarget kRefusing{.name = "refusing", .path = "/proc/self/status"};
constexpr OpenRequest kDirectRead{.read = true, .direct = true};

TEST(LocalHandle, KeepsDescriptorAndAlignmentApart) {
  const LocalHandle handle =
      LocalHandle::Direct(0x7fffffff, {.offset_bytes = 16U << 20, .memory_bytes = 4});
  EXPECT_TRUE(handle.direct());
  EXPECT_EQ(handle.descriptor(), 0x7fffffff);
  EXPECT_EQ(handle.alignment().offset_bytes, 16U << 20);
  EXPECT_EQ(handle.alignment().memory_bytes, 4U);
  EXPECT_GT(handle.value(), 0);
  EXPECT_FALSE(LocalHandle(0x7fffffff).direct());
  EXPECT_FALSE(LocalHandle(kNoHandle).direct());
  EXPECT_EQ(LocalHandle(kNoHandle).descriptor(), -1);
}

TEST(DirectOpens, ARefusalFailsTheOpenAndNamesTheWayOut) {
  LocalBackend backend(FileRoot::Unconfined(), {.allow_direct = true});
  BackendHandle handle = kNoHandle;

  EXPECT_EQ(backend.Open(kRefusing, kDirectRead, &handle).error, EINVAL);

  EXPECT_EQ(handle, kNoHandle);
  EXPECT_THAT(WordsOf(backend.Limitations()),
              Contains("the file system refused O_DIRECT to 1 direct OPEN "
                       "op(s); --direct-fallback opens such files buffered"));
}

TEST(DirectOpens, AFallbackReadsBufferedAndIsRecordedOncePerFile) {
  LocalBackend backend(FileRoot::Unconfined(), {.allow_direct = true, .direct_fallback = true});
  for (int i = 0; i < 3; ++i) {
    BackendHandle handle = kNoHandle;
    char buffer[8] = {};
    EXPECT_EQ(backend.Open(kRefusing, kDirectRead, &handle).error, 0);
    EXPECT_FALSE(LocalHandle(handle).direct());
    EXPECT_EQ(backend.Read(handle, 1, 4, buffer).moved_bytes, 4);
    EXPECT_STREQ(buffer, "ame:");
    backend.Close(handle);
  }
  const std::vector<std::string> limitations = WordsOf(backend.Limitations());
  EXPECT_EQ(std::count(limitations.begin(), limitations.end(),
                       "opened buffered, since the file system refused O_DIRECT: refusing"),
            1);
}

TEST(DirectOpens, AMissingFileIsNoFallback) {
  const TempDir dir;
  LocalBackend backend(FileRoot::Unconfined(), {.allow_direct = true, .direct_fallback = true});
  BackendHandle handle = kNoHandle;
  EXPECT_EQ(backend.Open({.name = "m", .path = dir / "m"}, kDirectRead, &handle).error, ENOENT);
  EXPECT_THAT(WordsOf(backend.Limitations()), Not(Contains(HasSubstr("refused O_DIRECT"))));
}

TEST(DirectOpens, ManyFallbacksAreSummedUp) {
  DirectOpens opens(0);
  for (int i = 0; i < 25; ++i) opens.NoteRefused("f" + std::to_string(i), /*fell_back=*/true);
  EXPECT_EQ(opens.Limitations().size(), 21U);
  EXPECT_THAT(WordsOf(opens.Limitations()).back(), HasSubstr(": 5 more file(s)"));
}

/// A descriptor of a new file below `parent`, or -1.
class ProbeFile {
 public:
  explicit ProbeFile(const std::string& parent)
      : dir_(parent), descriptor_(open((dir_ / "f").c_str(), O_RDWR | O_CREAT | O_DIRECT, 0600)) {}
  ~ProbeFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  TempDir dir_;
  int descriptor_;
};

TEST(DirectOpens, TheUsersAlignmentComesBeforeTheFileSystems) {
  const ProbeFile file(IOFLUX_BINARY_DIR);
  if (file.descriptor() < 0) GTEST_SKIP() << "no O_DIRECT in " IOFLUX_BINARY_DIR;
  DirectOpens opens(1 << 20);

  const LocalHandle handle(opens.HandleOf(file.descriptor()));

  if (!handle.direct()) GTEST_SKIP() << "no direct I/O in " IOFLUX_BINARY_DIR;
  EXPECT_EQ(handle.alignment().offset_bytes, 1U << 20);
  EXPECT_LE(handle.alignment().memory_bytes, 1U << 20);
}

TEST(DirectOpens, U8_TheAlignmentIsOneThatTheFileSystemTakes) {
  const ProbeFile file(IOFLUX_BINARY_DIR);
  if (file.descriptor() < 0) GTEST_SKIP() << "no O_DIRECT in " IOFLUX_BINARY_DIR;
  DirectOpens opens(0);
  const LocalHandle handle(opens.HandleOf(file.descriptor()));
  if (!handle.direct()) GTEST_SKIP() << "no direct I/O in " IOFLUX_BINARY_DIR;
  const std::size_t bytes = handle.alignment().offset_bytes;
  ASSERT_LE(bytes, 1U << 20);
  const std::unique_ptr<char, decltype(&std::free)> buffer(
      static_cast<char*>(std::aligned_alloc(1 << 20, 1 << 20)), &std::free);
  std::memset(buffer.get(), 'x', bytes);

  EXPECT_EQ(pwrite(file.descriptor(), buffer.get(), bytes, static_cast<off_t>(bytes)),
            static_cast<ssize_t>(bytes));
  std::printf("alignment of direct I/O in the build folder: %zu bytes, of memory %u bytes\n", bytes,
              handle.alignment().memory_bytes);
}

TEST(DirectOpens, AFileSystemInMemoryIsSaidToHaveNoDevice) {
  struct statfs status {};
  if (statfs("/dev/shm", &status) != 0 || status.f_type != TMPFS_MAGIC) {
    GTEST_SKIP() << "/dev/shm is no tmpfs";
  }
  const ProbeFile file("/dev/shm");
  if (file.descriptor() < 0) GTEST_SKIP() << "this kernel refuses O_DIRECT on tmpfs";
  DirectOpens opens(0);
  EXPECT_THAT(WordsOf(opens.Limitations()), IsEmpty());

  opens.HandleOf(file.descriptor());

  EXPECT_THAT(WordsOf(opens.Limitations()),
              Contains(HasSubstr("1 direct OPEN op(s) are on a file system in memory")));
}

}  // namespace
}  // namespace ioflux
