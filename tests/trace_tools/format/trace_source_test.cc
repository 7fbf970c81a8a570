// SPDX-License-Identifier: GPL-2.0-only
//
// Where a trace may come from: plain, .gz and .zst files, in one member or many, and damaged ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/sha256.h"
#include "tests/support/temp_dir.h"
#include "tests/trace_tools/format/edited_trace.h"
#include "trace_tools/format/trace_digest.h"

namespace ioflux {
namespace {

using ::testing::HasSubstr;

std::string Gzipped(const std::string& text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string Halves(const std::string& text, std::string (*compress)(const std::string&)) {
  const std::size_t middle = text.size() / 2;
  return compress(text.substr(0, middle)) + compress(text.substr(middle));
}

TEST(CompressedTrace, IsReadWhateverItsName) {
  const std::string text = BaseTrace('A');
  const TempDir dir;
  for (const std::string& content :
       {text, Gzipped(text), Zstandard(text), Halves(text, Gzipped), Halves(text, Zstandard)}) {
    const std::string path = dir.Write("trace.bin", content);
    const ReadTrace trace = ReadWhole(TraceReader::Open(path));
    EXPECT_EQ(trace.error, "");
    EXPECT_EQ(trace.ops.size(), 9U);
  }
}

TEST(CompressedTrace, LinesAndOffsetsAreThoseOfThePlainText) {
  const std::string text = EditedTrace('A', {{6, "\"STAT\"", "\"Stat\""}});
  const ValidationReport report = Validated(Gzipped(text));
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].line, 6U);
  EXPECT_EQ(report.findings[0].byte_offset, text.find("{\"t\":2000"));
}

TEST(CompressedTrace, CutInTheMiddleIsAFatalLine) {
  std::string text = BaseTrace('A');
  for (int i = 0; i < 20'000; ++i) {
    text += "{\"t\":5000,\"op_id\":" + std::to_string(i * 7919 % 100'003 + 9) +
            ",\"s\":0,\"op\":\"STAT\",\"tgt\":0}\n";
  }
  for (const std::string& whole : {Gzipped(text), Zstandard(text)}) {
    const ValidationReport report = Validated(whole.substr(0, whole.size() / 2));
    EXPECT_TRUE(report.has_fatal_line);
    EXPECT_FALSE(report.valid());
  }
}

TEST(Digest, IsOfTheStoredBytes) {
  const TempDir dir;
  const std::string text = BaseTrace('A');
  const std::string plain = dir.Write("a", text);
  const std::string packed = dir.Write("b", Gzipped(text));

  EXPECT_EQ(DigestOfFile(plain).value(), DigestOfBytes(text));
  EXPECT_NE(DigestOfFile(packed).value(), DigestOfBytes(text));
}

TEST(Digest, StopsWhenAsked) {
  const TempDir dir;
  const std::string path = dir.Write("a", BaseTrace('A'));

  const Result<std::string> digest = DigestOfTrace(path, [] { return true; });

  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().what, "stopped while reading the trace");
  EXPECT_TRUE(DigestOfTrace(path, [] { return false; }));
}

TEST(Digest, ChangesWithEveryByteAndHasAValueForNone) {
  std::string bytes(4096, 'x');
  const std::string before = DigestOfBytes(bytes);
  bytes[2000] = 'y';

  EXPECT_NE(DigestOfBytes(bytes), before);
  EXPECT_NE(DigestOfBytes("one"), DigestOfBytes("two"));
  EXPECT_EQ(DigestOfBytes(""),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(UnreadableTrace, FolderIsAnIoError) {
  const TempDir dir;
  const Result<TraceReader> reader = TraceReader::Open(dir.path());
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace ioflux
