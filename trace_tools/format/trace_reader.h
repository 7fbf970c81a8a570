// SPDX-License-Identifier: GPL-2.0-only
//
// TraceReader: the lines of a trace, one op at a time, in constant memory.
//
// Input is plain, .gz or .zst (recognised by content) or `-`. A line in the writer's canonical form
// is scanned directly; any other line goes through rapidjson's SAX parser. Both give the same op or
// the same verdict (tests/fuzz/trace_reader_fuzz.cc compares them). What makes a line fatal is
// said in docs/format.md.
//
// Threading: one thread. Errors: kIo when the file cannot be read, kInput with path and line when a
// line is fatal. After an error the reader must not be used again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "trace_tools/format/op.h"
#include "trace_tools/format/trace_header.h"

namespace ioflux {

class TraceReader {
 public:
  struct Options {
    bool use_canonical_scanner = true;  ///< off: every line through SAX (tests, fuzzing)
    std::size_t buffer_bytes = std::size_t{1} << 20;  ///< at first; it grows with the longest line
  };

  /// Opens and reads the header line.
  static Result<TraceReader> Open(const std::string& path_or_dash, Options options);
  static Result<TraceReader> Open(const std::string& path_or_dash) {
    return Open(path_or_dash, Options{});
  }
  /// Over bytes of the caller, which must outlive the reader.
  static Result<TraceReader> FromBytes(std::string_view bytes, const std::string& name,
                                       Options options);

  TraceReader(TraceReader&&) noexcept;
  TraceReader& operator=(TraceReader&&) noexcept;
  ~TraceReader();

  const TraceHeader& header() const;
  /// Which header members were written, and with null; for the validator (trace_validator.cc).
  struct HeaderPresence {
    bool targets = false;  ///< the member was there, if perhaps null
    bool targets_null = false;
    bool summary = false;
    bool summary_null = false;
    bool scrubbed = false;
    /// Of the five counters every summary must have, in written order; null counts as absent.
    std::array<bool, 5> summary_counters{};
  };
  const HeaderPresence& header_presence() const;

  /// The next op into `op` (whose storage is reused); false at the end of the file.
  Result<bool> Next(Op& op);

  /// Of the line just read; the header is line 1. Blank lines are skipped but counted.
  std::uint64_t line_number() const;
  /// Where that line starts in the decompressed input, in bytes.
  std::uint64_t line_offset() const;
  const std::string& path() const;

 private:
  struct State;
  static Result<TraceReader> FromSource(ByteSource source, Options options);
  explicit TraceReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ioflux
