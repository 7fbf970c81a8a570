// SPDX-License-Identifier: GPL-2.0-only
//
// Rules that the published fixtures of this kind of importer prove, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kStat = "{st_mode=S_IFREG|0644, st_size=8, ...}";

TEST(StraceRules, DurationsAreExactDecimals) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.000065>\n"
      "1 10:00:00.000100 read(3, \"abcd\", 4) = 4 <0.000123>\n"
      "1 10:00:00.000300 read(3, \"abcd\", 4) = 4 <0.000000017>\n");

  ASSERT_EQ(trace.ops.size(), 3u);
  EXPECT_EQ(trace.ops[0].duration_ns, 65'000);
  EXPECT_EQ(trace.ops[1].duration_ns, 123'000);
  EXPECT_EQ(trace.ops[2].duration_ns, 17);
}

TEST(StraceRules, FailedCallsAreCountedByCallAndError) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 access(\"/a\", R_OK) = -1 ENOENT (No such file or directory)\n"
      "1 10:00:00.000001 stat(\"/b\", 0x7f) = -1 ENOENT (No such file or directory)\n"
      "1 10:00:00.000002 openat(AT_FDCWD, \"/c\", O_RDONLY) = 3\n"
      "1 10:00:00.000003 fsync(3) = -1 EIO (Input/output error)\n"
      "1 10:00:00.000004 fstat(3, {st_mode=S_IFREG|0644, st_size=8, ...}) = 0\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kOPEN).size(), 1u);
  EXPECT_EQ(trace.OpsOf(OpKind::kSTAT).size(), 1u);
  EXPECT_EQ(trace.ops.size(), 2u);
  EXPECT_THAT(trace.TargetNames(), ElementsAre("/c"));
  EXPECT_EQ(trace.account.lines(Reason::kFailedCall), 3u);
  EXPECT_EQ(trace.account.failures().at({"fsync", "EIO"}), 1u);
  EXPECT_EQ(trace.account.target_failures().at({"/c", "EIO"}), 1u);
}

TEST(StraceRules, AFailedOpenLeavesNoTarget) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = -1 ENOENT (No such file)\n");

  EXPECT_THAT(trace.header.targets, IsEmpty());
  EXPECT_EQ(trace.account.lines(Reason::kFailedOpen), 1u);
}

TEST(StraceRules, WhatMinusYShowsNamesDescriptorsThatWereNeverOpened) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(5</data/dir>, \"rel.bin\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 fstat(7</data/other.bin>, {st_mode=S_IFREG|0644, st_size=8, ...}) = 0\n"
      "1 10:00:00.000002 read(3, \"\"..., 512) = 512\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/data/dir/rel.bin", "/data/other.bin"));
  EXPECT_EQ(trace.OpsOf(OpKind::kREAD).size(), 1u);
  EXPECT_EQ(trace.account.lines(Bucket::kDropped), 0u);
}

TEST(StraceRules, Openat2TakesItsFlagsFromTheStructure) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat2(AT_FDCWD, \"/log\", {flags=O_WRONLY|O_APPEND, resolve=0}, 24) = "
      "3\n"
      "1 10:00:00.000001 write(3, \"ab\", 2) = 2\n");

  ASSERT_EQ(trace.ops.size(), 1u);
  EXPECT_EQ(trace.ops[0].mode, OpenMode::kWrite);
  EXPECT_THAT(trace.ops[0].flags, ElementsAre("append"));
  EXPECT_EQ(trace.account.lines(Reason::kAppendOffsetUnknown), 1u);
}

TEST(StraceRules, ADirectoryIsNoTargetButLeadsToFiles) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat2(AT_FDCWD, \"/data/d\", {flags=O_RDONLY|O_DIRECTORY}, 24) = 4\n"
      "1 10:00:00.000001 openat2(4, \"f.bin\", {flags=O_RDONLY}, 24) = 5\n"
      "1 10:00:00.000002 read(5, \"\"..., 10) = 10\n");

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/data/d/f.bin"));
  EXPECT_EQ(trace.OpsOf(OpKind::kREAD).size(), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kDirectoryOpen), 1u);
}

TEST(StraceRules, TheEarliestOperationIsAtZeroWhereverItIsTold) {
  const ImportedForTest trace = ImportText(
      "2 10:00:05.000000 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "1 10:00:01.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n");

  ASSERT_EQ(trace.ops.size(), 2u);
  EXPECT_EQ(trace.NameOf(trace.ops[0]), "/a");
  EXPECT_EQ(trace.ops[0].t_ns, 0);
  EXPECT_EQ(trace.ops[1].t_ns, 4'000'000'000);
}

TEST(StraceRules, StatOfAnEmptyPathIsAboutTheDescriptor) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 newfstatat(3, \"\", " +
      std::string(kStat) + ", AT_EMPTY_PATH) = 0\n");

  EXPECT_EQ(trace.OpsOf(OpKind::kSTAT).size(), 1u);
  EXPECT_THAT(trace.TargetNames(), ElementsAre("/a"));
  EXPECT_EQ(trace.TargetNamed("/a").size_bytes, 8);
}

TEST(StraceRules, ProseIsRefused) {
  const Error error = ImportError("Dear all,\nthis is a letter (a short one).\nYours, = me\n");

  EXPECT_EQ(error.kind, ErrorKind::kInput);
  EXPECT_THAT(error.what, HasSubstr("0 of 3 lines"));
}

TEST(StraceRules, OneLineThatFitsDoesNotMakeACapture) {
  std::string text = "1 10:00:00.000000 close(3) = 0\n";
  for (int i = 0; i < 10; ++i) text += "some other log\n";

  EXPECT_THAT(ImportError(text).what, HasSubstr("1 of 11 lines"));
}

TEST(StraceRules, ACaptureWithoutTimesIsRefusedWithAdvice) {
  const Error error = ImportError("openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\nclose(3) = 0\n");

  EXPECT_EQ(error.kind, ErrorKind::kInput);
  EXPECT_THAT(error.mend, HasSubstr("-ttt"));
}

TEST(StraceRules, ATableOfCountsAloneIsRefused) {
  const Error error = ImportError(
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      " 15.57    0.000209          10        20         2 write\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "100.00    0.000209          10        20         2 total\n");

  EXPECT_THAT(error.what, HasSubstr("table of counts"));
}

TEST(StraceRules, OnlyOtherCallsMakeAnEmptyTrace) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f00\n"
      "1 10:00:00.000001 brk(NULL) = 0x5500\n");

  EXPECT_THAT(trace.ops, IsEmpty());
  EXPECT_EQ(trace.account.lines(Reason::kNotAFileCall), 2u);
}

TEST(StraceRules, NothingAtAllMakesAnEmptyTrace) {
  const ImportedForTest trace = ImportText("");

  EXPECT_THAT(trace.ops, IsEmpty());
  EXPECT_EQ(trace.header.summary.num_streams, 0);
  EXPECT_EQ(trace.header.version, 1);
}

TEST(StraceRules, AReadKeepsWhatItAskedForAndGotAlsoAtTheEnd) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 read(3, \"\"..., 262144) = 262144\n"
      "1 10:00:00.000002 read(3, \"\"..., 262144) = 111392\n"
      "1 10:00:00.000003 read(3, \"\", 262144) = 0\n");

  ASSERT_EQ(trace.ops.size(), 4u);
  EXPECT_FALSE(trace.ops[1].Has(OpField::kReturned));
  EXPECT_EQ(trace.ops[2].length_bytes, 262144);
  EXPECT_EQ(trace.ops[2].returned_bytes, 111392);
  EXPECT_EQ(trace.ops[3].length_bytes, 262144);
  EXPECT_EQ(trace.ops[3].returned_bytes, 0);
  EXPECT_EQ(trace.header.version, 2);
  EXPECT_EQ(trace.header.summary.num_partial_reads, 2);
  EXPECT_EQ(trace.header.summary.total_bytes, 373'536);
  EXPECT_EQ(trace.header.targets[0].size_bytes, 373'536);
  EXPECT_THAT(trace.header.notes, Not(HasSubstr("lossy")));
}

TEST(StraceRules, ReadsAtTheEndAreLeftOutOnRequest) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000003 read(3, \"\", 262144) = 0\n",
      {.drop_eof_reads = true});

  EXPECT_EQ(trace.ops.size(), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kEofRead), 1u);
}

TEST(StraceRules, FullReadsNeedNoNewerVersion) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 read(3, \"\"..., 4096) = 4096\n"
      "1 10:00:00.000002 pread64(3, \"\"..., 4096, 8192) = 4096\n");

  EXPECT_EQ(trace.header.version, 1);
  EXPECT_EQ(trace.ops[2].offset, 8192);
  EXPECT_THAT(trace.header.notes, Not(HasSubstr("lossy")));
}

TEST(StraceRules, AShortPositionalReadKeepsBothCounts) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000002 pread64(3, \"\"..., 65536, 131072) = 4096\n");

  EXPECT_EQ(trace.ops[1].offset, 131072);
  EXPECT_EQ(trace.ops[1].length_bytes, 65536);
  EXPECT_EQ(trace.ops[1].returned_bytes, 4096);
}

TEST(StraceRules, AShortWriteHoldsWhatLandedAndIsNoted) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_WRONLY) = 3\n"
      "1 10:00:00.000002 write(3, \"\"..., 4096) = 1000\n");

  EXPECT_EQ(trace.ops[1].length_bytes, 1000);
  EXPECT_FALSE(trace.ops[1].Has(OpField::kReturned));
  EXPECT_EQ(trace.header.version, 1);
  EXPECT_EQ(trace.account.note(Note::kShortWrite), 1u);
  EXPECT_THAT(trace.header.notes, HasSubstr("lossy: short_write=1"));
}

TEST(StraceRules, AnUnprintedRequestIsTakenAsWhatWasMovedAndNoted) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000002 readv(3, [...], 2) = 1000\n");

  EXPECT_EQ(trace.ops[1].length_bytes, 1000);
  EXPECT_EQ(trace.account.note(Note::kRequestUnobservable), 1u);
}

TEST(StraceRules, TheSameNumberInTwoProcessesIsTwoDescriptors) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "2 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
      "1 10:00:00.000002 read(3, \"\"..., 10) = 10\n"
      "2 10:00:00.000003 read(3, \"\"..., 20) = 20\n");

  EXPECT_EQ(trace.NameOf(trace.ops[2]), "/a");
  EXPECT_EQ(trace.NameOf(trace.ops[3]), "/b");
}

TEST(StraceRules, OpeningAPathAgainGivesANewHandle) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
      "1 10:00:00.000001 openat(AT_FDCWD, \"/a\", O_RDONLY) = 4\n");

  EXPECT_NE(trace.ops[0].handle, trace.ops[1].handle);
  EXPECT_EQ(trace.ops[0].target, trace.ops[1].target);
}

TEST(StraceRules, ClosingADirectoryOrAnUnknownNumberIsNoOperation) {
  const ImportedForTest trace = ImportText(
      "1 10:00:00.000000 openat(AT_FDCWD, \"/d\", O_RDONLY|O_DIRECTORY) = 3\n"
      "1 10:00:00.000001 close(3) = 0\n"
      "1 10:00:00.000002 close(8) = 0\n");

  EXPECT_THAT(trace.ops, IsEmpty());
  EXPECT_EQ(trace.account.lines(Reason::kDirectoryOpen), 2u);
  EXPECT_EQ(trace.account.lines(Reason::kNeverUsed), 1u);
}

TEST(StraceRules, TwoProcessesOfEveryKindOfLine) {
  const ImportedForTest trace =
      ImportFiles({std::string(IOFLUX_TEST_DATA) + "/strace/two_processes.strace"});

  EXPECT_THAT(trace.TargetNames(), ElementsAre("/srv/one.bin", "/srv/sub/two.bin", "/srv/journal"));
  EXPECT_EQ(trace.OpsOf(OpKind::kWRITE).size(), 0u);
  EXPECT_EQ(trace.account.lines(Reason::kAppendOffsetUnknown), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kFdUnknown), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kUnresolvedDirfd), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kFailedOpen), 1u);
  EXPECT_EQ(trace.header.summary.total_bytes, 7'680);
  const std::vector<Op> reads = trace.OpsOf(OpKind::kREAD);
  ASSERT_EQ(reads.size(), 5u);
  EXPECT_EQ(reads[1].offset, 4096);
  EXPECT_EQ(reads[1].returned_bytes, 2048);
  EXPECT_EQ(reads[2].offset, 100'000);
  EXPECT_EQ(reads[3].returned_bytes, 0) << "the read at the end is kept";
  EXPECT_EQ(trace.NameOf(reads[4]), "/srv/sub/two.bin") << "told in two lines";
}

}  // namespace
}  // namespace ioflux
