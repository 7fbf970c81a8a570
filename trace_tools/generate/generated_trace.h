// SPDX-License-Identifier: GPL-2.0-only
//
// A generated trace: its header, known before the first op, and its ops on demand.
//
// Threading: one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/result.h"
#include "trace_tools/format/trace_header.h"
#include "trace_tools/generate/merged_ops.h"

namespace ioflux {

/// What generated traces say about their maker. The number changes when equal parameters give other
/// ops.
inline constexpr std::string_view kGeneratorName = "ioflux gen 0.1.0";

/// A header of kind synthetic, without targets and summary.
TraceHeader SyntheticHeader(std::string profile, std::string notes);

struct GeneratedTrace {
  TraceHeader header;
  MergedOps ops;
};

/// Writes all of `trace` to `sink`, checking it against every rule of the format on the way. An
/// error of kind kFailed means that the generator is wrong and `sink` must be thrown away.
Result<void> WriteGeneratedTrace(GeneratedTrace trace, ByteSink& sink);

}  // namespace ioflux
