// SPDX-License-Identifier: GPL-2.0-only
//
// Loads a trace the way the engine does and says what that keeps in memory. Its CPU time is
// compared with `wc -l` by load_speed.sh.
#include <cstdio>

#include "ioengine/replay/trace_loader.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: load_trace FILE\n");
    return 2;
  }
  const auto trace = ioflux::LoadTrace(argv[1]);
  if (!trace) {
    std::fprintf(stderr, "%s\n", Describe(trace.error()).c_str());
    return 1;
  }
  std::uint64_t ops = 0;
  for (const auto& stream : trace.value().streams) ops += stream.ops.size();
  const double bytes = static_cast<double>(trace.value().resident_bytes());
  std::printf("ops=%llu streams=%zu bytes_per_op=%.2f\n", static_cast<unsigned long long>(ops),
              trace.value().streams.size(), ops > 0 ? bytes / static_cast<double>(ops) : 0);
  return 0;
}
