// SPDX-License-Identifier: GPL-2.0-only
//
// Names, kinds, sizes and ends of files, seen through captures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// --- names -------------------------------------------------------------------------------------

TEST(StraceNames, RelativeNamesFollowTheWorkingDirectory) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD</home/me>, \"a\", O_RDONLY) = 3</home/me/a>\n"
      "1 10:00:00.000001 chdir(\"sub\") = 0\n"
      "1 10:00:00.000002 open(\"../x//./b\", O_RDONLY) = 4\n"
      "1 10:00:00.000003 openat(AT_FDCWD, \"/c/d\", O_RDONLY|O_DIRECTORY) = 5\n"
      "1 10:00:00.000004 fchdir(5) = 0\n"
      "1 10:00:00.000005 open(\"e\", O_RDONLY) = 6\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/home/me/a", "/home/me/x/b", "/c/d/e"));
}

TEST(StraceNames, TheStartMayBeGivenOrComeToLight) {
  const char* const capture =
      "1 10:00:00.000000 open(\"a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 chdir(\"sub\") = 0\n"
      "1 10:00:00.000002 open(\"b\", O_RDONLY) = 4\n";

  EXPECT_THAT(ImportText(capture).TargetNames(), ElementsAre("a", "sub/b"));
  EXPECT_EQ(ImportText(capture).account.note(Note::kCwdUnknown), 2u);
  EXPECT_THAT(ImportText(capture, {.start_directory = "/home/me"}).TargetNames(),
              ElementsAre("/home/me/a", "/home/me/sub/b"));
  EXPECT_THAT(ImportText(std::string(capture) + "1 10:00:00.000003 getcwd(\"/srv/sub\", 4096) = 9\n"
                                                "1 10:00:00.000004 open(\"c\", O_RDONLY) = 5\n")
                  .TargetNames(),
              ElementsAre("/srv/a", "/srv/sub/b", "/srv/sub/c"));
}

TEST(StraceNames, AChildHasItsOwnWorkingDirectoryUnlessItIsAThread) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 chdir(\"/p\") = 0\n"
      "1 10:00:00.000001 fork() = 2\n"
      "1 10:00:00.000002 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 3\n"
      "2 10:00:00.000003 chdir(\"/child\") = 0\n"
      "3 10:00:00.000004 chdir(\"/thread\") = 0\n"
      "1 10:00:00.000005 open(\"a\", O_RDONLY) = 3\n"
      "2 10:00:00.000006 open(\"b\", O_RDONLY) = 3\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/thread/a", "/child/b"));
}

TEST(StraceNames, TwoWaysToAFileAreOneTargetByTheFirstName) {
  const char* const capture =
      "1 10:00:00.000000 openat(AT_FDCWD</w>, \"/lib/x.so\", O_RDONLY) = 3</usr/lib/x.so>\n"
      "1 10:00:00.000001 openat(AT_FDCWD</w>, \"/usr/lib/x.so\", O_RDONLY) = 4</usr/lib/x.so>\n"
      "1 10:00:00.000002 stat(\"/lib/x.so\", {st_mode=S_IFREG|0644, st_size=70}) = 0\n";

  EXPECT_THAT(ImportText(capture).TargetNames(), ElementsAre("/lib/x.so"));
  EXPECT_THAT(ImportText(capture, {.resolved_names = true}).TargetNames(),
              ElementsAre("/usr/lib/x.so"));
}

TEST(StraceNames, ARenamedFileStaysTheSameTarget) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a.tmp\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 3\n"
      "1 10:00:00.000001 write(3, \"\"..., 100) = 100\n"
      "1 10:00:00.000002 close(3) = 0\n"
      "1 10:00:00.000003 rename(\"/a.tmp\", \"/a\") = 0\n"
      "1 10:00:00.000004 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000005 rename(\"/dir\", \"/other\") = 0\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/a.tmp"));
  EXPECT_EQ(trace.OpsOf(OpKind::kOPEN).size(), 2u);
  EXPECT_EQ(trace.account.note(Note::kRenames), 2u);
}

TEST(StraceNames, ARenamedDirectoryTakesItsFilesAlong) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/d/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 rename(\"/d\", \"/e\") = 0\n"
      "1 10:00:00.000002 open(\"/e/a\", O_RDONLY) = 4\n"
      "1 10:00:00.000003 open(\"/d/a\", O_RDWR|O_CREAT|O_EXCL, 0600) = 5\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/d/a", "/d/a#2"));
}

TEST(StraceNames, NoTwoFilesHaveOneName) {
  const char* const capture =
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3</r>\n"
      "1 10:00:00.000001 unlink(\"/a\") = 0\n"
      "1 10:00:00.000002 open(\"/a#2\", O_RDONLY) = 4</s>\n"
      "1 10:00:00.000003 creat(\"/a\", 0644) = 5</r>\n"
      "1 10:00:00.000004 unlink(\"/a\") = 0\n"
      "1 10:00:00.000005 creat(\"/a\", 0644) = 6</r#2>\n"
      "1 10:00:00.000006 open(\"/a#3\", O_RDONLY) = 7</t>\n";

  for (const bool resolved : {false, true}) {
    const std::vector<std::string> names =
        ImportText(capture, {.resolved_names = resolved}).TargetNames();

    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    EXPECT_EQ(names.size(), 4u);
  }
}

TEST(StraceNames, ANameThatWasRemovedAndMadeAgainIsAnotherTarget) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 3\n"
      "1 10:00:00.000001 unlink(\"/a\") = 0\n"
      "1 10:00:00.000002 write(3, \"\"..., 5) = 5\n"
      "1 10:00:00.000003 open(\"/a\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 4\n"
      "1 10:00:00.000004 write(4, \"\"..., 7) = 7\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/a", "/a#2"));
  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 5);
  EXPECT_EQ(trace.TargetNamed("/a#2").size_bytes, 7);
}

TEST(StraceNames, LinksLeadToTheSameTarget) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 link(\"/a\", \"/hard\") = 0\n"
      "1 10:00:00.000002 symlink(\"a\", \"/soft\") = 0\n"
      "1 10:00:00.000003 open(\"/hard\", O_RDONLY) = 4\n"
      "1 10:00:00.000004 open(\"/soft\", O_RDONLY) = 5\n"
      "1 10:00:00.000005 unlink(\"/a\") = 0\n"
      "1 10:00:00.000006 open(\"/hard\", O_RDONLY) = 6\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/a"));
}

TEST(StraceNames, AnUnnamedFileIsCalledByTheNameItGets) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/d\", O_RDWR|O_TMPFILE, 0600) = 3\n"
      "1 10:00:00.000001 write(3, \"\"..., 5) = 5\n"
      "1 10:00:00.000002 linkat(AT_FDCWD, \"/proc/self/fd/3\", AT_FDCWD, \"/d/f\", "
      "AT_SYMLINK_FOLLOW) = 0\n"
      "1 10:00:00.000003 open(\"/d/f\", O_RDONLY) = 4\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/d/f"));
  EXPECT_EQ(trace.TargetNamed("/d/f").size_bytes, 5);
}

// --- what is kept ------------------------------------------------------------------------------

TEST(StraceKinds, ADirectoryOpenedLikeAFileIsFoundOutLater) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/d\", O_RDONLY|O_CLOEXEC) = 3 <0.000001>\n"
      "1 10:00:00.000001 fstat(3, {st_mode=S_IFDIR|0755, st_size=4096, ...}) = 0\n"
      "1 10:00:00.000002 close(3) = 0\n"
      "1 10:00:00.000003 access(\"/e\", F_OK) = 0\n"
      "1 10:00:00.000004 open(\"/e/f\", O_RDONLY) = 3\n"
      "1 10:00:00.000005 open(\"/g\", O_RDONLY) = 4\n"
      "1 10:00:00.000006 getdents64(4, 0x5581 /* 3 entries */, 32768) = 72\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/e/f"));
  EXPECT_EQ(trace.ops.size(), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kOp), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kDirectoryOpen), 4u);
  EXPECT_EQ(trace.account.lines(Reason::kStatDirectory), 2u);
  EXPECT_EQ(trace.account.total_lines(), 7u);
  EXPECT_EQ(trace.account.calls().at("open")[static_cast<int>(Bucket::kImported)], 1u);
  EXPECT_EQ(trace.account.calls().at("open")[static_cast<int>(Bucket::kDropped)], 2u);
}

TEST(StraceKinds, SystemFoldersAreLeftOutUnlessAskedFor) {
  const char* const capture =
      "1 10:00:00.000000 open(\"/proc/self/maps\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 read(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000002 open(\"/data/a\", O_RDONLY) = 4\n"
      "1 10:00:00.000003 open(\"/data/b.so\", O_RDONLY) = 5\n";

  const ImportedForTest standard = ImportText(capture);
  EXPECT_THAT(standard.TargetNames(), ElementsAre("/data/a", "/data/b.so"));
  EXPECT_EQ(standard.account.lines(Reason::kExcluded), 2u);
  EXPECT_EQ(standard.account.exclusions().at("/proc"), 2u);
  EXPECT_THAT(ImportText(capture, {.filter = PathFilter({"/proc/self"}, {})}).TargetNames(),
              ElementsAre("/proc/self/maps"));
  EXPECT_THAT(ImportText(capture, {.filter = PathFilter({}, {"*.so"})}).TargetNames(),
              ElementsAre("/data/a"));
}

TEST(StraceKinds, LinksAndDevicesAreNoTargets) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 lstat(\"/a\", {st_mode=S_IFLNK|0777, st_size=7, ...}) = 0\n"
      "1 10:00:00.000001 stat(\"/tty\", {st_mode=S_IFCHR|0600, st_rdev=makedev(0x88, 0x1), ...}) = "
      "0\n"
      "1 10:00:00.000002 open(\"/x\", O_RDONLY|O_PATH) = 3\n");

  EXPECT_THAT(trace.ops, IsEmpty());
  EXPECT_EQ(trace.account.lines(Reason::kStatOther), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kPathOnly), 1u);
}

// --- sizes -------------------------------------------------------------------------------------

TEST(StraceSizes, AFileThatWasThereHasTheSizeItHadBefore) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDWR) = 3\n"
      "1 10:00:00.000001 lseek(3, -100, SEEK_END) = 900\n"
      "1 10:00:00.000002 pwrite64(3, \"\"..., 50, 2000) = 50\n"
      "1 10:00:00.000003 fstat(3, {st_mode=S_IFREG|0644, st_size=2050}) = 0\n");

  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 1000);
}

TEST(StraceSizes, AFileThatIsMadeHasTheSizeItGets) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 stat(\"/a\", 0x7f) = -1 ENOENT (No such file or directory)\n"
      "1 10:00:00.000001 open(\"/a\", O_RDWR|O_CREAT, 0600) = 3\n"
      "1 10:00:00.000002 write(3, \"\"..., 50) = 50\n"
      "1 10:00:00.000003 fstat(3, {st_mode=S_IFREG|0644, st_size=50}) = 0\n"
      "1 10:00:00.000004 ftruncate(3, 30) = 0\n"
      "1 10:00:00.000005 open(\"/b\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 4\n"
      "1 10:00:00.000006 fallocate(4, 0, 0, 700) = 0\n");

  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 30);
  EXPECT_THAT(trace.OpsOf(OpKind::kOPEN)[0].flags, ElementsAre("create", "trunc"))
      << "a replay finds a file of that size there, the source found none";
  EXPECT_EQ(trace.TargetNamed("/b").size_bytes, 700);
}

TEST(StraceSizes, AFileThatIsReadAndThenRewrittenHasTheSizeItHadBefore) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 read(3, \"\"..., 4096) = 500\n"
      "1 10:00:00.000002 open(\"/a\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 4\n"
      "1 10:00:00.000003 write(4, \"\"..., 9) = 9\n");

  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 500);
}

TEST(StraceSizes, TheFurthestByteIsTheLastResort) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 pread64(3, \"\"..., 100, 5000) = 100\n"
      "1 10:00:00.000002 pread64(3, \"\", 100, 9000) = 0\n");

  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 5100) << "an end further out proves nothing";
}

TEST(StraceSizes, AFileThatIsOnlyAskedAboutHasItsSize) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 statx(AT_FDCWD, \"/a\", 0, STATX_ALL, {stx_mask=STATX_ALL, "
      "stx_mode=S_IFREG|0644, stx_size=42, ...}) = 0\n");

  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 42);
}

// --- appending ---------------------------------------------------------------------------------

TEST(StraceAppends, AnAppendLandsAtTheKnownEnd) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_WRONLY|O_APPEND) = 3\n"
      "1 10:00:00.000001 fstat(3, {st_mode=S_IFREG|0644, st_size=1000}) = 0\n"
      "1 10:00:00.000002 write(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000003 lseek(3, 0, SEEK_SET) = 0\n"
      "1 10:00:00.000004 write(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000005 pwrite64(3, \"\"..., 10, 5) = 10\n"
      "1 10:00:00.000006 lseek(3, 0, SEEK_CUR) = 1020\n");

  const std::vector<Op> writes = trace.OpsOf(OpKind::kWRITE);
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].offset, 1000);
  EXPECT_EQ(writes[1].offset, 1010);
  EXPECT_EQ(writes[2].offset, 1020) << "Linux appends whatever offset pwrite gives";
  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 1000);
}

TEST(StraceAppends, AnAppendToAFileThatMayBeNewIsTakenAsTheFirst) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_WRONLY|O_CREAT|O_APPEND, 0600) = 3\n"
      "1 10:00:00.000002 write(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000003 write(3, \"\"..., 10) = 10\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kWRITE)[1].offset, 10);
  EXPECT_EQ(trace.account.note(Note::kAppendAssumedNew), 1u);
}

TEST(StraceAppends, AnAppendToAFileThatWasSeenBeforeIsNot) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 access(\"/a\", F_OK) = 0\n"
      "1 10:00:00.000001 open(\"/a\", O_WRONLY|O_CREAT|O_APPEND, 0600) = 3\n"
      "1 10:00:00.000002 write(3, \"\"..., 10) = 10\n");

  EXPECT_EQ(trace.account.lines(Reason::kAppendOffsetUnknown), 1u);
}

TEST(StraceAppends, TheFlagMayComeLater) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3\n"
      "1 10:00:00.000001 write(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000002 fcntl(3, F_SETFL, O_RDWR|O_APPEND) = 0\n"
      "1 10:00:00.000003 lseek(3, 0, SEEK_SET) = 0\n"
      "1 10:00:00.000004 write(3, \"\"..., 5) = 5\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kWRITE)[1].offset, 10);
  EXPECT_EQ(trace.account.note(Note::kFlagsChanged), 1u);
}

// --- other data --------------------------------------------------------------------------------

TEST(StraceData, VectorsAreTheSumOfTheirParts) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3\n"
      "1 10:00:00.000001 writev(3, [{iov_base=\"iov_len=9\", iov_len=100}, {iov_base=\"\", "
      "iov_len=0}], 2) = 100\n"
      "1 10:00:00.000002 preadv(3, [{iov_base=\"\"..., iov_len=60}, {iov_base=\"\"..., "
      "iov_len=60}], 2, 0) = 100\n"
      "1 10:00:00.000003 pwritev2(3, [{iov_base=\"\"..., iov_len=7}], 1, -1, RWF_DSYNC) = 7\n"
      "1 10:00:00.000004 pwritev2(3, [{iov_base=\"\"..., iov_len=8}], 1, 0, RWF_APPEND) = 8\n");

  ASSERT_EQ(trace.ops.size(), 5u);
  EXPECT_EQ(trace.ops[1].length_bytes, 100);
  EXPECT_EQ(trace.ops[2].length_bytes, 120);
  EXPECT_EQ(trace.ops[2].returned_bytes, 100);
  EXPECT_EQ(trace.ops[3].offset, 100) << "-1 is the file position";
  EXPECT_EQ(trace.ops[4].offset, 107);
  EXPECT_EQ(trace.account.note(Note::kSyncWrite), 1u);
}

TEST(StraceData, ACopyInsideTheKernelReadsAndWrites) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 open(\"/b\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 4\n"
      "1 10:00:00.000002 copy_file_range(3, [0], 4, [100], 9223372035781033984, 0) = 3777 "
      "<0.000009>\n"
      "1 10:00:00.000003 copy_file_range(3, NULL, 4, NULL, 10, 0) = 10\n"
      "1 10:00:00.000004 copy_file_range(3, NULL, 4, NULL, 10, 0) = 0\n"
      "1 10:00:00.000005 splice(3, [5], 7<pipe:[1]>, NULL, 20, 0) = 20\n");

  ASSERT_EQ(trace.ops.size(), 7u);
  EXPECT_EQ(trace.ops[2].length_bytes, 3777) << "not the request, which is no buffer";
  EXPECT_EQ(trace.ops[2].duration_ns, 9'000);
  EXPECT_EQ(trace.ops[3].kind, OpKind::kWRITE);
  EXPECT_EQ(trace.ops[3].offset, 100);
  EXPECT_FALSE(trace.ops[3].Has(OpField::kDuration));
  EXPECT_EQ(trace.ops[5].offset, 0) << "explicit offsets leave the position alone";
  EXPECT_EQ(trace.ops[6].offset, 5);
  EXPECT_EQ(trace.account.note(Note::kKernelCopy), 3u);
  EXPECT_EQ(trace.account.lines(Reason::kNothingMoved), 1u);
}

TEST(StraceData, AdviceBeforeTheFirstTransferIsAFlagOfTheOpen) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 fadvise64(3, 0, 0, POSIX_FADV_RANDOM) = 0\n"
      "1 10:00:00.000002 read(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000003 fadvise64(3, 0, 0, POSIX_FADV_SEQUENTIAL) = 0\n");

  EXPECT_THAT(trace.ops[0].flags, ElementsAre("rand"));
}

TEST(StraceData, WhatStraceCannotShowIsCounted) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 open(\"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 mmap(NULL, 8192, PROT_READ, MAP_SHARED, 3, 0x1000) = 0x7f00\n"
      "1 10:00:00.000002 open(\"/lib.so\", O_RDONLY) = 4\n"
      "1 10:00:00.000003 mmap(NULL, 8192, PROT_READ|PROT_EXEC, MAP_PRIVATE, 4, 0) = 0x7f01\n"
      "1 10:00:00.000004 io_uring_enter(5, 16, 16, IORING_ENTER_GETEVENTS, NULL, 8) = 16\n"
      "1 10:00:00.000005 io_submit(0x7f, 2, [{aio_data=0}]) = 2\n");

  EXPECT_EQ(trace.account.note(Note::kMappedFiles), 1u);
  EXPECT_EQ(trace.account.note(Note::kMappedBytes), 8192u);
  EXPECT_EQ(trace.account.note(Note::kMappedCode), 1u);
  EXPECT_EQ(trace.account.note(Note::kUringRequests), 16u);
  EXPECT_EQ(trace.account.note(Note::kAioRequests), 2u);
  EXPECT_EQ(trace.account.lines(Bucket::kDropped), 4u);
}

}  // namespace
}  // namespace ioflux
