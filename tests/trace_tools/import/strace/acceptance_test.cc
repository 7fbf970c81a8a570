// SPDX-License-Identifier: GPL-2.0-only
//
// Two invented captures with every operation they must become: one that any importer of this format
// agrees on, and one of the places where following a program is hard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace_tools/import/imported_capture.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kTwoProcesses =
    R"(41    09:00:00.000010 openat(AT_FDCWD, "/d/x.bin", O_RDWR|O_CREAT|O_DIRECT|O_SYNC, 0644) = 3 <0.000020>
41    09:00:00.000050 write(3, "\0\0"..., 8192) = 8192 <0.000065>
41    09:00:00.000100 lseek(3, 4096, SEEK_SET) = 4096 <0.000004>
41    09:00:00.000120 read(3,  <unfinished ...>
42    09:00:00.000130 openat(AT_FDCWD, "/d/y\303\251.bin", O_RDONLY|O_CLOEXEC) = 3 <0.000011>
41    09:00:00.000160 <... read resumed>""..., 65536) = 4096 <0.000038>
42    09:00:00.000170 pread64(3, ""..., 512, 1024) = 512 <0.000009>
41    09:00:00.000180 read(3, "", 65536) = 0 <0.000003>
42    09:00:00.000175 fstat(3, {st_mode=S_IFREG|0644, st_size=2048, ...}) = 0 <0.000002>
42    09:00:00.000160 stat("/d/y\303\251.bin", {st_mode=S_IFREG|0644, st_size=2048, ...}) = 0 <0.000002>
43    09:00:00.000190 futex(0x7f00, FUTEX_WAKE, 1) = 0 <0.000001>
44    09:00:00.000195 read(3, ""..., 16) = 16 <0.000001>
41    09:00:00.000200 fdatasync(3) = 0 <0.001500>
41    09:00:00.001800 close(3) = 0 <0.000005>
42    09:00:00.000300 close(3) = 0 <0.000005>
42    09:00:00.000400 openat(AT_FDCWD, "/d/log", O_WRONLY|O_APPEND) = 3 <0.000005>
42    09:00:00.000410 write(3, "ab", 2)  = 2 <0.000001>
42    09:00:00.000420 readv(3, [{iov_base=""..., iov_len=8}], 1) = -1 EBADF (Bad file descriptor) <0.000001>
42    09:00:00.000430 exit_group(0) = ?
42    09:00:00.000440 +++ exited with 0 +++
)";

TEST(StraceAcceptance, TwoProcessesBecomeTheseOperations) {
  const ImportedForTest trace = ImportText(kTwoProcesses);

  EXPECT_THAT(
      trace.op_lines,
      ElementsAre(
          R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":0,"mode":"rw","flags":["direct","create","sync"],"dur":20000})",
          R"({"t":40000,"op_id":1,"s":0,"op":"WRITE","h":0,"off":0,"len":8192,"dur":65000})",
          R"({"t":110000,"op_id":2,"s":0,"op":"READ","h":0,"off":4096,"len":65536,"ret":4096,"dur":38000})",
          R"({"t":120000,"op_id":3,"s":1,"op":"OPEN","tgt":1,"h":1,"mode":"r","dur":11000})",
          R"({"t":160000,"op_id":4,"s":1,"op":"READ","h":1,"off":1024,"len":512,"dur":9000})",
          R"({"t":165000,"op_id":5,"s":1,"op":"STAT","tgt":1,"dur":2000})",
          R"({"t":165000,"op_id":6,"s":1,"op":"STAT","tgt":1,"dur":2000})",
          R"({"t":170000,"op_id":7,"s":0,"op":"READ","h":0,"off":8192,"len":65536,"ret":0,"dur":3000})",
          R"({"t":190000,"op_id":8,"s":0,"op":"FSYNC","h":0,"dur":1500000})",
          R"({"t":290000,"op_id":9,"s":1,"op":"CLOSE","h":1,"dur":5000})",
          R"({"t":390000,"op_id":10,"s":1,"op":"OPEN","tgt":2,"h":2,"mode":"w","flags":["append"],"dur":5000})",
          R"({"t":420000,"op_id":11,"s":1,"op":"CLOSE","h":2})",
          R"({"t":1790000,"op_id":12,"s":0,"op":"CLOSE","h":0,"dur":5000})"));
}

TEST(StraceAcceptance, TwoProcessesHaveThisHeader) {
  const ImportedForTest trace = ImportText(kTwoProcesses);

  EXPECT_EQ(trace.header.version, 2);
  EXPECT_EQ(trace.header.kind, "imported");
  EXPECT_EQ(trace.header.capture_method, "import:strace");
  EXPECT_EQ(trace.header.generated_by, "ioflux-import 0.1.0 / strace");
  EXPECT_THAT(trace.TargetNames(), ElementsAre("/d/x.bin", "/d/y\303\251.bin", "/d/log"));
  EXPECT_EQ(trace.TargetNamed("/d/x.bin").size_bytes, 8192) << "proved by the end of the file";
  EXPECT_EQ(trace.TargetNamed("/d/y\303\251.bin").size_bytes, 2048) << "st_size";
  EXPECT_EQ(trace.TargetNamed("/d/log").size_bytes, 0) << "unknown";
  EXPECT_EQ(trace.header.summary.num_ops, 13);
  EXPECT_EQ(trace.header.summary.num_streams, 2);
  EXPECT_EQ(trace.header.summary.total_bytes, 12'800);
  EXPECT_EQ(trace.header.summary.duration_ns, 1'790'000);
  EXPECT_EQ(trace.header.summary.num_partial_reads, 2);
  EXPECT_THAT(trace.header.notes,
              HasSubstr("streams: s0=pid 41, s1=pid 42, s2=pid 43, s3=pid 44;"));
  for (const char* fact : {"overhead", "distort", "timeline", "mmap", "positional", "io_uring"}) {
    EXPECT_THAT(trace.header.capture_limitations, HasSubstr(fact));
  }
}

TEST(StraceAcceptance, TwoProcessesAreAccountedForLineByLine) {
  const ImportedForTest trace = ImportText(kTwoProcesses);

  EXPECT_EQ(trace.account.total_lines(), 20u);
  EXPECT_EQ(trace.account.lines(Bucket::kImported), 13u) << "one of them told in two lines";
  EXPECT_EQ(trace.account.lines(Reason::kFdUnknown), 1u) << "process 44 is nobody's child";
  EXPECT_EQ(trace.account.lines(Reason::kAppendOffsetUnknown), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kFailedCall), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kNotAFileCall), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kState), 1u) << "lseek";
  EXPECT_EQ(trace.account.lines(Reason::kProcess), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kNotice), 1u);
  EXPECT_EQ(trace.clamped, 1u) << "the stat that is told late";
}

TEST(StraceAcceptance, TheSameBytesEveryTime) {
  EXPECT_EQ(ImportText(kTwoProcesses).bytes, ImportText(kTwoProcesses).bytes);
}

constexpr std::string_view kHardToFollow =
    R"(7  09:00:00.000000 openat(AT_FDCWD, "a", O_RDONLY) = 3
7  09:00:00.000010 readv(3, [{iov_base=""..., iov_len=100}], 1) = 100
7  09:00:00.000020 read(3, ""..., 10) = 10
7  09:00:00.000030 dup2(3, 9) = 9
7  09:00:00.000040 read(9, ""..., 10) = 10
7  09:00:00.000050 read(3, ""..., 10) = 10
7  09:00:00.000060 close(3) = -1 EINTR (Interrupted system call)
7  09:00:00.000070 openat(AT_FDCWD, "b", O_RDONLY) = 3
7  09:00:00.000080 _llseek(3, 0, [500], SEEK_CUR) = 0
7  09:00:00.000090 read(3, ""..., 10) = 10
7  09:00:00.000100 sendfile(1, 3, NULL, 4096) = 4096
7  09:00:00.000110 read(3, ""..., 10) = 10
7  09:00:00.000150 write(1, "<unfinished ...>", 16) = 16
7  23:59:59.999000 read(3, ""..., 1) = 1
7  00:00:00.000000 read(3, ""..., 1) = 1
8  23:59:59.999500 stat("z", {st_mode=S_IFREG|0644, st_size=7, ...}) = 0
7  00:00:00.000200 read(3, ""..., 1) = 1
)";

TEST(StraceAcceptance, PositionsAreFollowedThroughEveryKindOfCall) {
  const ImportedForTest trace = ImportText(kHardToFollow);

  EXPECT_THAT(
      trace.op_lines,
      ElementsAre(R"({"t":0,"op_id":0,"s":0,"op":"OPEN","tgt":0,"h":0,"mode":"r"})",
                  R"({"t":10000,"op_id":1,"s":0,"op":"READ","h":0,"off":0,"len":100})",
                  R"({"t":20000,"op_id":2,"s":0,"op":"READ","h":0,"off":100,"len":10})",
                  R"({"t":40000,"op_id":3,"s":0,"op":"READ","h":0,"off":110,"len":10})",
                  R"({"t":50000,"op_id":4,"s":0,"op":"READ","h":0,"off":120,"len":10})",
                  R"({"t":70000,"op_id":5,"s":0,"op":"OPEN","tgt":1,"h":1,"mode":"r"})",
                  R"({"t":90000,"op_id":6,"s":0,"op":"READ","h":1,"off":500,"len":10})",
                  R"({"t":100000,"op_id":7,"s":0,"op":"READ","h":1,"off":510,"len":4096})",
                  R"({"t":110000,"op_id":8,"s":0,"op":"READ","h":1,"off":4606,"len":10})",
                  R"({"t":53999999000000,"op_id":9,"s":0,"op":"READ","h":1,"off":4616,"len":1})",
                  R"({"t":53999999500000,"op_id":10,"s":1,"op":"STAT","tgt":2})",
                  R"({"t":54000000000000,"op_id":11,"s":0,"op":"READ","h":1,"off":4617,"len":1})",
                  R"({"t":54000000200000,"op_id":12,"s":0,"op":"READ","h":1,"off":4618,"len":1})"));
}

TEST(StraceAcceptance, AFailedCloseFreesTheNumberAndADuplicateKeepsTheFile) {
  const ImportedForTest trace = ImportText(kHardToFollow);

  EXPECT_EQ(trace.account.note(Note::kFailedClose), 1u);
  EXPECT_EQ(trace.account.lines(Reason::kStillOpen), 1u) << "descriptor 9 holds it";
  EXPECT_EQ(trace.account.note(Note::kImplicitClose), 0u);
  EXPECT_EQ(trace.account.lines(Reason::kStandardStream), 1u);
  EXPECT_EQ(trace.account.total_lines(), 17u);
}

}  // namespace
}  // namespace ioflux
