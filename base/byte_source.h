// SPDX-License-Identifier: GPL-2.0-only
//
// ByteSource: input bytes of a plain, gzip (any number of members) or zstd (any number of frames)
// file, or of standard input (`-`). The compression is recognised by the first bytes, never by the
// name. A damaged or cut compressed stream is a kInput error that names the file; a file that
// cannot be opened or read is kIo.
//
// Cost: one 1 MiB buffer (and the decompressor's window). Reads whole blocks; never the whole file.
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace ioflux {

enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

class ByteSource {
 public:
  static Result<ByteSource> Open(const std::string& path_or_dash);

  /// A source over bytes held by the caller, which must outlive it. Recognises compression too.
  static ByteSource FromBytes(std::string_view bytes, std::string name);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  /// Up to `capacity` decompressed bytes into `buffer`; 0 at the end. Short reads are possible.
  Result<std::size_t> Read(char* buffer, std::size_t capacity);

  Compression compression() const;
  const std::string& name() const;

 private:
  struct State;
  explicit ByteSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The whole decompressed content, refused (kInput) beyond `limit_bytes`.
Result<std::string> ReadWholeFile(const std::string& path_or_dash,
                                  std::uint64_t limit_bytes = std::uint64_t{1} << 31);

}  // namespace ioflux
