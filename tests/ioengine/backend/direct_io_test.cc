// SPDX-License-Identifier: GPL-2.0-only
//
// On a real file system: the build folder, since temporary files may be in memory.
#include "ioengine/backend/direct_io.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "ioengine/backend/local_backend.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr OpenRequest kRead{.read = true, .direct = true};
constexpr OpenRequest kWrite{.write = true, .direct = true};
constexpr OpenRequest kReadWrite{.read = true, .write = true, .direct = true};

std::string Pattern(std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>('a' + i * 7 % 26 % 25);
  return text;
}

class Direct : public testing::Test {
 protected:
  void SetUp() override {
    dir_.Write("probe", Pattern(4096));
    BackendHandle handle = kNoHandle;
    if (backend_.Open(At("probe"), kRead, &handle).error == EINVAL ||
        !LocalHandle(handle).direct()) {
      GTEST_SKIP() << "no direct I/O on the file system of " << dir_.path();
    }
    alignment_ = LocalHandle(handle).alignment();
    backend_.Close(handle);
    buffer_.reset(static_cast<char*>(std::aligned_alloc(kBufferBytes, kBufferBytes)));
  }

  static BackendTarget At(const std::string& path) { return {.name = path, .path = path}; }

  BackendHandle Open(const std::string& path, OpenRequest request) {
    BackendHandle handle = kNoHandle;
    EXPECT_EQ(backend_.Open(At(path), request, &handle).error, 0) << path;
    return handle;
  }

  std::string ReadText(BackendHandle handle, std::int64_t offset, std::int64_t length_bytes) {
    const IoOutcome outcome = backend_.Read(handle, offset, length_bytes, buffer_.get());
    EXPECT_EQ(outcome.error, 0) << offset << "+" << length_bytes;
    return std::string(buffer_.get(), static_cast<std::size_t>(outcome.moved_bytes));
  }

  IoOutcome WriteText(BackendHandle handle, std::int64_t offset, const std::string& text) {
    text.copy(buffer_.get(), text.size());
    return backend_.Write(handle, offset, static_cast<std::int64_t>(text.size()), buffer_.get());
  }

  struct Free {
    void operator()(char* buffer) const { std::free(buffer); }
  };

  static constexpr std::size_t kBufferBytes = 1 << 20;
  TempDir dir_{IOFLUX_BINARY_DIR};
  LocalBackend backend_{FileRoot::Confined(dir_.path(), false).value(), {.allow_direct = true}};
  DirectAlignment alignment_;
  std::unique_ptr<char, Free> buffer_;
};

bool IsDirect(BackendHandle handle) {
  return (fcntl(LocalHandle(handle).descriptor(), F_GETFL) & O_DIRECT) != 0;
}

TEST_F(Direct, IsUsedOnlyWhenTheTraceSaysSoAndTheUserAllowsIt) {
  LocalBackend forbidding(FileRoot::Confined(dir_.path(), false).value());
  BackendHandle forbidden = kNoHandle;
  const BackendHandle asked = Open("probe", kRead);
  const BackendHandle plain = Open("probe", {.read = true});
  EXPECT_EQ(forbidding.Open(At("probe"), kRead, &forbidden).error, 0);

  EXPECT_TRUE(IsDirect(asked));
  EXPECT_FALSE(IsDirect(plain));
  EXPECT_FALSE(IsDirect(forbidden));
  EXPECT_THAT(forbidding.OpenFlagLimitation("direct"), HasSubstr("--allow-direct"));
  for (const BackendHandle handle : {asked, plain, forbidden}) backend_.Close(handle);
}

TEST_F(Direct, AnUnalignedReadHasTheRightBytes) {
  const std::string content = Pattern(12288);
  dir_.Write("f", content);
  const BackendHandle handle = Open("f", kRead);
  for (const auto& [offset, length] : {std::pair{17, 100},
                                       {511, 2},
                                       {0, 12288},
                                       {1, 12287},
                                       {4000, 5000},
                                       {4096, 4096},
                                       {12287, 1}}) {
    EXPECT_EQ(ReadText(handle, offset, length),
              content.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)))
        << offset << "+" << length;
  }
  backend_.Close(handle);
}

TEST_F(Direct, AReadBeyondTheEndReportsTheTrueCount) {
  dir_.Write("f", Pattern(5000));
  const BackendHandle handle = Open("f", kRead);
  for (const auto& [offset, length, expected] : {std::array{0, 8192, 5000},
                                                 {4096, 4096, 904},
                                                 {4990, 100, 10},
                                                 {4999, 1, 1},
                                                 {5000, 1, 0},
                                                 {5001, 100, 0},
                                                 {8192, 4096, 0},
                                                 {20000, 10, 0},
                                                 {17, 0, 0}}) {
    const IoOutcome outcome = backend_.Read(handle, offset, length, buffer_.get());
    EXPECT_EQ(outcome.moved_bytes, expected) << offset << "+" << length;
    EXPECT_EQ(outcome.error, 0) << offset << "+" << length;
  }
  backend_.Close(handle);
}

TEST_F(Direct, U8_AnUnalignedWriteLeavesNeighboursAndSizeAlone) {
  for (const OpenRequest request : {kReadWrite, kWrite}) {
    for (const auto& [size, offset, length] : {std::array{12288, 2000, 50},
                                               {4196, 4146, 20},
                                               {4196, 0, 4196},
                                               {8192, 4095, 2},
                                               {8192, 1, 8191}}) {
      std::string expected = Pattern(static_cast<std::size_t>(size));
      dir_.Write("f", expected);
      const std::string text(static_cast<std::size_t>(length), '#');
      const BackendHandle handle = Open("f", request);

      EXPECT_EQ(WriteText(handle, offset, text).moved_bytes, length);

      EXPECT_TRUE(IsDirect(handle)) << "it is direct again";
      expected.replace(static_cast<std::size_t>(offset), text.size(), text);
      EXPECT_TRUE(dir_.Read("f") == expected) << offset << "+" << length;
      backend_.Close(handle);
    }
  }
}

TEST_F(Direct, U8_AnUnalignedWriteGrowsTheFileByWhatItWritesAndNoMore) {
  const BackendHandle handle = Open("new", {.write = true, .create = true, .direct = true});
  EXPECT_EQ(WriteText(handle, 0, Pattern(100)).moved_bytes, 100);
  EXPECT_EQ(WriteText(handle, 5000, "tail").moved_bytes, 4);
  EXPECT_EQ(dir_.Read("new"), Pattern(100) + std::string(4900, '\0') + "tail");
  backend_.Close(handle);
}

TEST_F(Direct, U8_AFileOpenForWritingAloneIsNeverOpenForReading) {
  dir_.Write("f", Pattern(8192));
  const BackendHandle handle = Open("f", kWrite);
  EXPECT_EQ(fcntl(LocalHandle(handle).descriptor(), F_GETFL) & O_ACCMODE, O_WRONLY);
  EXPECT_EQ(WriteText(handle, 4096, std::string(4096, '#')).moved_bytes, 4096);
  EXPECT_EQ(WriteText(handle, 100, "x").moved_bytes, 1);
  EXPECT_EQ(backend_.Read(handle, 0, 4096, buffer_.get()).error, EBADF);
  EXPECT_EQ(backend_.Read(handle, 1, 10, buffer_.get()).error, EBADF);
  backend_.Close(handle);
}

TEST_F(Direct, AWriteToAFileOpenForReadingAloneFails) {
  const BackendHandle handle = Open("probe", kRead);
  EXPECT_EQ(WriteText(handle, 0, std::string(4096, '#')).error, EBADF);
  EXPECT_EQ(WriteText(handle, 3, "x").error, EBADF);
  EXPECT_TRUE(IsDirect(handle));
  EXPECT_EQ(dir_.Read("probe"), Pattern(4096));
  backend_.Close(handle);
}

TEST_F(Direct, UnalignedOperationsAreCountedAmongAll) {
  EXPECT_THAT(WordsOf(backend_.Limitations()), Not(Contains(HasSubstr("unaligned"))));
  const BackendHandle handle = Open("probe", kReadWrite);
  ReadText(handle, 0, alignment_.offset_bytes);
  ReadText(handle, 1, 1);
  WriteText(handle, 0, Pattern(alignment_.offset_bytes));
  EXPECT_THAT(WordsOf(backend_.Limitations()),
              Contains("1 of 3 direct op(s) were unaligned; their device traffic is larger than "
                       "requested"));
  WriteText(handle, 0, "x");
  EXPECT_THAT(WordsOf(backend_.Limitations()), Contains(HasSubstr("2 of 4 direct op(s)")));
  EXPECT_THAT(WordsOf(backend_.Limitations()),
              Contains(HasSubstr("1 unaligned direct write(s) went through")));
  backend_.Close(handle);
}

TEST_F(Direct, ABufferThatLiesBadlyIsCopiedAndChangesNoRequest) {
  dir_.Write("f", Pattern(8192));
  const BackendHandle handle = Open("f", kReadWrite);
  char* const crooked = buffer_.get() + 1;

  EXPECT_EQ(backend_.Read(handle, 4096, 4096, crooked).moved_bytes, 4096);
  EXPECT_EQ(std::string(crooked, 4096), Pattern(8192).substr(4096));
  EXPECT_EQ(backend_.Write(handle, 0, 4096, crooked).moved_bytes, 4096);

  EXPECT_TRUE(dir_.Read("f") == Pattern(8192).substr(4096) + Pattern(8192).substr(4096));
  EXPECT_THAT(WordsOf(backend_.Limitations()), Not(Contains(HasSubstr("unaligned"))));
  backend_.Close(handle);
}

TEST_F(Direct, ALargerAlignmentOfTheUserIsObeyed) {
  const std::string content = Pattern(200000);
  dir_.Write("f", content);
  LocalBackend coarse(FileRoot::Confined(dir_.path(), false).value(),
                      {.allow_direct = true, .direct_align_bytes = 65536});
  BackendHandle handle = kNoHandle;
  ASSERT_EQ(coarse.Open(At("f"), kReadWrite, &handle).error, 0);

  EXPECT_EQ(coarse.Read(handle, 4096, 190000, buffer_.get()).moved_bytes, 190000);
  EXPECT_TRUE(std::string(buffer_.get(), 190000) == content.substr(4096, 190000));
  EXPECT_EQ(coarse.Write(handle, 4096, 4096, buffer_.get()).moved_bytes, 4096);
  EXPECT_EQ(coarse.Read(handle, 65536, 65536, buffer_.get()).moved_bytes, 65536);

  EXPECT_THAT(WordsOf(coarse.Limitations()), Contains(HasSubstr("2 of 3 direct op(s)")));
  EXPECT_TRUE(dir_.Read("f") == content) << "the bytes that were read went back to their place";
  coarse.Close(handle);
}

TEST_F(Direct, OffsetsBeyondEveryFileGetTheKernelsAnswer) {
  const BackendHandle handle = Open("probe", kReadWrite);
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t offset : {kLast, kLast - 7, kLast - 4096, std::int64_t{-1}}) {
    EXPECT_NE(WriteText(handle, offset, "0123456789").error, 0) << offset;
    EXPECT_EQ(backend_.Read(handle, offset, 10, buffer_.get()).moved_bytes, 0) << offset;
  }
  EXPECT_NE(WriteText(handle, (std::int64_t{1} << 62) + 1, "x").error, 0);
  EXPECT_EQ(backend_.Read(handle, (std::int64_t{1} << 62) + 1, 10, buffer_.get()).moved_bytes, 0);
  EXPECT_EQ(dir_.Read("probe"), Pattern(4096));
  backend_.Close(handle);
}

/// Streams that share one file and even its blocks. Stream k of n owns bytes k, k + n, k + 2n, …
/// of each 100-byte strip.
class SharedBlocks : public Direct {
 protected:
  static constexpr int kRounds = 150;
  static constexpr std::int64_t kStripBytes = 100;
  static constexpr std::int64_t kStreams = 4;

  static std::int64_t OffsetOf(int stream, int round) {
    return (round * kStreams + stream) * kStripBytes;
  }

  /// One stream's writes, by its own descriptor; false after a failure.
  bool Run(int stream, OpenRequest request) {
    BackendHandle handle = kNoHandle;
    if (backend_.Open(At("shared"), request, &handle).error != 0) return false;
    const std::string text(kStripBytes, static_cast<char>('A' + stream));
    bool good = true;
    for (int round = 0; round < kRounds; ++round) {
      good &=
          backend_.Write(handle, OffsetOf(stream, round), kStripBytes, text.data()).moved_bytes ==
          kStripBytes;
    }
    return backend_.Close(handle).error == 0 && good;
  }

  std::string Expected() const {
    std::string text;
    for (int round = 0; round < kRounds; ++round) {
      for (int stream = 0; stream < kStreams; ++stream) {
        text += std::string(kStripBytes, static_cast<char>('A' + stream));
      }
    }
    return text;
  }

  // The last stream is a buffered one, which takes no lock that the backend could have.
  static OpenRequest RequestOf(int stream) {
    return {.write = true, .create = true, .direct = stream + 1 < kStreams};
  }
};

TEST_F(SharedBlocks, U8_ThreadsLoseNoByteOfEachOther) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int stream = 0; stream < kStreams; ++stream) {
    threads.emplace_back([&, stream] { good += Run(stream, RequestOf(stream)) ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(good, kStreams);
  EXPECT_TRUE(dir_.Read("shared") == Expected());
}

TEST_F(SharedBlocks, U8_ProcessesLoseNoByteOfEachOther) {
  std::vector<pid_t> children;
  for (int stream = 0; stream < kStreams; ++stream) {
    const pid_t child = fork();
    if (child == 0) _exit(Run(stream, RequestOf(stream)) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(dir_.Read("shared") == Expected());
}

TEST_F(SharedBlocks, U8_AlignedWritesBesideUnalignedOnesKeepTheirBytes) {
  constexpr int kBlocks = 100;
  const std::int64_t block_bytes = alignment_.offset_bytes;
  // Blocks take turns: an even one is written whole, an odd one as two unaligned halves.
  const auto write_blocks = [&](int first, std::int64_t piece_bytes, char letter) {
    BackendHandle handle = kNoHandle;
    backend_.Open(At("shared"), {.write = true, .create = true, .direct = true}, &handle);
    const std::unique_ptr<char, Free> text(static_cast<char*>(std::aligned_alloc(
        static_cast<std::size_t>(block_bytes), static_cast<std::size_t>(block_bytes))));
    std::fill_n(text.get(), block_bytes, letter);
    for (int block = first; block < kBlocks; block += 2) {
      for (std::int64_t done = 0; done < block_bytes; done += piece_bytes) {
        backend_.Write(handle, block * block_bytes + done, piece_bytes, text.get());
      }
    }
    backend_.Close(handle);
  };

  std::thread aligned([&] { write_blocks(0, block_bytes, 'A'); });
  std::thread unaligned([&] { write_blocks(1, block_bytes / 2, 'B'); });
  aligned.join();
  unaligned.join();

  std::string expected;
  for (int block = 0; block < kBlocks; ++block) {
    expected += std::string(static_cast<std::size_t>(block_bytes), block % 2 == 0 ? 'A' : 'B');
  }
  EXPECT_TRUE(dir_.Read("shared") == expected);
}

}  // namespace
}  // namespace ioflux
