// SPDX-License-Identifier: GPL-2.0-only
#include "tests/analysis/sample_run.h"

#include "analysis/json_fields.h"

namespace ioflux {
namespace {

constexpr std::int64_t kReadBytes = 256 * 1024;
constexpr std::int64_t kStreams = 4;
constexpr std::int64_t kReadsPerStream = 128;

/// Ten different values, so that the files made of it stay short.
LatencyHistogram Latencies(std::int64_t samples, std::int64_t base_ns, std::int64_t step_ns) {
  LatencyHistogram histogram;
  for (std::int64_t i = 0; i < samples; ++i) histogram.Add(base_ns + step_ns * (i % 10));
  return histogram;
}

SideFileOp Op(std::int64_t count, std::int64_t bytes, LatencyHistogram service_time) {
  SideFileOp op;
  op.count = count;
  op.bytes = bytes;
  op.requested_bytes = bytes;
  op.service_time = service_time;
  return op;
}

SideFileTrace SampleTrace() {
  SideFileTrace trace;
  trace.path = "traces/epoch0.ioflux";
  trace.file_bytes = 61'440;
  trace.mtime_ns = 1'767'225'600'000'000'000;
  trace.inode = 4711;
  trace.device = 2049;
  trace.version = 3;
  trace.kind = "imported";
  trace.profile = "training-read";
  trace.capture_method = "strace";
  trace.capture_limitations = "memory-mapped reads are not seen";
  trace.num_ops = kStreams * (kReadsPerStream + 2);
  trace.num_streams = kStreams;
  trace.total_bytes = kStreams * kReadsPerStream * kReadBytes;
  trace.duration_ns = 2'500'000'000;
  trace.num_partial_reads = 3;
  trace.transformations.push_back(TraceRewrite{.kind = "split-reads",
                                               .params = {{"block", "262144"}},
                                               .source_digest = "sha256:" + std::string(64, 'b'),
                                               .applied_utc = "2026-01-01T00:00:00Z",
                                               .note = {}});
  return trace;
}

StreamOutcome Stream(std::int64_t stream) {
  return StreamOutcome{.stream = stream,
                       .job = stream + 1,
                       .ops_in_trace = kReadsPerStream + 2,
                       .ops = kReadsPerStream + 2,
                       .bytes = kReadsPerStream * kReadBytes,
                       .errors = 0,
                       .passes = 1,
                       .first_start_ns = 1'000 * stream,
                       .last_end_ns = 400'000'000 + 10'000'000 * stream,
                       .complete = true};
}

/// Dropped but for two pages, and read whole by the run.
SideFileCache ColdCache() {
  constexpr std::int64_t kPages = kStreams * kReadsPerStream * kReadBytes / 4096;
  const ResidencyFigures all{.targets = 4,
                             .pages = kPages,
                             .resident_pages = kPages,
                             .worst_target = "data/shard_0",
                             .worst_pages = kPages / 4,
                             .worst_resident_pages = kPages / 4};
  ResidencyFigures start = all;
  start.resident_pages = start.worst_resident_pages = 2;
  SideFileCache cache;
  cache.mode = "cold";
  cache.actions = {"dropped 4 files (128.00 MiB) from the page cache"};
  cache.duration_ns = 3'000'000;
  cache.residency = {.method = "cachestat",
                     .page_bytes = 4096,
                     .not_measured = {},
                     .end_not_measured = {},
                     .found = all,
                     .at_start = start,
                     .at_end = all};
  cache.device.process_read_bytes = (kPages - 2) * 4096;
  cache.device.process_written_bytes = 0;
  cache.device.devices = {{.number = "259:2",
                           .name = "nvme0n1p2",
                           .read_bytes_before = 1'000'000'000,
                           .read_bytes_after = 1'000'000'000 + kPages * 4096,
                           .written_bytes_before = 0,
                           .written_bytes_after = 8192}};
  return cache;
}

}  // namespace

SideFile SampleSideFile() {
  SideFile file;
  file.engine_version = "0.1.0";
  file.fio_version = "fio-3.33";
  file.job_name = "stream";
  file.complete = true;
  file.settings = {{"trace", "traces/epoch0.ioflux"},
                   {"backend", "local"},
                   {"mode", "asap"},
                   {"max_inflight", "512"},
                   {"speedup", "1"},
                   {"prepare", "materialize-synthetic"},
                   {"prepare_scope", "shared"},
                   {"cache_mode", "cold"},
                   {"fill", "seeded"},
                   {"fill_seed", "1"}};
  file.trace = SampleTrace();
  file.confined = true;
  file.target_root = "/srv/replay";
  file.prepare = SideFilePrepare{.verified = 1,
                                 .kept = 0,
                                 .created = 3,
                                 .copied = 0,
                                 .left_to_trace = 0,
                                 .left_over = 0,
                                 .skipped_size_unknown = 0,
                                 .derived_size_from_ops = 1,
                                 .created_empty = 0,
                                 .bytes_written = kReadsPerStream * kReadBytes,
                                 .duration_ns = 150'400'000,
                                 .touched_same_data = true};
  file.cache = ColdCache();
  file.start_ns = 9'000'000'000;
  file.end_ns = 9'430'000'000;
  file.start_unix_ns = 1'767'225'600'000'000'000;
  file.cpu = SideFileCpu{.user_ns = 21'000'000, .sys_ns = 180'500'000};
  file.payload_ns = 0;
  file.inflight = {.limit = 512, .peak = kStreams};
  file.pacing = {.gaps = 4, .known_gaps = 2, .spin_ns = 60'000};
  file.memory = {.trace_bytes = 4096, .peak_rss_bytes = 20'000'000};
  for (std::int64_t stream = 0; stream < kStreams; ++stream) file.streams.push_back(Stream(stream));
  const std::int64_t reads = kStreams * kReadsPerStream;
  file.ops["READ"] = Op(reads, reads * kReadBytes, Latencies(reads, 80'000, 45'000));
  file.ops["OPEN"] = Op(kStreams, 0, Latencies(kStreams, 12'000, 900));
  file.ops["CLOSE"] = Op(kStreams, 0, Latencies(kStreams, 640, 15));
  return file;
}

std::string SampleSideFileText() { return ToJson(SampleSideFile()).Dump(); }

FioOutput MatchingFio(const SideFile& engine) {
  FioJob job;
  job.name = engine.job_name;
  job.job_runtime_ms = (engine.end_ns - engine.start_ns) / 1'000'000;
  for (const auto& [kind, op] : engine.ops) {
    if (kind == "FSYNC") job.sync.total_ios += op.count;
    FioDirection* direction = kind == "READ" || kind == "GET"    ? &job.read
                              : kind == "WRITE" || kind == "PUT" ? &job.write
                                                                 : nullptr;
    if (direction == nullptr) continue;
    direction->total_ios += op.count;
    direction->io_bytes += op.bytes;
  }
  FioOutput output;
  output.version = "fio-3.33";
  output.timestamp_s = 1'767'225'600;
  output.jobs.push_back(job);
  return output;
}

CollectInput SampleInput() {
  CollectInput input;
  input.side_files = {SampleSideFile()};
  input.fio = MatchingFio(input.side_files.front());
  input.fio_command = {"fio", "--output-format=json+", "epoch0.fio"};
  input.fio_job_file = "[global]\nioengine=external:libioflux.so\n[stream]\nnumjobs=4\n";
  input.trace_digest = "sha256:" + std::string(64, 'a');
  input.generated_at = "2026-01-01T00:00:01Z";
  input.tool = ToolIdentity{.version = "0.1.0", .revision = {}};
  input.host = HostIdentity{.hostname = "node1", .os = "linux", .arch = "amd64", .cpus = 8};
  input.environment.kernel = "Linux 6.1.0";
  input.environment.filesystem_type = "ext4";
  input.environment.mount_point = "/srv";
  input.environment.mount_options = "rw,relatime";
  input.environment.device = "/dev/nvme0n1p2";
  input.environment.cpu_governor = "performance";
  input.environment.memory_bytes = std::int64_t{16} << 30;
  // Before the run, within it, and after its end.
  const std::int64_t start_ns = input.side_files.front().start_ns;
  input.samples = {{.time_ns = start_ns - 10'000'000, .ops = 0, .bytes = 0},
                   {.time_ns = start_ns + 200'000'000, .ops = 240, .bytes = 62'914'560},
                   {.time_ns = start_ns + 450'000'000, .ops = 520, .bytes = 134'217'728}};
  return input;
}

CollectInput FailedInput() {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files.front();
  SideFileOp& reads = file.ops["READ"];
  reads.errors = 3;
  reads.short_reads = 1;
  reads.bytes -= 2 * kReadBytes + 4096;
  file.streams[2].errors = 3;
  file.streams[2].bytes -= 2 * kReadBytes + 4096;
  file.limitations = {"O_DIRECT was dropped for 4 opens"};
  file.errors.count = 3;
  file.errors.by_kind = {
      {.op = "READ", .errno_value = 5, .error = "Input/output error", .count = 2},
      {.op = "READ",
       .errno_value = 0,
       .error = "moved another number of bytes than the source",
       .count = 1}};
  file.errors.first = {FailedOp{.op_id = 271,
                                .stream = 2,
                                .op = "READ",
                                .target = "data/shard-02.bin",
                                .start_ns = 101'300'000,
                                .offset_bytes = 2'621'440,
                                .length_bytes = kReadBytes,
                                .moved_bytes = 0,
                                .expected_bytes = kReadBytes,
                                .errno_value = 5,
                                .error = "Input/output error"},
                       FailedOp{.op_id = 272,
                                .stream = 2,
                                .op = "READ",
                                .target = "data/shard-02.bin",
                                .start_ns = 101'420'000,
                                .offset_bytes = 2'883'584,
                                .length_bytes = kReadBytes,
                                .moved_bytes = 0,
                                .expected_bytes = kReadBytes,
                                .errno_value = 5,
                                .error = "Input/output error"},
                       FailedOp{.op_id = 389,
                                .stream = 2,
                                .op = "READ",
                                .target = "data/shard-02.bin",
                                .start_ns = 318'000'000,
                                .offset_bytes = 33'292'288,
                                .length_bytes = kReadBytes,
                                .moved_bytes = kReadBytes - 4096,
                                .expected_bytes = kReadBytes,
                                .errno_value = 0,
                                .error = "moved another number of bytes than the source"}};
  // One read took longer than the histogram reaches.
  reads.service_time = Latencies(reads.count - 1, 80'000, 45'000);
  reads.service_time.Add(20'000'000'000);
  input.fio = MatchingFio(file);
  return input;
}

CollectInput InterruptedInput() {
  CollectInput input = SampleInput();
  SideFile& file = input.side_files.front();
  constexpr std::int64_t kReadsDone = 404;
  file.complete = false;
  file.stop_reason = "terminated";
  file.ops["READ"] = Op(kReadsDone, kReadsDone * kReadBytes, Latencies(kReadsDone, 80'000, 45'000));
  for (StreamOutcome& stream : file.streams) {
    stream.ops = 103;
    stream.bytes = 101 * kReadBytes;
    stream.passes = 0;
    stream.complete = false;
  }
  input.fio = MatchingFio(file);
  input.fio->jobs.front().read.total_ios += 1;
  input.fio->jobs.front().read.io_bytes += kReadBytes;
  input.fio_exit_status = 128;
  input.interrupted = true;
  return input;
}

}  // namespace ioflux
