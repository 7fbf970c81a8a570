// SPDX-License-Identifier: GPL-2.0-only
//
// Descriptors, threads and processes as Linux has them, seen through captures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "READ /a 0+10" for every operation of a stream.
std::vector<std::string> StreamText(const ImportedForTest& trace, std::int64_t stream) {
  std::vector<std::string> lines;
  for (const Op& op : trace.ops) {
    if (op.stream != stream) continue;
    std::string line = std::string(NameOf(op.kind)) + " " + trace.NameOf(op);
    if (op.Has(OpField::kOffset)) {
      line += " " + std::to_string(op.offset) + "+" + std::to_string(op.MovedBytes());
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(StraceProcesses, ThreadsShareDescriptorsAndPositions) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD} => "
      "{parent_tid=[2]}, 88) = 2\n"
      "2 10:00:00.000020 read(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000030 read(3, \"\"..., 20) = 20\n"
      "2 10:00:00.000040 close(3) = 0\n"
      "1 10:00:00.000050 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "2 10:00:00.000060 read(3, \"\"..., 30) = 30\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 10+20", "CLOSE /a", "OPEN /b"));
  EXPECT_THAT(StreamText(trace, 1),
              ElementsAre("OPEN /a", "READ /a 0+10", "CLOSE /a", "OPEN /b", "READ /b 0+30"));
  EXPECT_EQ(trace.account.note(Note::kSyntheticOpen), 2u);
  EXPECT_EQ(trace.account.note(Note::kSyntheticClose), 1u);
  EXPECT_EQ(trace.account.note(Note::kSharedFiles), 2u);
}

TEST(StraceProcesses, AForkedChildHasACopyThatSharesPositions) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone(child_stack=NULL, flags=SIGCHLD) = 2\n"
      "2 10:00:00.000020 read(3, \"\"..., 10) = 10\n"
      "2 10:00:00.000030 close(3) = 0\n"
      "1 10:00:00.000040 read(3, \"\"..., 20) = 20\n"
      "1 10:00:00.000050 close(3) = 0 <0.000001>\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 10+20", "CLOSE /a"));
  EXPECT_THAT(StreamText(trace, 1), ElementsAre("OPEN /a", "READ /a 0+10", "CLOSE /a"));
  EXPECT_EQ(trace.account.lines(Reason::kStillOpen), 1u);
}

TEST(StraceProcesses, AVforkedChildRunsBeforeItsParentReturns) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 vfork( <unfinished ...>\n"
      "2 10:00:00.000020 read(3, \"\"..., 10) = 10\n"
      "2 10:00:00.000030 close(3) = 0\n"
      "2 10:00:00.000040 exit_group(0) = ?\n"
      "1 10:00:00.000050 <... vfork resumed>) = 2\n"
      "1 10:00:00.000060 read(3, \"\"..., 10) = 10\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kREAD).size(), 2u);
  EXPECT_EQ(trace.OpsOf(OpKind::kREAD)[1].offset, 10);
  EXPECT_EQ(trace.account.note(Note::kUnknownParent), 0u);
}

TEST(StraceProcesses, AChildOfOneOfSeveralClonesWaitsUntilItsParentIsKnown) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "2 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 fork( <unfinished ...>\n"
      "2 10:00:00.000011 fork( <unfinished ...>\n"
      "9 10:00:00.000020 read(3, \"\"..., 10) = 10\n"
      "2 10:00:00.000030 <... fork resumed>) = 9\n"
      "1 10:00:00.000031 <... fork resumed>) = 8\n");

  const std::vector<Op> reads = trace.OpsOf(OpKind::kREAD);
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(trace.NameOf(reads[0]), "/b");
  EXPECT_EQ(trace.account.note(Note::kHeldBack), 1u);
}

TEST(StraceProcesses, ExecClosesWhatAsksForIt) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = 3\n"
      "1 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4\n"
      "1 10:00:00.000002 openat(AT_FDCWD, \"/c\", O_RDONLY) = 5\n"
      "1 10:00:00.000003 fcntl(5, F_SETFD, FD_CLOEXEC) = 0\n"
      "1 10:00:00.000004 ioctl(4, FIOCLEX) = 0\n"
      "1 10:00:00.000005 ioctl(4, FIONCLEX) = 0\n"
      "1 10:00:00.000010 execve(\"/bin/x\", [\"x\"], 0x7f /* 3 vars */) = 0\n"
      "1 10:00:00.000020 read(4, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0),
              ElementsAre("OPEN /a", "OPEN /b", "OPEN /c", "CLOSE /a", "CLOSE /c", "READ /b 0+10"));
  EXPECT_EQ(trace.account.note(Note::kCloseAtExit), 2u);
}

TEST(StraceProcesses, ExecInAThreadGoesOnUnderTheNumberOfTheProcess) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 2\n"
      "2 10:00:00.000020 execve(\"/bin/x\", [\"x\"], 0x7f <unfinished ...>\n"
      "1 10:00:00.000030 +++ superseded by execve in pid 2 +++\n"
      "1 10:00:00.000040 <... execve resumed>) = 0\n"
      "1 10:00:00.000050 read(3, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 0+10"));
  EXPECT_EQ(trace.account.lines(Bucket::kDropped), 0u);
}

TEST(StraceProcesses, ExitClosesWhatTheLastThreadLeaves) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 2\n"
      "2 10:00:00.000020 exit(0) = ?\n"
      "2 10:00:00.000021 +++ exited with 0 +++\n"
      "1 10:00:00.000030 read(3, \"\"..., 10) = 10\n"
      "1 10:00:00.000040 exit_group(0) = ?\n");

  ASSERT_EQ(trace.OpsOf(OpKind::kCLOSE).size(), 1u);
  EXPECT_EQ(trace.OpsOf(OpKind::kCLOSE)[0].t_ns, 40'000);
}

TEST(StraceProcesses, ANumberThatAnotherThreadFreesMeanwhileStillMeansTheOldFile) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 2\n"
      "2 10:00:00.000020 read(3,  <unfinished ...>\n"
      "1 10:00:00.000030 close(3) = 0\n"
      "1 10:00:00.000040 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "2 10:00:00.000050 <... read resumed>\"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 1), ElementsAre("OPEN /a", "READ /a 0+10", "CLOSE /a"));
  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "CLOSE /a", "OPEN /b"));
}

TEST(StraceProcesses, ACloseFreesItsNumberBeforeItReturns) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 2\n"
      "1 10:00:00.000020 close(3 <unfinished ...>\n"
      "2 10:00:00.000030 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "1 10:00:00.000040 <... close resumed>) = 0\n"
      "2 10:00:00.000050 read(3, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "CLOSE /a"));
  EXPECT_THAT(StreamText(trace, 1), ElementsAre("OPEN /b", "READ /b 0+10"));
  EXPECT_EQ(trace.account.note(Note::kImplicitClose), 0u);
}

TEST(StraceProcesses, DuplicatesShareOnePositionAndTheLastOneCloses) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 dup(3) = 4\n"
      "1 10:00:00.000002 fcntl(3, F_DUPFD_CLOEXEC, 60) = 60\n"
      "1 10:00:00.000003 dup3(3, 7, O_CLOEXEC) = 7\n"
      "1 10:00:00.000004 read(4, \"\"..., 10) = 10\n"
      "1 10:00:00.000005 read(60, \"\"..., 10) = 10\n"
      "1 10:00:00.000006 read(7, \"\"..., 10) = 10\n"
      "1 10:00:00.000007 close_range(3, 7, 0) = 0\n"
      "1 10:00:00.000008 close(60) = 0\n");

  EXPECT_THAT(StreamText(trace, 0),
              ElementsAre("OPEN /a", "READ /a 0+10", "READ /a 10+10", "READ /a 20+10", "CLOSE /a"));
}

TEST(StraceProcesses, DuplicatingOntoANumberClosesWhatWasThere) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4\n"
      "1 10:00:00.000002 dup2(3, 4) = 4\n"
      "1 10:00:00.000003 dup2(3, 3) = 3\n"
      "1 10:00:00.000004 read(4, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "OPEN /b", "CLOSE /b", "READ /a 0+10"));
}

TEST(StraceProcesses, ANumberThatComesBackWithoutACloseIsClosedAndNoted) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "CLOSE /a", "OPEN /b"));
  EXPECT_EQ(trace.account.note(Note::kImplicitClose), 1u);
}

TEST(StraceProcesses, AFileThatWasOpenBeforeIsOpenedAtItsFirstUse) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 read(3</a>, \"\"..., 10) = 10\n"
      "1 10:00:00.000001 lseek(3</a>, 500, SEEK_SET) = 500\n"
      "1 10:00:00.000002 write(3</a>, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 0+10", "WRITE /a 500+10"));
  EXPECT_EQ(trace.ops[0].mode, OpenMode::kReadWrite) << "by what was done with it";
  EXPECT_THAT(trace.ops[0].flags, IsEmpty());
  EXPECT_EQ(trace.account.note(Note::kCursorAssumed), 1u);
  EXPECT_EQ(trace.account.note(Note::kModeAssumed), 1u);
}

TEST(StraceProcesses, StrictLeavesOutWhatWouldBeAssumed) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 read(3</a>, \"\"..., 10) = 10\n"
      "1 10:00:00.000001 pread64(3</a>, \"\"..., 10, 70) = 10\n"
      "1 10:00:00.000002 openat(AT_FDCWD, \"/l\", O_WRONLY|O_CREAT|O_APPEND, 0600) = 4\n"
      "1 10:00:00.000003 write(4, \"ab\", 2) = 2\n",
      {.strict = true});

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 70+10", "OPEN /l"));
  EXPECT_EQ(trace.account.lines(Reason::kCursorUnknown), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kAppendOffsetUnknown), 1u);
}

TEST(StraceProcesses, WhatIsShownOverrulesWhatWasMissed) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD</>, \"/a\", O_RDONLY) = 3</a>\n"
      "1 10:00:00.000001 read(3</b>, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "CLOSE /a", "OPEN /b", "READ /b 0+10"));
}

TEST(StraceProcesses, DescriptorsThatAreNoFilesAreSortedByKind) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 pipe2([3, 4], O_CLOEXEC) = 0\n"
      "1 10:00:00.000001 write(4, \"\"..., 10) = 10\n"
      "1 10:00:00.000002 socket(AF_UNIX, SOCK_STREAM, 0) = 5\n"
      "1 10:00:00.000003 read(5, \"\"..., 10) = 10\n"
      "1 10:00:00.000004 eventfd2(0, 0) = 6\n"
      "1 10:00:00.000005 read(6, \"\"..., 8) = 8\n"
      "1 10:00:00.000006 write(1, \"\"..., 10) = 10\n"
      "1 10:00:00.000007 read(9<TCP:[127.0.0.1:1->127.0.0.1:2]>, \"\"..., 10) = 10\n"
      "1 10:00:00.000008 read(10</dev/pts/0<char 136:0>>, \"\"..., 10) = 10\n"
      "1 10:00:00.000009 read(11<anon_inode:[eventpoll]>, \"\"..., 10) = 10\n");

  EXPECT_THAT(trace.ops, IsEmpty());
  EXPECT_EQ(trace.account.lines(Reason::kPipe), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kSocket), 3u);
  EXPECT_EQ(trace.account.lines(Reason::kAnonymous), 3u);
  EXPECT_EQ(trace.account.lines(Reason::kStandardStream), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kDevice), 1u);
}

TEST(StraceProcesses, StandardOutputThatIsAFileIsAFile) {
  const ImportedForTest trace =
      ImportText("1 10:00:00.000006 write(1</home/me/out.txt>, \"\"..., 10) = 10\n");

  EXPECT_THAT(StreamText(trace, 0),
              ElementsAre("OPEN /home/me/out.txt", "WRITE /home/me/out.txt 0+10"));
}

TEST(StraceProcesses, ADescriptorFromElsewhereIsForeign) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 recvmsg(3, {msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, "
      "cmsg_type=SCM_RIGHTS, cmsg_data=[5]}], msg_flags=0}, 0) = 1\n"
      "1 10:00:00.000001 read(5, \"\"..., 10) = 10\n");

  EXPECT_EQ(trace.account.lines(Bucket::kForeign), 1u);
}

// Inside PID namespaces numbers are the child's own, and damaged ones are anything.
TEST(StraceProcesses, AChildUnderAnImpossibleNumberIsNoTask) {
  for (const char* number : {"1", "5 /* 1 in strace's PID NS */", "5 /* 0 in strace's PID NS */",
                             "5 /* -2 in strace's PID NS */"}) {
    const ImportedForTest trace = ImportText(
        "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
        "1 10:00:00.000010 clone(child_stack=NULL, flags=CLONE_FILES|CLONE_THREAD) = " +
        std::string(number) +
        "\n"
        "1 10:00:00.000020 read(3, \"\"..., 10) = 10\n"
        "1 10:00:00.000030 exit_group(0) = ?\n"
        "1 10:00:00.000040 +++ exited with 0 +++\n");

    EXPECT_THAT(StreamText(trace, 0), ElementsAre("OPEN /a", "READ /a 0+10", "CLOSE /a")) << number;
    EXPECT_EQ(trace.header.summary.num_streams, 1) << number;
  }
}

}  // namespace
}  // namespace ioflux
