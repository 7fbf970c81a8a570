// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux import` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <regex>

#include "base/json_value.h"
#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kCapture[] =
    "7 10:00:00.000000 openat(AT_FDCWD, \"a\", O_RDONLY) = 3 <0.000010>\n"
    "7 10:00:00.000100 read(3, \"\"..., 4096) = 100 <0.000010>\n"
    "7 10:00:00.000200 read(3, \"\", 4096) = 0 <0.000010>\n"
    "7 10:00:00.000250 getdents64(3, 0x55, 32768) = -1 ENOTDIR (Not a directory)\n"
    "7 10:00:00.000300 close(3) = 0 <0.000010>\n"
    "7 10:00:00.000400 +++ exited with 0 +++\n";

std::string Gzip(std::string_view text) {
  std::array<char, 4096> packed;
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = packed.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const std::string bytes(packed.data(), stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

TEST(ImportCommand, WritesATraceAndSaysWhatBecameOfTheCapture) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", kCapture);

  const CommandResult result =
      RunIoflux({"import", "strace", "-o", dir / "t.ioflux", "--cwd", "/home/me", capture});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "wrote " + dir / "t.ioflux" + "\n");
  EXPECT_THAT(result.err, StartsWith("4 ops, 1 stream, 1 target from strace\n"));
  EXPECT_THAT(result.err, HasSubstr("\n  failed_syscall           1\n"));
  EXPECT_THAT(result.err, HasSubstr("limitations: "));
  EXPECT_THAT(dir.Read("t.ioflux"), HasSubstr("\"name\":\"/home/me/a\""));
}

// "6 lines: 3 imported, 1 state only, …" in what was printed: the words of the buckets, and their
// counts.
std::map<std::string, std::uint64_t> PrintedBuckets(const std::string& printed,
                                                    std::uint64_t& lines) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(printed, found, std::regex("\n([0-9]+) lines?: ([^\n]+)\n")))
      << printed;
  std::map<std::string, std::uint64_t> buckets;
  if (found.empty()) return buckets;
  lines = std::stoull(found[1]);
  const std::string list = found[2];
  const std::regex entry("([0-9]+) ([a-z_ -]+)");
  for (std::sregex_iterator at(list.begin(), list.end(), entry), end; at != end; ++at)
    buckets[(*at)[2]] = std::stoull((*at)[1]);
  return buckets;
}

TEST(ImportCommand, ThePrintedBucketsAreAllThereAreAndSumToTheLines) {
  const TempDir dir;
  const std::string more = "7 10:00:00.000500 lseek(9, 0, SEEK_SET) = 0 <0.000010>\nnot strace\n\n";
  for (const std::string& text : {std::string(kCapture), kCapture + more, more, std::string()}) {
    const CommandResult result =
        RunIoflux({"import", "strace", "-o", dir / "t.ioflux", dir.Write("capture", text)});
    std::uint64_t lines = 0;
    const auto buckets = PrintedBuckets(result.err, lines);
    std::uint64_t sum = 0;
    for (const auto& [name, count] : buckets) sum += count;
    EXPECT_EQ(buckets.size(), 7U) << result.err;
    EXPECT_TRUE(buckets.contains("state only")) << result.err;
    EXPECT_EQ(sum, lines) << result.err;
    EXPECT_EQ(lines, static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
  }
}

TEST(ImportCommand, PrintedNounsFollowTheirNumber) {
  const TempDir dir;
  for (const std::string& text : {std::string(kCapture), std::string("not strace\n")}) {
    const std::string printed =
        RunIoflux({"import", "strace", "-o", dir / "t.ioflux", dir.Write("capture", text)}).err;
    EXPECT_FALSE(std::regex_search(printed, std::regex("\\b1 (op|stream|target|line|byte)s\\b")))
        << printed;
    EXPECT_FALSE(
        std::regex_search(printed, std::regex("\\b(0|[2-9]) (op|stream|target|line|byte)\\b")))
        << printed;
  }
}

TEST(ImportCommand, WhatItWritesIsValid) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", kCapture);
  ASSERT_EQ(RunIoflux({"import", "strace", "-o", dir / "t.ioflux", capture}).exit_code, 0);

  const CommandResult result = RunIoflux({"validate", dir / "t.ioflux"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("warnings:")));
}

TEST(ImportCommand, FlagsMayStandAnywhereAndInAnyForm) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", kCapture);

  EXPECT_EQ(RunIoflux({"import", "strace", capture, "-o", dir / "1"}).exit_code, 0);
  EXPECT_EQ(RunIoflux({"import", "strace", capture, "--o", dir / "2"}).exit_code, 0);
  EXPECT_EQ(RunIoflux({"import", "strace", "-o=" + dir / "3", capture}).exit_code, 0);
  EXPECT_EQ(RunIoflux({"import", "strace", "--output=" + dir / "4", capture}).exit_code, 0);
  EXPECT_EQ(dir.Read("1"), dir.Read("2"));
  EXPECT_EQ(dir.Read("1"), dir.Read("3"));
  EXPECT_EQ(dir.Read("1"), dir.Read("4"));
}

TEST(ImportCommand, ReadsStandardInputAndWritesStandardOutput) {
  const TempDir dir;

  const CommandResult result =
      RunIoflux({"import", "strace", "-o", "-", "-"}, {.argv = {}, .stdin_text = kCapture});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("{\"ioflux_trace_version\":2,"));
  EXPECT_THAT(result.out, Not(HasSubstr("wrote")));
}

TEST(ImportCommand, ReadsPackedCaptures) {
  const TempDir dir;
  const std::string plain = dir.Write("plain", kCapture);
  const std::string packed = dir.Write("packed", Gzip(kCapture));

  ASSERT_EQ(RunIoflux({"import", "strace", "-o", dir / "1", plain}).exit_code, 0);
  ASSERT_EQ(RunIoflux({"import", "strace", "-o", dir / "2", packed}).exit_code, 0);

  EXPECT_EQ(dir.Read("1"), dir.Read("2"));
}

TEST(ImportCommand, ADamagedCaptureLeavesTheOldTraceAlone) {
  const TempDir dir;
  std::string packed = Gzip(kCapture);
  packed.resize(packed.size() / 2);
  const std::string capture = dir.Write("capture", packed);
  dir.Write("t.ioflux", "old");

  const CommandResult result = RunIoflux({"import", "strace", "-o", dir / "t.ioflux", capture});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(dir.Read("t.ioflux"), "old");
  EXPECT_THAT(dir.Names(), ElementsAre("capture", "t.ioflux"));
}

TEST(ImportCommand, ReportsEveryLineAsJson) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", kCapture);

  const CommandResult result = RunIoflux(
      {"import", "strace", "-o", dir / "t.ioflux", "--report", dir / "report.json", capture});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto report = JsonValue::Load(dir / "report.json");
  ASSERT_TRUE(report) << Describe(report.error());
  EXPECT_EQ(report.value().GetInt("lines").value(), 6);
  const JsonValue buckets = report.value().GetObject("buckets").value();
  std::int64_t sum = 0;
  for (const std::string& name : buckets.Keys()) sum += buckets.GetInt(name).value();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(report.value().Find("failures").Find("getdents64").GetInt("ENOTDIR").value(), 1);
  EXPECT_EQ(report.value().Find("trace").GetInt("ops").value(), 4);
}

TEST(ImportCommand, WhatIsNoCaptureIsRefused) {
  const TempDir dir;
  const std::string prose = dir.Write("prose", "some\nother\ntext\n");

  const CommandResult result = RunIoflux({"import", "strace", "-o", dir / "t.ioflux", prose});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no capture of strace"));
  EXPECT_FALSE(dir.Exists("t.ioflux"));
}

TEST(ImportCommand, ACaptureWithoutTimesNamesTheFlagThatIsMissing) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", "close(3) = 0\n");

  const CommandResult result = RunIoflux({"import", "strace", "-o", dir / "t.ioflux", capture});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("-ttt"));
}

TEST(ImportCommand, WrongUsageEndsWithTwoAndWritesNothing) {
  const TempDir dir;
  const std::string capture = dir.Write("capture", kCapture);

  EXPECT_EQ(RunIoflux({"import"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "stracer", "-o", dir / "t", capture}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "strace", capture}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "t"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "t", dir / "absent"}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "no/t", capture}).exit_code, 2);
  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "t", "--cwd", "here", capture}).exit_code,
            2);
  EXPECT_THAT(dir.Names(), ElementsAre("capture"));
}

TEST(ImportCommand, FilesOfASplitCaptureAreOneTrace) {
  const TempDir dir;
  const std::string parent = dir.Write(
      "c.5",
      "1700000000.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.000001>\n"
      "1700000000.000010 clone3({flags=CLONE_FILES|CLONE_FS|CLONE_THREAD}, 88) = 6 <0.000001>\n");
  const std::string child =
      dir.Write("c.6", "1700000000.000020 read(3, \"\"..., 10) = 10 <0.000001>\n");

  const CommandResult result = RunIoflux({"import", "strace", "-o", "-", child, parent});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("streams: s0=pid 5, s1=pid 6"));
  EXPECT_THAT(result.out, HasSubstr("\"off\":0,\"len\":10"));
}

TEST(ImportCommand, AnEmptyTraceIsNotSilent) {
  const TempDir dir;
  const std::string nothing = dir.Write("nothing", "");
  const std::string other = dir.Write("other", "7 10:00:00.000000 brk(NULL) = 0x5500\n");

  const CommandResult empty = RunIoflux({"import", "strace", "-o", dir / "1", nothing});
  const CommandResult no_files = RunIoflux({"import", "strace", "-o", dir / "2", other});

  EXPECT_EQ(empty.exit_code, 0);
  EXPECT_THAT(empty.err, HasSubstr("WARNING: the capture is empty"));
  EXPECT_EQ(no_files.exit_code, 0);
  EXPECT_THAT(no_files.err, HasSubstr("WARNING: the trace is empty"));
}

TEST(ImportCommand, ACaptureGivenTwiceIsRefusedUnderAnyName) {
  const TempDir dir;
  const std::string capture = dir.Write("capture.7", kCapture);
  std::filesystem::create_symlink("capture.7", dir / "link.8");
  std::filesystem::create_hard_link(dir / "capture.7", dir / "hard.9");
  dir.Write("copy.10", kCapture);
  dir.Write("packed.11", Gzip(kCapture));
  const std::vector<std::string> before = dir.Names();

  for (const std::string& other :
       {capture, dir / "link.8", dir / "hard.9", dir / "copy.10", dir / "packed.11"}) {
    const CommandResult result = RunIoflux({"import", "strace", "-o", dir / "t", capture, other});

    EXPECT_EQ(result.exit_code, 2) << other;
    EXPECT_THAT(result.err, HasSubstr("give each file of the capture once")) << other;
    EXPECT_EQ(dir.Names(), before) << other;
  }
  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "t", "-", "-"},
                      {.argv = {}, .stdin_text = kCapture})
                .exit_code,
            2);
}

TEST(ImportCommand, SeveralEmptyFilesAreNotTheSame) {
  const TempDir dir;
  const std::string a = dir.Write("c.1", "");
  const std::string b = dir.Write("c.2", "");
  const std::string c = dir.Write("c.3", "1700000000.0 stat(\"/a\", {st_size=1}) = 0\n");

  EXPECT_EQ(RunIoflux({"import", "strace", "-o", dir / "t", a, b, c}).exit_code, 0);
}

TEST(ImportStrace, TraceAndReportCannotBothBeStandardOutput) {
  const TempDir dir;
  const std::string capture = dir.Write("c.strace", "1 1.000000 close(3) = 0 <0.000001>\n");
  const CommandResult run = RunIoflux({"import", "strace", "-o", "-", "--report", "-", capture});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("both want standard output"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace ioflux
