// SPDX-License-Identifier: GPL-2.0-only
//
// Captures of everyday programs, against what is known of them from elsewhere: operations and bytes
// by file (NAME.expected.json), the kernel's own counters (NAME.procio), and what a replay will
// need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/json_value.h"
#include "tests/trace_tools/import/imported_capture.h"
#include "trace_tools/format/trace_validator.h"
#include "trace_tools/import/strace/line_head.h"

namespace ioflux {
namespace {

using ::testing::IsEmpty;

struct FileCounts {
  std::int64_t opens = 0, reads = 0, read_bytes = 0, eof_reads = 0;
  std::int64_t writes = 0, write_bytes = 0, fsyncs = 0, closes = 0;
};

// By the end of the path: "a/f1" for "/somewhere/a/f1". `of` is what the counts are asked for.
FileCounts CountsOf(const ImportedForTest& trace, const std::string& of) {
  FileCounts counts;
  std::map<std::int64_t, bool> asked;  // handle -> is it this file
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kSTAT) continue;
    if (op.kind == OpKind::kOPEN) {
      const std::string& name = trace.header.targets[static_cast<std::size_t>(op.target)].name;
      asked[op.handle] = name == of || name.ends_with("/" + of);
    }
    if (!asked[op.handle]) continue;
    counts.opens += op.kind == OpKind::kOPEN;
    counts.closes += op.kind == OpKind::kCLOSE;
    counts.fsyncs += op.kind == OpKind::kFSYNC;
    if (op.kind == OpKind::kREAD) {
      (op.MovedBytes() > 0 ? counts.reads : counts.eof_reads) += 1;
      counts.read_bytes += op.MovedBytes();
    }
    if (op.kind == OpKind::kWRITE) {
      ++counts.writes;
      counts.write_bytes += op.MovedBytes();
    }
  }
  return counts;
}

// Plays the trace on files of the targets' sizes: every read must find what the source found.
std::vector<std::string> ReadsThatFindSomethingElse(const ImportedForTest& trace) {
  std::vector<std::string> wrong;
  std::vector<std::int64_t> sizes;
  for (const Target& target : trace.header.targets) sizes.push_back(target.size_bytes);
  std::map<std::int64_t, std::size_t> target_of;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kOPEN) {
      target_of[op.handle] = static_cast<std::size_t>(op.target);
      for (const std::string& flag : op.flags) {
        if (flag == "trunc") sizes[target_of[op.handle]] = 0;
      }
    }
    if (op.kind != OpKind::kREAD && op.kind != OpKind::kWRITE) continue;
    std::int64_t& size = sizes[target_of[op.handle]];
    if (op.kind == OpKind::kWRITE) {
      size = std::max(size, op.offset + op.length_bytes);
    } else if (op.MovedBytes() != std::clamp<std::int64_t>(size - op.offset, 0, op.length_bytes)) {
      wrong.push_back(trace.NameOf(op) + " at " + std::to_string(op.offset));
    }
  }
  return wrong;
}

std::vector<std::string> WarningsOf(const ImportedForTest& trace) {
  std::vector<std::string> rules;
  const auto report = ValidateBytes(trace.bytes, "imported", {});
  EXPECT_TRUE(report);
  for (const Finding& finding : report.value().findings) {
    rules.push_back(std::string(finding.rule == nullptr ? "fatal" : finding.rule->id) + " " +
                    finding.text);
  }
  return rules;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Whether the second line has a time; the first may be a message.
bool HasTimes(const std::string& text) {
  const std::size_t start = text.find('\n') + 1;
  return strace::ReadHead(text.substr(start, text.find('\n', start) - start)).time.kind !=
         strace::TimeText::Kind::kNone;
}

JsonValue ExpectedOf(const std::string& capture) {
  std::string path = capture.substr(0, capture.rfind(".strace")) + ".expected.json";
  const auto expected = JsonValue::Load(path);
  EXPECT_TRUE(expected) << path;
  return expected ? expected.value() : JsonValue();
}

TEST(StraceEveryday, DdReadsAndWritesWhatItWasTold) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "dd.strace");
  const ImportedForTest trace = ImportFiles({capture});
  const JsonValue files = ExpectedOf(capture).GetObject("files").value();

  const FileCounts in = CountsOf(trace, "in.bin");
  const FileCounts out = CountsOf(trace, "out.bin");

  EXPECT_EQ(in.read_bytes, files.Find("in.bin").GetInt("read_bytes").value());
  EXPECT_EQ(in.reads, files.Find("in.bin").GetInt("reads").value());
  EXPECT_EQ(out.write_bytes, files.Find("out.bin").GetInt("write_bytes").value());
  EXPECT_EQ(out.writes, files.Find("out.bin").GetInt("writes").value());
  EXPECT_EQ(out.fsyncs, files.Find("out.bin").GetInt("fsync").value());
  EXPECT_THAT(ReadsThatFindSomethingElse(trace), IsEmpty());
  EXPECT_EQ(trace.account.note(Note::kUnknownSize), 0u);
}

TEST(StraceEveryday, TarReadsEveryFileOnceAndWritesTheArchive) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "tar_c.strace");
  const ImportedForTest trace = ImportFiles({capture});
  const JsonValue expected = ExpectedOf(capture);

  const JsonValue read = expected.GetObject("read_bytes_per_file").value();
  for (const std::string& name : read.Keys()) {
    EXPECT_EQ(CountsOf(trace, name).read_bytes, read.GetInt(name).value()) << name;
    EXPECT_EQ(CountsOf(trace, name).opens, 1) << name;
    EXPECT_EQ(CountsOf(trace, name).closes, 1) << name;
  }
  const FileCounts archive = CountsOf(trace, "t.tar");
  const JsonValue written = expected.Find("files").Find("t.tar");
  EXPECT_EQ(archive.write_bytes, written.GetInt("write_bytes").value());
  EXPECT_EQ(archive.writes, written.GetInt("writes").value());
}

TEST(StraceEveryday, TarCanBeReplayedOnMadeUpFiles) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "tar_c.strace");
  const ImportedForTest trace = ImportFiles({capture});

  EXPECT_THAT(ReadsThatFindSomethingElse(trace), IsEmpty());
  EXPECT_EQ(trace.account.note(Note::kUnknownSize), 0u);
  EXPECT_THAT(WarningsOf(trace), IsEmpty());
  for (const std::string& name : trace.TargetNames()) {
    EXPECT_FALSE(name.ends_with("/tree") || name.ends_with("/tree/a")) << "a directory: " << name;
    EXPECT_TRUE(name.starts_with("/")) << name;
  }
}

TEST(StraceEveryday, PythonsThreadsReadWithTheirOwnDescriptors) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "py_threads.strace");
  const ImportedForTest trace = ImportFiles({capture});
  const JsonValue files = ExpectedOf(capture).GetObject("files").value();

  const FileCounts in = CountsOf(trace, "in.bin");
  const FileCounts out = CountsOf(trace, "pyout.txt");

  EXPECT_EQ(in.opens, files.Find("in.bin").GetInt("opens").value());
  EXPECT_EQ(in.closes, in.opens);
  EXPECT_EQ(in.reads, files.Find("in.bin").GetInt("pread_calls").value());
  EXPECT_EQ(in.read_bytes, files.Find("in.bin").GetInt("pread_bytes").value());
  EXPECT_EQ(out.write_bytes, files.Find("pyout.txt").GetInt("write_bytes").value());
  EXPECT_EQ(out.read_bytes, files.Find("pyout.txt").GetInt("read_bytes").value());
  EXPECT_EQ(trace.header.summary.num_streams, 5) << "four threads and the first";
  std::uint64_t mapped = 0;
  for (const auto& mapping : trace.account.mappings()) {
    if (mapping.target.ends_with("/in.bin")) mapped = mapping.bytes;
  }
  EXPECT_EQ(static_cast<std::int64_t>(mapped), files.Find("in.bin").GetInt("mmap_bytes").value());
}

TEST(StraceEveryday, PythonCanBeReplayedOnMadeUpFiles) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "py_threads.strace");
  const ImportedForTest trace = ImportFiles({capture});

  EXPECT_THAT(ReadsThatFindSomethingElse(trace), IsEmpty());
  EXPECT_EQ(trace.account.note(Note::kUnknownSize), 0u);
  EXPECT_THAT(WarningsOf(trace), IsEmpty());
}

TEST(StraceEveryday, CpCopiesInsideTheKernel) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "cp_r.strace");
  const ImportedForTest trace = ImportFiles({capture});

  const JsonValue copied = ExpectedOf(capture).GetObject("copied_bytes_per_file").value();
  for (const std::string& name : copied.Keys()) {
    const std::string copy = "tree2" + name.substr(name.find('/'));
    EXPECT_EQ(CountsOf(trace, name).read_bytes, copied.GetInt(name).value()) << name;
    EXPECT_EQ(CountsOf(trace, copy).write_bytes, copied.GetInt(name).value()) << copy;
    EXPECT_EQ(trace.TargetNamed("/mnt/trace-space/run2/" + copy).size_bytes,
              copied.GetInt(name).value());
  }
  EXPECT_THAT(WarningsOf(trace), IsEmpty());
}

TEST(StraceEveryday, CpThatReadsAndWritesMovesTheSameBytes) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "cp_reflink.strace");
  const ImportedForTest trace = ImportFiles({capture});

  EXPECT_EQ(CountsOf(trace, "in.bin").read_bytes, 1'048'576);
  EXPECT_EQ(CountsOf(trace, "in2.bin").write_bytes, 1'048'576);
}

TEST(StraceEveryday, AShellPipelineWritesItsResultThroughADuplicate) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "sh_pipe.strace");
  const ImportedForTest trace = ImportFiles({capture});

  const FileCounts result = CountsOf(trace, "cnt.txt");
  EXPECT_EQ(result.writes, 2);
  EXPECT_EQ(result.write_bytes, 14);
  EXPECT_EQ(result.closes, result.opens);
  EXPECT_LE(CountsOf(trace, "in.bin").read_bytes, 1'048'576);
  EXPECT_GT(CountsOf(trace, "in.bin").read_bytes, 0);
  std::vector<std::int64_t> offsets;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kWRITE && trace.NameOf(op).ends_with("/cnt.txt")) {
      offsets.push_back(op.offset);
    }
  }
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 7})) << "the second one appends";
}

TEST(StraceEveryday, RsyncWritesAsideAndRenames) {
  IOFLUX_SAMPLE_OR_SKIP(expected_path, "rsync_ff.expected.json");
  const ImportedForTest trace = ImportFiles(SplitSamplePaths("rsync_ff"));
  const auto expected = JsonValue::Load(expected_path);
  ASSERT_TRUE(expected);

  // Under temporary names: tree4/.g1.XXXXXX.
  const JsonValue written = expected.value().GetObject("write_bytes_per_destination_file").value();
  for (const std::string& name : written.Keys()) {
    const std::string temporary = "/tree4/." + name.substr(name.find('/') + 1) + ".";
    std::int64_t bytes = 0;
    for (const Op& op : trace.OpsOf(OpKind::kWRITE)) {
      if (trace.NameOf(op).find(temporary) != std::string::npos) bytes += op.MovedBytes();
    }
    EXPECT_EQ(bytes, written.GetInt(name).value()) << name;
  }
}

TEST(StraceEveryday, FioReadsAndWritesWhatItReports) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "fio_psync.strace");
  const ImportedForTest trace = ImportFiles({capture});
  const JsonValue file = ExpectedOf(capture).Find("files").Find("fio.dat");

  const FileCounts counts = CountsOf(trace, "fio.dat");
  EXPECT_EQ(counts.reads, file.GetInt("reads").value());
  EXPECT_EQ(counts.read_bytes, file.GetInt("read_bytes").value());
  // It lays the file out first, which it does not report.
  std::int64_t laid_out = 0;
  for (const Op& op : trace.ops) {
    if (op.kind == OpKind::kWRITE && op.stream == 0 && trace.NameOf(op).ends_with("/fio.dat")) {
      laid_out += op.MovedBytes();
    }
  }
  EXPECT_EQ(counts.write_bytes - laid_out, file.GetInt("write_bytes").value());
}

TEST(StraceEveryday, AProgramOf32BitsIsReadAlike) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "i386.strace");
  const ImportedForTest trace = ImportFiles({capture});

  const FileCounts data = CountsOf(trace, "data.bin");
  EXPECT_EQ(data.opens, 1);
  EXPECT_EQ(data.reads, 2);
  EXPECT_EQ(data.read_bytes, 200);
  EXPECT_EQ(data.closes, 1);
}

// The kernel's counters of an untraced run (rchar, wchar): execve itself adds about 4 kB to rchar.
TEST(StraceEveryday, BytesAgreeWithTheKernelsOwnCount) {
  for (const char* name : {"dd", "tar_c"}) {
    IOFLUX_SAMPLE_OR_SKIP(capture, std::string(name) + ".strace");
    const ImportedForTest trace =
        ImportFiles({capture}, {.filter = PathFilter({"/"}, {})});  // /proc/filesystems too
    std::map<std::string, std::int64_t> counters;
    std::istringstream lines(ReadFile(capture.substr(0, capture.rfind(".strace")) + ".procio"));
    for (std::string key; lines >> key;) lines >> counters[key];

    std::int64_t read = 0;
    std::int64_t written = 0;
    for (const Op& op : trace.ops) {
      if (op.kind == OpKind::kREAD) read += op.MovedBytes();
      if (op.kind == OpKind::kWRITE) written += op.MovedBytes();
    }
    EXPECT_EQ(written, counters["wchar:"]) << name;
    EXPECT_NEAR(static_cast<double>(read), static_cast<double>(counters["rchar:"]), 8192) << name;
  }
}

TEST(StraceEveryday, CallsThatStraceCannotFollowAreSaid) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "fio_io_uring.strace");
  const ImportedForTest trace = ImportFiles({capture});

  EXPECT_EQ(trace.account.note(Note::kUringRequests), 64u);
  EXPECT_GT(trace.account.lines(Reason::kIoUringUnseen), 0u);
}

// A capture of open, read, write, close, lseek alone: duplicates and parents are not in it.
TEST(StraceEveryday, WhatAFilteredCaptureLacksIsSaid) {
  IOFLUX_SAMPLE_OR_SKIP(capture, "fork__trace_io.strace");
  const ImportedForTest trace = ImportFiles({capture});

  EXPECT_GT(trace.account.lines(Reason::kFdUnknown), 0u);
  EXPECT_EQ(trace.account.note(Note::kUnknownParent), 4u);
}

// Every sample, also those of which nothing is known: each line once, and a valid trace or a
// refusal.
TEST(StraceEveryday, EverySampleIsAccountedForLineByLine) {
  IOFLUX_SAMPLE_OR_SKIP(readme, "README.md");
  std::set<std::string> captures;
  const auto folder = std::filesystem::path(readme).parent_path();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().string().find(".strace") != std::string::npos) captures.insert(entry.path());
  }
  std::size_t imported = 0;
  for (const std::string& path : captures) {
    SCOPED_TRACE(path);
    const std::string text = ReadFile(path);
    const auto lines = std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
    if (text.find("[pid ") == std::string::npos && !HasTimes(text)) {
      EXPECT_NE(ImportError(text).mend.find("-ttt"), std::string::npos);
      continue;
    }
    EXPECT_EQ(ImportText(text).account.total_lines(), static_cast<std::uint64_t>(lines));
    ++imported;
  }
  EXPECT_GE(imported, 40u);
}

}  // namespace
}  // namespace ioflux
