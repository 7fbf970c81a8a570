// SPDX-License-Identifier: GPL-2.0-only
#include "base/byte_source.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>
#include <string>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

std::string Gzip(const std::string& plain) {
  z_stream deflater = {};
  EXPECT_EQ(deflateInit2(&deflater, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&deflater, plain.size()), '\0');
  deflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  deflater.avail_in = static_cast<uInt>(plain.size());
  deflater.next_out = reinterpret_cast<Bytef*>(out.data());
  deflater.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&deflater, Z_FINISH), Z_STREAM_END);
  out.resize(deflater.total_out);
  deflateEnd(&deflater);
  return out;
}

std::string Zstd(const std::string& plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
  return out;
}

// More than one input buffer of 1 MiB, also compressed.
const std::string& ManyBytes() {
  static const std::string text = [] {
    std::mt19937 random(5);
    std::string digits;
    while (digits.size() < 2'600'000) digits += std::to_string(random()) + "\n";
    return digits;
  }();
  return text;
}

Result<std::string> ReadAll(ByteSource& source, std::size_t step) {
  std::string content;
  std::string buffer(step, '\0');
  for (;;) {
    IOFLUX_ASSIGN_OR_RETURN(const std::size_t got, source.Read(buffer.data(), step));
    if (got == 0) return content;
    content.append(buffer, 0, got);
  }
}

std::string Decoded(const std::string& stored, std::size_t step = 65536) {
  ByteSource source = ByteSource::FromBytes(stored, "memory");
  const Result<std::string> content = ReadAll(source, step);
  EXPECT_TRUE(content) << Describe(content.error());
  return content ? content.value() : "";
}

std::string DamageOf(const std::string& stored) {
  ByteSource source = ByteSource::FromBytes(stored, "memory");
  const Result<std::string> content = ReadAll(source, 65536);
  EXPECT_FALSE(content);
  if (content) return "";
  EXPECT_EQ(content.error().kind, ErrorKind::kInput);
  EXPECT_EQ(content.error().where.path, "memory");
  return content.error().what;
}

TEST(ByteSource, RecognisesTheCompressionByContent) {
  EXPECT_EQ(ByteSource::FromBytes("text", "m").compression(), Compression::kNone);
  EXPECT_EQ(ByteSource::FromBytes("", "m").compression(), Compression::kNone);
  EXPECT_EQ(ByteSource::FromBytes(Gzip("x"), "m").compression(), Compression::kGzip);
  EXPECT_EQ(ByteSource::FromBytes(Zstd("x"), "m").compression(), Compression::kZstd);
}

TEST(ByteSource, GivesTheSameBytesInEveryForm) {
  const std::string& text = ManyBytes();
  for (const std::size_t step : {std::size_t{777}, std::size_t{1} << 22}) {
    EXPECT_EQ(Decoded(text, step), text);
    EXPECT_EQ(Decoded(Gzip(text), step), text);
    EXPECT_EQ(Decoded(Zstd(text), step), text);
  }
  EXPECT_EQ(Decoded("x", 1), "x");
}

TEST(ByteSource, ReadsOneByteAtATimeAcrossMembers) {
  EXPECT_EQ(Decoded(Gzip("ab") + Gzip("") + Gzip("c"), 1), "abc");
  EXPECT_EQ(Decoded(Zstd("ab") + Zstd("") + Zstd("c"), 1), "abc");
}

TEST(ByteSource, ReadsEveryMemberAndFrame) {
  const std::string& text = ManyBytes();
  EXPECT_EQ(Decoded(Gzip(text) + Gzip(text) + Gzip("end")), text + text + "end");
  EXPECT_EQ(Decoded(Zstd(text) + Zstd(text) + Zstd("end")), text + text + "end");
}

TEST(ByteSource, SkippableZstdFrameIsSkippedAlsoAtTheStart) {
  using namespace std::string_literals;
  EXPECT_EQ(Decoded("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz"s + Zstd("text")), "text");
}

TEST(ByteSource, ZeroPaddingAfterGzipIsIgnored) {
  EXPECT_EQ(Decoded(Gzip("text") + std::string(2'000'000, '\0')), "text");
}

TEST(ByteSource, CutOrDamagedDataIsAnInputError) {
  const std::string& text = ManyBytes();
  const std::string gzip = Gzip(text);
  const std::string zstd = Zstd(text);
  std::string bad_gzip = gzip;
  bad_gzip[gzip.size() / 2] = static_cast<char>(~bad_gzip[gzip.size() / 2]);
  std::string bad_zstd = zstd;
  bad_zstd[4] = '\xff';

  EXPECT_EQ(DamageOf(gzip.substr(0, gzip.size() - 3)), "the gzip data ends too early");
  EXPECT_EQ(DamageOf(gzip.substr(0, 5)), "the gzip data ends too early");
  EXPECT_EQ(DamageOf(gzip + "garbage"), "there are other bytes after the gzip data");
  EXPECT_TRUE(DamageOf(bad_gzip).starts_with("the gzip data is damaged"));
  EXPECT_EQ(DamageOf(zstd.substr(0, zstd.size() - 3)), "the zstd data ends too early");
  EXPECT_EQ(DamageOf(zstd.substr(0, 5)), "the zstd data ends too early");
  EXPECT_TRUE(DamageOf(zstd + "garbage").starts_with("the zstd data is damaged"));
  EXPECT_TRUE(DamageOf(bad_zstd).starts_with("the zstd data is damaged"));
}

TEST(ByteSource, OpensFilesWhateverTheirName) {
  const TempDir dir;
  const std::string path = dir.Write("trace.txt", Gzip("text"));

  Result<ByteSource> source = ByteSource::Open(path);

  ASSERT_TRUE(source);
  EXPECT_EQ(source.value().name(), path);
  EXPECT_EQ(ReadAll(source.value(), 100).value(), "text");
}

TEST(ByteSource, MissingFileAndFolderAreIoErrors) {
  const TempDir dir;
  for (const std::string& path : {dir / "absent", dir.path()}) {
    const Result<ByteSource> source = ByteSource::Open(path);
    ASSERT_FALSE(source) << path;
    EXPECT_EQ(source.error().kind, ErrorKind::kIo);
    EXPECT_EQ(source.error().where.path, path);
  }
}

TEST(ReadWholeFile, RefusesWhatUnpacksBeyondTheLimit) {
  const TempDir dir;
  const std::string path = dir.Write("zeros.gz", Gzip(std::string(1'000'000, '0')));

  EXPECT_EQ(ReadWholeFile(path, 1'000'000).value().size(), 1'000'000U);
  const Result<std::string> refused = ReadWholeFile(path, 999'999);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
}

}  // namespace
}  // namespace ioflux
