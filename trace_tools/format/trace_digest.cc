// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_digest.h"

#include <vector>

#include "base/byte_source.h"
#include "base/sha256.h"

namespace ioflux {

Result<std::string> DigestOfTrace(const std::string& path_or_dash, const Stopping& stopping) {
  IOFLUX_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(path_or_dash));
  Sha256 hasher;
  std::vector<char> block(1 << 20);
  for (;;) {
    if (stopping && stopping()) return StoppedWhile("reading the trace");
    IOFLUX_ASSIGN_OR_RETURN(const std::size_t bytes, source.Read(block.data(), block.size()));
    if (bytes == 0) return hasher.Finish();
    hasher.Update({block.data(), bytes});
  }
}

}  // namespace ioflux
