// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_header.h"

namespace ioflux {

std::int64_t NeededVersion(const TraceHeader& header) {
  if (!header.transformations.empty()) return 3;
  return header.summary.num_partial_reads > 0 ? 2 : 1;
}

}  // namespace ioflux
