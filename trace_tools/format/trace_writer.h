// SPDX-License-Identifier: GPL-2.0-only
//
// TraceWriter: the one canonical text of a trace, byte for byte (docs/format.md): compact JSON,
// members in fixed order, LF after every line.
//
// Threading: one thread. It buffers 256 KiB and never closes the sink; call Flush() at the end.
#pragma once

#include <string>

#include "base/byte_sink.h"
#include "base/result.h"
#include "trace_tools/format/op.h"
#include "trace_tools/format/trace_header.h"

namespace ioflux {

/// Appends one line with its LF.
void AppendHeaderLine(std::string& out, const TraceHeader& header);
void AppendOpLine(std::string& out, const Op& op);

class TraceWriter {
 public:
  /// `sink` must outlive the writer.
  explicit TraceWriter(ByteSink& sink) : sink_(sink) {}

  /// Exactly once and first. kRefused when the line would be longer than any reader accepts.
  Result<void> WriteHeader(const TraceHeader& header);
  Result<void> WriteOp(const Op& op);
  Result<void> Flush();

 private:
  Result<void> CheckLineAndFlush(std::size_t line_start, const char* mend);

  ByteSink& sink_;
  std::string buffer_;
  bool header_written_ = false;
};

}  // namespace ioflux
