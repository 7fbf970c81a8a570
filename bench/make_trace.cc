// SPDX-License-Identifier: GPL-2.0-only
//
// make_trace OPS FILE [OPS_PER_HANDLE]
//
// Writes a valid trace for the benchmarks: 16 streams that each read a row of files and write every
// sixteenth, with times, offsets and durations as a data loader shows them. The same arguments give
// the same bytes. OPS_PER_HANDLE (default 10) sets how many ops there are from OPEN to CLOSE.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/byte_sink.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

constexpr std::int64_t kStreams = 16;
constexpr std::int64_t kTargets = 1000;
constexpr std::int64_t kTargetBytes = std::int64_t{64} << 20;
constexpr std::int64_t kRequestBytes = 131'072;

// xorshift64: small, fast and the same everywhere.
class Random {
 public:
  std::int64_t Below(std::int64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::int64_t>(state_ % static_cast<std::uint64_t>(limit));
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};

// The ops of the trace one by one.
class Source {
 public:
  Source(std::int64_t ops, std::int64_t ops_per_handle)
      : ops_(ops), ops_per_handle_(ops_per_handle) {}

  bool Next(Op& op) {
    if (next_op_id_ == ops_) return false;
    // The last round closes what is open.
    const std::int64_t left = ops_ - next_op_id_;
    Stream* stream = &streams_[static_cast<std::size_t>(random_.Below(kStreams))];
    if (left <= kStreams) {
      stream = nullptr;
      for (Stream& candidate : streams_) {
        if (candidate.open) stream = &candidate;
      }
    }
    op = Op{};
    t_ns_ += random_.Below(20'000);
    op.t_ns = t_ns_;
    op.SetOpId(next_op_id_++);
    if (stream == nullptr) {
      op.kind = OpKind::kSTAT;
      op.SetTarget(random_.Below(kTargets)).SetDuration(800 + random_.Below(400));
      return true;
    }
    op.stream = stream - streams_.data();
    FillStreamOp(*stream, left <= kStreams, op);
    return true;
  }

 private:
  struct Stream {
    bool open = false;
    bool writes = false;
    std::int64_t handle = 0;
    std::int64_t offset = 0;
    std::int64_t ops_left = 0;  // before the CLOSE
  };

  void FillStreamOp(Stream& stream, bool closing, Op& op) {
    if (!stream.open) {
      stream = {.open = true,
                .writes = next_handle_ % 16 == 15,
                .handle = next_handle_++,
                .offset = random_.Below(256) * kRequestBytes,
                .ops_left = ops_per_handle_ - 2};
      op.kind = OpKind::kOPEN;
      op.SetTarget(random_.Below(kTargets)).SetHandle(stream.handle);
      op.SetDuration(5'000 + random_.Below(10'000));
      op.mode = stream.writes ? OpenMode::kReadWrite : OpenMode::kRead;
      return;
    }
    op.SetHandle(stream.handle);
    if (stream.ops_left == 0 || closing) {
      op.kind = OpKind::kCLOSE;
      op.SetDuration(500 + random_.Below(500));
      stream.open = false;
      return;
    }
    --stream.ops_left;
    op.kind = stream.writes ? OpKind::kWRITE : OpKind::kREAD;
    op.SetOffset(stream.offset)
        .SetLength(kRequestBytes)
        .SetDuration(20'000 + random_.Below(90'000));
    stream.offset += kRequestBytes;
  }

  std::int64_t ops_;
  std::int64_t ops_per_handle_;
  std::int64_t next_op_id_ = 0;
  std::int64_t next_handle_ = 0;
  std::int64_t t_ns_ = 0;
  Random random_;
  std::array<Stream, kStreams> streams_{};
};

TraceHeader HeaderOf(std::int64_t ops, std::int64_t ops_per_handle) {
  TraceHeader header;
  header.generated_by = "make_trace";
  for (std::int64_t i = 0; i < kTargets; ++i) {
    header.targets.push_back({.id = i,
                              .name = "data/shard-" + std::to_string(i) + ".bin",
                              .kind = "file",
                              .size_bytes = kTargetBytes});
  }
  std::array<bool, kStreams> seen{};
  Source source(ops, ops_per_handle);
  for (Op op; source.Next(op);) {
    seen[static_cast<std::size_t>(op.stream)] = true;
    ++header.summary.num_ops;
    header.summary.total_bytes += op.MovedBytes();
    header.summary.duration_ns = op.t_ns;
  }
  for (const bool stream : seen) header.summary.num_streams += stream ? 1 : 0;
  return header;
}

Result<void> Write(std::int64_t ops, const std::string& path, std::int64_t ops_per_handle) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return SystemError("cannot create it", errno, {.path = path});
  DescriptorSink sink(descriptor, path);
  TraceWriter writer(sink);
  IOFLUX_RETURN_IF_ERROR(writer.WriteHeader(HeaderOf(ops, ops_per_handle)));
  Source source(ops, ops_per_handle);
  for (Op op; source.Next(op);) IOFLUX_RETURN_IF_ERROR(writer.WriteOp(op));
  IOFLUX_RETURN_IF_ERROR(writer.Flush());
  if (close(descriptor) != 0) return SystemError("cannot write it", errno, {.path = path});
  return {};
}

int Main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: make_trace OPS FILE [OPS_PER_HANDLE]\n");
    return 2;
  }
  const std::int64_t ops = std::atoll(argv[1]);
  const std::int64_t ops_per_handle = argc > 3 ? std::atoll(argv[3]) : 10;
  if (const Result<void> written = Write(ops, argv[2], ops_per_handle); !written) {
    std::fprintf(stderr, "make_trace: %s\n", Describe(written.error()).c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace ioflux

int main(int argc, char** argv) { return ioflux::Main(argc, argv); }
