// SPDX-License-Identifier: GPL-2.0-only
//
// Every form in which strace writes a line, and what else gets between its lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::int64_t> TimesOf(const ImportedForTest& trace) {
  std::vector<std::int64_t> times;
  for (const Op& op : trace.ops) times.push_back(op.t_ns);
  return times;
}

TEST(StraceLines, SecondsMayHaveAnyNumberOfDecimals) {
  const ImportedForTest trace = ImportText(
      "1700000000 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "1700000000.5 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "1700000000.600 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "1700000000.700000001 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n");

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 500'000'000, 600'000'000, 700'000'001));
}

TEST(StraceLines, RelativeTimesAddUpOverAllLines) {
  const ImportedForTest trace = ImportText(
      "     0.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "     0.000100 brk(NULL) = 0x5500\n"
      "     0.000020 close(3) = 0\n");

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 120'000));
}

TEST(StraceLines, RelativeTimesOfAPartOfACaptureAreRecognisedByTheirBlanks) {
  const ImportedForTest trace = ImportText(
      "30521      0.000300 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "30521      0.000020 close(3) = 0\n");

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 20'000));
}

TEST(StraceLines, TheProcessMayBeNamedInEveryWay) {
  const ImportedForTest trace = ImportText(
      "501 10:00:00.000000 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "[pid   502] 10:00:00.000001 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "503<my prog> 10:00:00.000002 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "[pid 504<a>b>] 10:00:00.000003 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n");

  EXPECT_EQ(trace.ops.size(), 4u);
  EXPECT_THAT(trace.header.notes,
              HasSubstr("streams: s0=pid 501, s1=pid 502, s2=pid 503, s3=pid 504;"));
}

TEST(StraceLines, CallNumberAndAddressBeforeTheNameAreSkipped) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 [ 257] [00007ff1df26bad7] openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 [   3] close(3) = 0\n"
      "1 10:00:00.000002 [????????????????] +++ exited with 0 +++\n");

  EXPECT_EQ(trace.ops.size(), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kNotice), 1u);
}

TEST(StraceLines, NumbersInPlaceOfNamesMeanTheSame) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(-100, \"/a\", 0x441 /* O_WRONLY|O_CREAT|O_APPEND */, 0600) = 3\n"
      "1 10:00:00.000001 openat(-100 /* AT_FDCWD */, \"/b\", 0x242) = 4\n"
      "1 10:00:00.000002 newfstatat(4, \"\", {st_mode=0100644, st_size=7, ...}, 0x1000) = 0\n");

  EXPECT_THAT(trace.ops[0].flags, ElementsAre("create", "append"));
  EXPECT_EQ(trace.ops[1].mode, OpenMode::kReadWrite);
  EXPECT_THAT(trace.ops[1].flags, ElementsAre("create", "trunc"));
  EXPECT_EQ(trace.ops[2].kind, OpKind::kSTAT);
}

TEST(StraceLines, NamedArgumentsAreReadByPlace) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(dfd=AT_FDCWD, filename=\"/a\", flags=O_RDONLY) = 3\n"
      "1 10:00:00.000001 read(fd=3, buf=\"\"..., count=100) = 10\n");

  EXPECT_EQ(trace.ops[1].length_bytes, 100);
}

TEST(StraceLines, TimesGoOnOverMidnight) {
  const ImportedForTest trace = ImportText(
      "1 23:59:59.000000 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "1 00:00:01.000000 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n");

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 2'000'000'000));
}

TEST(StraceLines, ACallToldInTwoLinesTakesPlaceWhenItBegan) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY <unfinished ...>\n"
      "2 10:00:00.000010 stat(\"/b\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "1 10:00:00.000020 <... openat resumed>) = 3 <0.000020>\n");

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 10'000));
  EXPECT_EQ(trace.ops[0].duration_ns, 20'000);
  EXPECT_EQ(trace.account.lines(Reason::kOp), 3u);
}

TEST(StraceLines, OlderSpacingOfTheSecondHalfIsUnderstood) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY <unfinished ...>\n"
      "1 10:00:00.000020 <... openat resumed> ) = 3\n"
      "1 10:00:00.000030 read(3,  <unfinished ...>\n"
      "1 10:00:00.000040 <... read resumed> \"x\"..., 100) = 100\n");

  EXPECT_EQ(trace.ops.size(), 2u);
}

TEST(StraceLines, MarksOfStraceInsideStringsMeanNothing) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a) = 3 <0.000001>\", O_RDWR) = 3\n"
      "1 10:00:00.000010 write(3, \"<unfinished ...>\", 16) = 16\n"
      "1 10:00:00.000020 write(3, \"<... read resumed>\\\"\", 19) = 19\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/a) = 3 <0.000001>"));
  EXPECT_EQ(trace.OpsOf(OpKind::kWRITE).size(), 2u);
}

TEST(StraceLines, AHalfOfAnotherCallIsNotJoined) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 read(3,  <unfinished ...>\n"
      "1 10:00:00.000020 <... write resumed>) = 5\n");

  EXPECT_EQ(trace.ops.size(), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kUnfinished), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kNoFirstHalf), 1u);
}

TEST(StraceLines, AKilledCallIsNoOperation) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 read(3,  <unfinished ...>\n"
      "1 10:00:00.000020 <... read resumed> <unfinished ...>) = ?\n"
      "1 10:00:00.000030 +++ killed by SIGKILL +++\n");

  EXPECT_EQ(trace.account.lines(Reason::kInterrupted), 2u);
  EXPECT_THAT(trace.OpsOf(OpKind::kREAD), IsEmpty());
  EXPECT_EQ(trace.OpsOf(OpKind::kCLOSE).size(), 1u) << "the kernel closes what is left";
}

TEST(StraceLines, ARestartedCallIsOneOperation) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 read(3, 0x7ffc, 16) = ? ERESTARTSYS (To be restarted if SA_RESTART is "
      "set)\n"
      "1 10:00:00.000020 --- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---\n"
      "1 10:00:00.000030 rt_sigreturn({mask=[]}) = 0\n"
      "1 10:00:00.000040 read(3, \"s\", 16) = 16\n");

  ASSERT_EQ(trace.OpsOf(OpKind::kREAD).size(), 1u);
  EXPECT_EQ(trace.OpsOf(OpKind::kREAD)[0].t_ns, 40'000);
  EXPECT_EQ(trace.account.lines(Reason::kInterrupted), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kSignal), 1u);
}

TEST(StraceLines, MessagesOfStraceInTheMiddleOfALineAreTakenOut) {
  const ImportedForTest trace = ImportText(
      "10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "10:00:00.000010 clone(child_stack=NULL, flags=SIGCHLDstrace: Process 12 attached\n"
      ", child_tidptr=0x7f) = 12\n"
      "[pid    12] 10:00:00.000020 read(3, \"\"..., 100) = 100\n"
      "[pid    11] 10:00:00.000030 read(3, \"\"..., 100) = 100\n");

  EXPECT_EQ(trace.account.note(Note::kHealedLines), 1u);
  const std::vector<Op> reads = trace.OpsOf(OpKind::kREAD);
  ASSERT_EQ(reads.size(), 2u);
  EXPECT_EQ(reads[0].offset, 0);
  EXPECT_EQ(reads[1].offset, 100) << "parent and child share the position";
  EXPECT_THAT(trace.header.notes, HasSubstr("s0=pid 11, s1=pid 12"));
}

TEST(StraceLines, OutputOfTheProgramInTheMiddleOfALineIsTakenOut) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_WRONLY) = 3\n"
      "1 10:00:00.000010 write(3, \"x\", 1hello\n"
      ") = 1 <0.000002>\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kWRITE).size(), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kOp), 3u);
}

TEST(StraceLines, ALineThatIsCutOffIsCountedAsTorn) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 read(3, \"abc");

  EXPECT_EQ(trace.account.lines(Reason::kTorn), 1u);
  EXPECT_EQ(trace.account.total_lines(), 2u);
}

TEST(StraceLines, ACallWithoutAResultIsTorn) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000010 brk(NULL)\n"
      "1 10:00:00.000020 close(3) = 0\n");

  EXPECT_EQ(trace.account.lines(Reason::kTorn), 1u);
  EXPECT_EQ(trace.ops.size(), 2u);
}

TEST(StraceLines, DumpsStacksTablesAndMessagesAreNoCalls) {
  const ImportedForTest trace = ImportText(
      "strace: Process 7 attached\n"
      "7 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      " > /usr/lib/libc.so.6(openat+0x10) [0xf6680]\n"
      "7 10:00:00.000010 read(3, \"\\177ELF\"..., 16) = 16\n"
      " | 00000  7f 45 4c 46 02 01 01 03  00 00 00 00 00 00 00 00  .ELF............ |\n"
      " * 16 bytes in buffer 0\n"
      "\n"
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      " 15.57    0.000209          10        20         2 write\n"
      "100.00    0.000209          10        20         2 total\n");

  EXPECT_EQ(trace.ops.size(), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kNotice), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kStackTrace), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kHexDump), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kBlank), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kSummaryTable), 4u);
  EXPECT_EQ(trace.account.total_lines(), 11u);
}

TEST(StraceLines, ErrorTextInAnotherLanguageChangesNothing) {
  const ImportedForTest trace =
      ImportText("1 10:00:00.000000 stat(\"/a\", 0x7ff) = -1 ENOENT (\xE3\x81\x9D) <0.000010>\n");

  EXPECT_EQ(trace.account.failures().at({"stat", "ENOENT"}), 1u);
}

TEST(StraceLines, AnUnknownCallIsCountedByName) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 teleport(3, \"/a\") = 0\n"
      "1 10:00:00.000010 close(3) = 0\n");

  EXPECT_EQ(trace.account.lines(Reason::kUnknownCall), 1u);
  EXPECT_TRUE(trace.account.calls().contains("teleport"));
}

TEST(StraceLines, ACallWithoutATimeAmongOthersIsCounted) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "close(3) = 0\n"
      "some output of the program\n");

  EXPECT_EQ(trace.account.lines(Reason::kNoTime), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kAlien), 1u);
}

TEST(StraceLines, CarriageReturnsAreDropped) {
  const ImportedForTest trace =
      ImportText("1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.000010>\r\n");

  ASSERT_EQ(trace.ops.size(), 1u);
  EXPECT_EQ(trace.ops[0].duration_ns, 10'000);
}

TEST(StraceLines, NamesAreDecodedByteByByte) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/\\157ct\\x41\\n\\v\\\"\\\\\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 openat(AT_FDCWD, \"/bad\\377\", O_RDONLY) = 4\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/octA\n\v\"\\", "/bad\377"))
      << "a name that is not UTF-8 survives as name_raw";
}

TEST(StraceSplitCapture, FilesAreMergedByTheTimeAtWhichCallsReturn) {
  const ImportedForTest trace = ImportTexts(
      {{"run.202", "1700000000.000020 read(3, \"\"..., 10) = 10 <0.000005>\n"},
       {"run.201",
        "1700000000.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.000002>\n"
        "1700000000.000005 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 202 <0.000030>\n"
        "1700000000.000010 read(3, \"\"..., 100) = 100 <0.000090>\n"}});

  const std::vector<Op> reads = trace.OpsOf(OpKind::kREAD);
  ASSERT_EQ(reads.size(), 2u);
  EXPECT_EQ(reads[0].length_bytes, 100) << "began first";
  EXPECT_EQ(reads[0].offset, 10) << "but returned second";
  EXPECT_EQ(reads[1].offset, 0);
  EXPECT_THAT(trace.header.notes, HasSubstr("s0=pid 201, s1=pid 202"));
}

TEST(StraceSplitCapture, TimesOfDayOfSeveralFilesMeetOverMidnight) {
  const ImportedForTest trace = ImportTexts(
      {{"run.1", "23:59:59.000000 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"},
       {"run.2", "00:00:01.000000 stat(\"/b\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"}});

  EXPECT_THAT(TimesOf(trace), ElementsAre(0, 2'000'000'000));
}

// The number that stands for a thread nobody has named must be none that a line can write.
TEST(StraceThreadNumbers, AnyNumberMayFollowLinesWithoutOne) {
  for (const char* first : {"x\n", "1e9 10:00:00.0 close(3) = 0\n",
                            "10:00:00.0 stat(\"/b\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n",
                            "10:00:00.0 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n",
                            "strace: Process 0 attached\n"}) {
    for (const char* tid : {"0", "1", "7", "4194304", "00", "[pid 0]", "[pid     9]"}) {
      const std::string named =
          std::string(tid) + " 10:00:01.000000 stat(\"/a\", {st_mode=S_IFREG, st_size=1}) = 0\n";
      const ImportedForTest trace = ImportText(first + named);

      EXPECT_THAT(trace.TargetNames(), Contains("/a")) << first << tid;
      EXPECT_EQ(trace.account.total_lines(), 2u) << first << tid;
    }
  }
}

TEST(StraceThreadNumbers, AFileOfSeveralMayLackThem) {
  const ImportedForTest trace = ImportTexts(
      {{"a", "x\n1700000000.000000 stat(\"/a\", {st_mode=S_IFREG, st_size=1}) = 0\n"},
       {"b", "x\n0 1700000001.000000 stat(\"/b\", {st_mode=S_IFREG, st_size=1}) = 0\n"}});

  EXPECT_THAT(trace.TargetNames(), UnorderedElementsAre("/a", "/b"));
}

}  // namespace
}  // namespace ioflux
