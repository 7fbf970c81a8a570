// SPDX-License-Identifier: GPL-2.0-only
#include "base/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

#include "tests/support/file_size_limit.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(AtomicFile, AppearsWholeOnCommitWithMode0644LessTheUmask) {
  const TempDir dir;
  const std::string large(3'000'000, 'x');
  const mode_t previous = umask(027);
  {
    Result<AtomicFile> file = AtomicFile::Create(dir / "out");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file.value().Write("head\n"));
    EXPECT_TRUE(file.value().Write(large));
    EXPECT_TRUE(file.value().Write("tail\n"));
    EXPECT_FALSE(dir.Exists("out"));
    EXPECT_TRUE(file.value().Commit());
  }
  umask(previous);

  EXPECT_THAT(dir.Names(), ElementsAre("out"));
  EXPECT_EQ(dir.Read("out"), "head\n" + large + "tail\n");
  EXPECT_EQ(ModeOf(dir / "out"), 0640U);
}

TEST(AtomicFile, WithoutCommitTheOldFileStaysAndNothingIsLeft) {
  const TempDir dir;
  dir.Write("out", "old");
  {
    Result<AtomicFile> file = AtomicFile::Create(dir / "out");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file.value().Write("new"));
    AtomicFile moved = std::move(file).value();
    EXPECT_TRUE(moved.Write("er"));
  }
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
  EXPECT_EQ(dir.Read("out"), "old");
}

TEST(AtomicFile, FailingDiskLeavesTheOldFileAndNoTemporaryOne) {
  const TempDir dir;
  dir.Write("out", "old");
  const FileSizeLimit full_disk(4096);

  const Result<void> written = WriteFileAtomically(dir / "out", std::string(100'000, 'x'));

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kIo);
  EXPECT_EQ(written.error().where.path, dir / "out");
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
  EXPECT_EQ(dir.Read("out"), "old");
}

TEST(AtomicFile, AKilledProgramLeavesTheOldFileAndNothingElse) {
  const TempDir dir;
  const int nameless = open(dir.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(nameless);
  dir.Write("out", "old");

  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<AtomicFile> file = AtomicFile::Create(dir / "out");
    if (file && file.value().Write(std::string(3'000'000, 'x'))) raise(SIGKILL);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);

  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
  EXPECT_EQ(dir.Read("out"), "old");
}

TEST(AtomicFile, AfterAFailedWriteCommitFailsToo) {
  const TempDir dir;
  const FileSizeLimit full_disk(4096);
  {
    Result<AtomicFile> file = AtomicFile::Create(dir / "out");
    ASSERT_TRUE(file);
    EXPECT_FALSE(file.value().Write(std::string(2'000'000, 'x')));
    EXPECT_FALSE(file.value().Write("small"));
    EXPECT_FALSE(file.value().Commit());
  }
  EXPECT_THAT(dir.Names(), IsEmpty());
}

TEST(AtomicFile, DeviceIsWrittenInPlaceAndItsErrorsAreReported) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "text"));
  struct stat status = {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full here";

  const Result<void> written = WriteFileAtomically("/dev/full", "text");

  ASSERT_FALSE(written);
  EXPECT_EQ(Describe(written.error()), "/dev/full: cannot write: No space left on device");
}

TEST(AtomicFile, TheModeOfAReplacedFileIsKept) {
  const TempDir dir;
  for (const mode_t mode : {0600U, 0644U, 0664U, 0755U, 0400U}) {
    dir.Write("out", "old");
    ASSERT_EQ(chmod((dir / "out").c_str(), mode), 0);

    Result<AtomicFile> file = AtomicFile::Create(dir / "out");
    ASSERT_TRUE(file);
    for (const std::string& name : dir.Names()) EXPECT_EQ(ModeOf(dir / name), mode) << name;
    EXPECT_TRUE(file.value().Write("new"));
    EXPECT_TRUE(file.value().Commit());

    EXPECT_EQ(dir.Read("out"), "new");
    EXPECT_EQ(ModeOf(dir / "out"), mode);
    unlink((dir / "out").c_str());
  }
}

// Opening a pipe that nobody reads waits for ever; a socket cannot be opened at all.
TEST(AtomicFile, PipesAndSocketsAreRefusedAtOnceAndStay) {
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(mknod((dir / "socket").c_str(), S_IFSOCK | 0600, 0), 0);
  ASSERT_EQ(symlink("pipe", (dir / "link").c_str()), 0);
  for (const char* name : {"pipe", "socket", "link"}) {
    const Result<void> written = WriteFileAtomically(dir / name, "text");
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().kind, ErrorKind::kIo) << name;
    EXPECT_EQ(Describe(CheckOutputKind(dir / name).error()), Describe(written.error()));
    const std::string kind = std::string(name) == "socket" ? "a socket" : "a pipe";
    EXPECT_NE(Describe(written.error()).find(kind + ", not a file"), std::string::npos);
  }
  EXPECT_THAT(dir.Names(), ElementsAre("link", "pipe", "socket"));
  EXPECT_TRUE(CheckOutputKind(dir / "new"));
}

TEST(AtomicFile, APipeThatIsOpenAlreadyIsWritten) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);

  EXPECT_TRUE(WriteFileAtomically("/dev/fd/" + std::to_string(ends[1]), "text"));

  char text[8] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 4);
  EXPECT_STREQ(text, "text");
  close(ends[0]);
  close(ends[1]);
}

TEST(AtomicFile, FolderThatCannotBeWrittenIsAnIoErrorAndTheFileStays) {
  const TempDir dir;
  dir.Write("out", "old");
  if (geteuid() == 0) {
    // Root may write everywhere, but not where there is no folder.
    const Result<void> written = WriteFileAtomically(dir / "absent/out", "new");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::kIo);
    EXPECT_FALSE(WriteFileAtomically("/proc/out", "new"));
    return;
  }
  chmod(dir.path().c_str(), 0555);

  const Result<void> written = WriteFileAtomically(dir / "out", "new");

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kIo);
  EXPECT_EQ(dir.Read("out"), "old");
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
}

TEST(AtomicFile, NameThatIsAFolderOrEmptyIsRefused) {
  const TempDir dir;
  EXPECT_FALSE(AtomicFile::Create(dir.path()));
  EXPECT_FALSE(AtomicFile::Create(dir / "new/"));
  EXPECT_FALSE(AtomicFile::Create(""));
}

TEST(AtomicFile, SymbolicLinkIsWrittenThrough) {
  const TempDir dir;
  dir.Write("real", "old");
  ASSERT_EQ(symlink("real", (dir / "link").c_str()), 0);

  EXPECT_TRUE(WriteFileAtomically(dir / "link", "new"));

  EXPECT_EQ(dir.Read("real"), "new");
  EXPECT_THAT(dir.Names(), ElementsAre("link", "real"));
}

TEST(AtomicFile, LongestLegalNameWorks) {
  const TempDir dir;
  const std::string name(255, 'n');

  EXPECT_TRUE(WriteFileAtomically(dir / name, "new"));

  EXPECT_EQ(dir.Read(name), "new");
}

TEST(DescriptorSink, WritesAllAndReportsTheNameOnFailure) {
  const TempDir dir;
  const int file = open((dir / "out").c_str(), O_CREAT | O_WRONLY, 0600);
  EXPECT_TRUE(DescriptorSink(file, "output").Write("text"));
  close(file);

  EXPECT_EQ(dir.Read("out"), "text");
  const Result<void> written = DescriptorSink(file, "output").Write("text");
  ASSERT_FALSE(written);
  EXPECT_EQ(Describe(written.error()), "output: cannot write: Bad file descriptor");
}

TEST(StringSink, CollectsInOrder) {
  StringSink sink;
  EXPECT_TRUE(sink.Write("a"));
  EXPECT_TRUE(sink.Write("b"));
  EXPECT_EQ(sink.text(), "ab");
}

}  // namespace
}  // namespace ioflux
