// SPDX-License-Identifier: GPL-2.0-only
//
// Scans an op line in the form TraceWriter gives it: compact, members in written order, names and
// words without escapes. It never judges: whatever it does not expect, it leaves to the JSON parser
// (op_json.h), whose verdict it must share (tests/fuzz/trace_reader_fuzz.cc).
//
// Threading: pure function.
#pragma once

#include "trace_tools/format/op.h"

namespace ioflux {

/// Reads the line at `line`, which is followed by kScannerPaddingBytes readable bytes that hold no
/// LF (LineBuffer gives them). Returns what is behind its LF, or nullptr when the line is not in
/// canonical form or not complete; `op` then holds anything.
const char* ScanCanonicalOp(const char* line, Op& op);

/// The scanner looks at most this far past the first byte it does not expect.
inline constexpr std::size_t kScannerPaddingBytes = 16;

}  // namespace ioflux
