// SPDX-License-Identifier: GPL-2.0-only
//
// Writes a trace of N streams, each reading its own file NAME0, NAME1, … once from start to end in
// equal blocks, GAP_NS apart (1 if not given).
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

Result<void> WriteTrace(std::int64_t streams, std::int64_t reads, std::int64_t block_bytes,
                        const std::string& name, std::int64_t gap_ns) {
  TraceHeader header;
  header.capture_method = "synthetic";
  for (std::int64_t s = 0; s < streams; ++s) {
    header.targets.push_back(
        {.id = s, .name = name + std::to_string(s), .size_bytes = reads * block_bytes});
  }
  header.summary = {.num_ops = streams * (reads + 2),
                    .num_streams = streams,
                    .total_bytes = streams * reads * block_bytes,
                    .duration_ns = (reads + 1) * gap_ns};
  DescriptorSink sink(STDOUT_FILENO, "standard output");
  TraceWriter writer(sink);
  IOFLUX_RETURN_IF_ERROR(writer.WriteHeader(header));
  std::int64_t op_id = 0;
  const auto write = [&](Op op, OpKind kind, std::int64_t t_ns, std::int64_t stream) {
    op.kind = kind;
    op.t_ns = t_ns;
    op.stream = stream;
    return writer.WriteOp(op.SetOpId(op_id++).SetHandle(stream));
  };
  for (std::int64_t s = 0; s < streams; ++s) {
    Op open;
    open.mode = OpenMode::kRead;
    open.SetTarget(s);
    IOFLUX_RETURN_IF_ERROR(write(open, OpKind::kOPEN, 0, s));
  }
  for (std::int64_t i = 0; i < reads; ++i) {
    for (std::int64_t s = 0; s < streams; ++s) {
      Op read;
      read.SetOffset(i * block_bytes).SetLength(block_bytes);
      IOFLUX_RETURN_IF_ERROR(write(read, OpKind::kREAD, (i + 1) * gap_ns, s));
    }
  }
  for (std::int64_t s = 0; s < streams; ++s)
    IOFLUX_RETURN_IF_ERROR(write({}, OpKind::kCLOSE, (reads + 1) * gap_ns, s));
  return writer.Flush();
}

}  // namespace
}  // namespace ioflux

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: make_sequential_trace STREAMS READS BLOCK_BYTES NAME [GAP_NS]\n");
    return 2;
  }
  const auto written =
      ioflux::WriteTrace(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]), argv[4],
                         argc == 6 ? std::atoll(argv[5]) : 1);
  if (written) return 0;
  std::fprintf(stderr, "%s\n", Describe(written.error()).c_str());
  return 1;
}
