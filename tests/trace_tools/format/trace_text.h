// SPDX-License-Identifier: GPL-2.0-only
//
// Traces as test inputs: the four base files of docs/format.md and small texts, read whole.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace_tools/format/trace_reader.h"

namespace ioflux {

/// The smallest header of a valid trace without ops.
inline constexpr std::string_view kTinyHeader =
    "{\"ioflux_trace_version\":1,\"kind\":\"synthetic\",\"time_unit\":\"ns\",\"scrubbed\":false,"
    "\"targets\":[],\"summary\":{\"num_ops\":0,\"num_streams\":0,\"num_groups\":0,"
    "\"total_bytes\":0,\"duration_ns\":0}}\n";

inline std::string ReadTestData(const std::string& name) {
  const std::string path = std::string(IOFLUX_TEST_DATA) + "/format/" + name;
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) ADD_FAILURE() << "cannot open " << path;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Base file `letter`, 'A' to 'D'.
inline std::string BaseTrace(char letter) {
  return ReadTestData(std::string("base_") + static_cast<char>(letter | 0x20) + ".ioflux");
}

/// The lines of `text` without their LF.
inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t lf = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, lf - at));
    at = lf + 1;
  }
  return lines;
}

inline std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// `text` with its only `from` replaced.
inline std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    ADD_FAILURE() << "not exactly once: " << from;
    return text;
  }
  return text.replace(at, from.size(), to);
}

/// What a reader makes of a whole trace.
struct ReadTrace {
  TraceHeader header;
  TraceReader::HeaderPresence presence;
  std::vector<Op> ops;
  std::vector<std::uint64_t> lines;  ///< of each op
  std::string error;                 ///< empty when it was read to its end
  std::uint64_t error_line = 0;
};

inline ReadTrace ReadWhole(Result<TraceReader> opened) {
  ReadTrace trace;
  const auto fail = [&trace](const Error& error) {
    trace.error = error.what;
    trace.error_line = error.where.line;
  };
  if (!opened) {
    fail(opened.error());
    return trace;
  }
  TraceReader reader = std::move(opened).value();
  trace.header = reader.header();
  trace.presence = reader.header_presence();
  Op op;
  for (;;) {
    const Result<bool> next = reader.Next(op);
    if (!next) fail(next.error());
    if (!next || !next.value()) return trace;
    trace.ops.push_back(op);
    trace.lines.push_back(reader.line_number());
  }
}

inline ReadTrace ReadText(std::string_view text, TraceReader::Options options = {}) {
  return ReadWhole(TraceReader::FromBytes(text, "test.ioflux", options));
}

/// The only op of a trace with `line` behind a small header, by the JSON parser and, when that
/// takes it, by the scanner.
inline ReadTrace ReadOpLine(const std::string& line, bool use_canonical_scanner = true) {
  const std::string text = std::string(kTinyHeader) + line;
  return ReadText(text, {.use_canonical_scanner = use_canonical_scanner});
}

}  // namespace ioflux
