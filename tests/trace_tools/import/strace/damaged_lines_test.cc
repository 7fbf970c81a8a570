// SPDX-License-Identifier: GPL-2.0-only
//
// One line that cannot be used must not cost the rest of a capture: it is counted under its reason,
// its place is told, and everything else is imported as if it were not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_value.h"
#include "tests/trace_tools/import/imported_capture.h"
#include "trace_tools/format/trace_header.h"
#include "trace_tools/import/account_report.h"

namespace ioflux {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::string_view kBefore =
    "7 10:00:00.000000 openat(AT_FDCWD, \"/a\", O_RDWR) = 3\n"
    "7 10:00:00.000001 openat(AT_FDCWD, \"/b\", O_RDWR) = 4\n"
    "7 10:00:00.000002 openat(AT_FDCWD, \".\", O_RDONLY|O_DIRECTORY) = 5\n"
    "7 10:00:00.000003 read(3, \"\"..., 10) = 10\n";
constexpr std::string_view kAfter =
    "\n7 10:00:00.000100 pwrite64(4, \"\"..., 20, 100) = 20\n"
    "7 10:00:00.000101 close(3) = 0\n"
    "7 10:00:00.000102 close(4) = 0\n";
constexpr std::uint64_t kLines = 7;

ImportedForTest ImportWith(std::string_view odd) {
  return ImportText(std::string(kBefore) + std::string(odd) + std::string(kAfter));
}

// Counts, offsets, positions and results at the ends of what the text of a line can say.
constexpr const char* kExtremes[] = {
    "-1", "0",   "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "",   "1e9", "0x7fffffffffffffff",  "0xffffffffffffffff",  "18446744073709551616"};

std::vector<std::string> CallsWith(const std::string& number) {
  const std::string n = number;
  return {
      "read(3, \"\"..., " + n + ") = 5",
      "read(3, \"\"..., 5) = " + n,
      "write(3, \"\"..., 5) = " + n,
      "write(3, \"\"..., " + n + ") = " + n,
      "pread64(3, \"\"..., 5, " + n + ") = 5",
      "pwrite64(3, \"\"..., 5, " + n + ") = 5",
      "pread64(3, \"\"..., " + n + ", " + n + ") = 0",
      "pwritev2(3, [{iov_base=\"\"..., iov_len=" + n + "}], 1, " + n + ", 0) = 5",
      "readv(3, [{iov_base=\"\"..., iov_len=5}], " + n + ") = " + n,
      "copy_file_range(3, NULL, 4, NULL, " + n + ", 0) = " + n,
      "copy_file_range(3, [" + n + "], 4, [" + n + "], 5, 0) = 5",
      "sendfile(4, 3, [" + n + "], 5) = 5",
      "lseek(3, " + n + ", SEEK_END) = " + n,
      "lseek(3, " + n + ", SEEK_END) = 0",
      "lseek(" + n + ", 0, SEEK_SET) = 0",
      "ftruncate(3, " + n + ") = 0",
      "fallocate(3, 0, " + n + ", " + n + ") = 0",
      "fstat(3, {st_mode=S_IFREG|0644, st_size=" + n + ", ...}) = 0",
      "mmap(NULL, " + n + ", PROT_READ, MAP_SHARED, 3, " + n + ") = " + n,
      "dup2(3, " + n + ") = " + n,
      "fcntl(3, F_DUPFD, " + n + ") = " + n,
      "close(" + n + ") = 0",
      "close_range(100, " + n + ", 0) = 0",
      "clone(child_stack=NULL, flags=SIGCHLD) = " + n,
      "io_uring_enter(5, 1, 0, 0, NULL, 8) = " + n,
      "fsync(3) = 0 <" + n + ".0>",
  };
}

TEST(StraceDamage, NoNumberInOneLineSpoilsTheOthers) {
  for (const char* number : kExtremes) {
    for (const std::string& call : CallsWith(number)) {
      const ImportedForTest trace = ImportWith("7 10:00:00.000050 " + call);

      EXPECT_THAT(trace.op_lines,
                  Contains(HasSubstr("\"op\":\"READ\",\"h\":0,\"off\":0,\"len\":10")))
          << call;
      EXPECT_THAT(trace.op_lines, Contains(HasSubstr("\"off\":100,\"len\":20"))) << call;
      EXPECT_EQ(trace.account.total_lines(), kLines + 1) << call;
    }
  }
}

// What the descriptor of a directory is said to be, and names that no file has.
TEST(StraceDamage, NoNameOrKindInOneLineSpoilsTheOthers) {
  for (const char* call : {
           "newfstatat(5, \"\", {st_mode=S_IFREG|0644, st_size=61811, ...}, AT_EMPTY_PATH) = 0",
           "newfstatat(AT_FDCWD, \".\", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0",
           "newfstatat(AT_FDCWD, \"..\", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0",
           "stat(\"../..\", {st_mode=S_IFREG|0644, st_size=1}) = 0",
           "stat(\"/\", {st_mode=S_IFREG|0644, st_size=1}) = 0",
           "stat(\"\", {st_mode=S_IFREG|0644, st_size=1}) = 0",
           "stat(NULL, {st_mode=S_IFREG|0644, st_size=1}) = 0",
           "stat(\"/a\\0b\", {st_mode=S_IFREG|0644, st_size=1}) = 0",
           "openat(AT_FDCWD, \"\", O_RDWR) = 6",
           "openat(AT_FDCWD, \"/\", O_RDWR) = 6",
           "openat(AT_FDCWD, \"/c\\0\", O_RDWR) = 6",
           "openat(AT_FDCWD, \"c\", O_RDWR) = 6</x\\0/c>",
           "openat(AT_FDCWD, \"..\", O_RDWR|O_CREAT) = 6",
           "rename(\"/c\", \"\") = 0",
           "symlink(\"\", \"/c\") = 0",
       }) {
    const ImportedForTest trace = ImportWith("7 10:00:00.000050 " + std::string(call));

    EXPECT_THAT(trace.TargetNames(), Contains("/b")) << call;
    EXPECT_THAT(trace.TargetNames(), Not(Contains(""))) << call;
    EXPECT_THAT(trace.TargetNames(), Not(Contains("/"))) << call;
    EXPECT_THAT(trace.TargetNames(), Not(Contains(HasSubstr("..")))) << call;
    EXPECT_EQ(trace.account.total_lines(), kLines + 1) << call;
  }
}

TEST(StraceDamage, MoreBytesThanACallCanMoveAreNotBelieved) {
  const ImportedForTest most = ImportWith("7 10:00:00.000050 write(3, \"\"..., 9) = 2147479552");
  const ImportedForTest more = ImportWith("7 10:00:00.000050 write(3, \"\"..., 9) = 2147479553");

  EXPECT_EQ(most.header.summary.total_bytes, 30 + 0x7ffff000);
  EXPECT_EQ(more.header.summary.total_bytes, 30);
  EXPECT_EQ(more.account.lines(Reason::kUnparsed), 1u);
}

TEST(StraceDamage, AReadThatAsksBeyondTheLastOffsetIsCutThere) {
  const ImportedForTest trace =
      ImportWith("7 10:00:00.000050 pread64(3, \"\", 100, 9223372036854775800) = 0");

  EXPECT_THAT(trace.op_lines,
              Contains(HasSubstr("\"off\":9223372036854775800,\"len\":7,\"ret\":0")));
}

TEST(StraceDamage, AnOverlongLineIsReadPast) {
  for (const std::size_t bytes : {kMaxLineBytes + 1, 2 * kMaxLineBytes}) {
    const ImportedForTest trace = ImportWith(std::string(bytes, 'x'));

    EXPECT_EQ(trace.account.lines(Reason::kOverlong), 1u) << bytes;
    EXPECT_EQ(trace.account.total_lines(), kLines + 1) << bytes;
    EXPECT_THAT(trace.TargetNames(), SizeIs(2)) << bytes;
  }
}

TEST(StraceDamage, AnOverlongLineMayBeTheLast) {
  const ImportedForTest trace =
      ImportText(std::string(kBefore) + std::string(kMaxLineBytes + 1, 'x'));

  EXPECT_EQ(trace.account.lines(Reason::kOverlong), 1u);
  EXPECT_EQ(trace.account.places().back().line, 5u);
}

// --- where ---------------------------------------------------------------------------------------

std::vector<std::string> PlacesOf(const ImportedForTest& trace) {
  std::vector<std::string> places;
  for (const ImportAccount::Place& place : trace.account.places()) {
    places.push_back(place.file + ":" + std::to_string(place.line) + " " +
                     std::string(InfoOf(place.reason).text));
  }
  return places;
}

TEST(StraceDamage, ThePlaceOfEachDamagedLineIsTold) {
  const ImportedForTest trace =
      ImportTexts({{"run.1",
                    "1700000000.0 stat(\"/a\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
                    "noise\n"
                    "1700000000.1 read(3, \"\"..., 5\n"
                    "1700000000.2 stat(5, {st_mode=S_IFREG|0644, st_size=1}) = 0\n"},
                   {"run.2", "1700000000.3 read(3, \"\", 5) = 9223372036854775807\n"}});

  EXPECT_THAT(PlacesOf(trace),
              ElementsAre("run.1:2 alien", "run.1:3 torn_line", "run.1:4 unparsed_line"));
}

TEST(StraceDamage, ACallToldInTwoLinesIsPlacedWhereItEnds) {
  const ImportedForTest trace = ImportWith(
      "7 10:00:00.000050 write(3, \"\"..., 5 <unfinished ...>\n"
      "8 10:00:00.000051 stat(\"/c\", {st_mode=S_IFREG|0644, st_size=1}) = 0\n"
      "7 10:00:00.000052 <... write resumed>) = 9223372036854775807");

  EXPECT_THAT(PlacesOf(trace), ElementsAre("capture:7 unparsed_line"));
}

TEST(StraceDamage, OnlyTheFirstPlacesOfAReasonAreKept) {
  std::string noise;
  for (std::size_t i = 0; i < ImportAccount::kMostPlaces + 10; ++i) noise += "noise\n";

  const ImportedForTest trace = ImportWith(noise + "7 10:00:00.000050 stat(5, {}) = 0");

  EXPECT_THAT(trace.account.places(), SizeIs(ImportAccount::kMostPlaces + 1));
  EXPECT_EQ(trace.account.lines(Reason::kAlien), ImportAccount::kMostPlaces + 10);
}

TEST(StraceDamage, SoundCapturesHaveNoPlaces) {
  EXPECT_THAT(ImportWith("").account.places(), IsEmpty());
}

}  // namespace
}  // namespace ioflux
