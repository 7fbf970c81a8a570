// SPDX-License-Identifier: GPL-2.0-only
//
// From the files of an strace capture to a trace: what `ioflux import strace` does.
//
// Nothing is written; the trace has passed the validator. The same input gives the same trace.
// Cost: the input is streamed; 64 bytes per operation, and each file name, are held in memory.
// Threading: one thread.
#pragma once

#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "trace_tools/import/import_account.h"
#include "trace_tools/import/model/source_model.h"
#include "trace_tools/import/trace_builder.h"

namespace ioflux::strace {

struct ImportedCapture {
  BuiltTrace trace;
  ImportAccount account;
};

/// One file made with -f, or the files of one capture made with -ff. kInput when they are not
/// captures, carry no times or cannot be read to their end.
Result<ImportedCapture> ImportStrace(std::vector<ByteSource> sources, ModelOptions options);

}  // namespace ioflux::strace
