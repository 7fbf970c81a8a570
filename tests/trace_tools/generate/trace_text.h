// SPDX-License-Identifier: GPL-2.0-only
//
// What the generator tests ask of a generated trace.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "trace_tools/format/trace_writer.h"
#include "trace_tools/generate/generated_trace.h"

namespace ioflux {

struct TraceText {
  TraceHeader header;
  std::vector<Op> ops;
  std::string op_lines;

  std::string Digest() const { return DigestOfBytes(op_lines); }
};

inline TraceText TextOf(Result<GeneratedTrace> trace) {
  TraceText text;
  EXPECT_TRUE(trace) << Describe(trace.error());
  if (!trace) return text;
  text.header = trace.value().header;
  for (Op op; trace.value().ops.Next(op);) {
    AppendOpLine(text.op_lines, op);
    text.ops.push_back(op);
  }
  return text;
}

/// The whole file, checked on the way.
inline std::string FileOf(Result<GeneratedTrace> trace) {
  EXPECT_TRUE(trace) << Describe(trace.error());
  if (!trace) return "";
  StringSink sink;
  const Result<void> written = WriteGeneratedTrace(std::move(trace).value(), sink);
  EXPECT_TRUE(written) << Describe(written.error());
  return sink.text();
}

}  // namespace ioflux
