// SPDX-License-Identifier: GPL-2.0-only
//
// FioOutput: what fio itself counted, read from its JSON or JSON+ output.
//
// Accepts what fio really writes: messages before the document, several documents in one file
// (--status-interval; the last one counts), option values with bytes that no JSON has, `jobs` as
// well as the `client_stats` of a client. An empty file, a document cut short and a run with
// unified_rw_reporting (reads and writes in one figure) are errors that say so.
//
// Units: fio's own: runtimes in milliseconds, CPU in percent of the job's runtime, latencies in
// nanoseconds. Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/latency_histogram.h"
#include "base/result.h"

namespace ioflux {

/// Completion latencies of one direction (of `sync`: total latencies).
struct FioLatency {
  std::uint64_t count = 0;
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  double mean_ns = 0;
  /// (bucket, count) of base/latency_histogram.h, ascending; empty without JSON+.
  std::vector<std::pair<int, std::uint64_t>> bins;

  /// The bins as a histogram; its min, max and sum are those of the buckets.
  LatencyHistogram Histogram() const;
};

struct FioDirection {
  std::int64_t total_ios = 0;  ///< issued, failed ones included
  std::int64_t io_bytes = 0;
  std::int64_t short_ios = 0;
  std::int64_t runtime_ms = 0;
  FioLatency latency;
};

struct FioSync {
  std::int64_t total_ios = 0;
  FioLatency latency;
};

struct FioJob {
  std::string name;
  std::string hostname;  ///< of a client's document, else empty
  std::int64_t group_id = 0;
  std::int64_t error = 0;         ///< errno, 0 = none
  std::int64_t total_errors = 0;  ///< only with continue_on_error
  std::int64_t job_runtime_ms = 0;
  double usr_cpu_percent = 0;
  double sys_cpu_percent = 0;
  FioDirection read;
  FioDirection write;
  FioDirection trim;
  FioSync sync;
};

struct FioOutput {
  std::string version;  ///< "fio-3.33"
  std::int64_t timestamp_s = 0;
  std::vector<FioJob> jobs;  ///< without the "All clients" sum of a client

  /// Sums over jobs; the runtimes are the longest. CPU and names are left alone.
  FioJob Totals() const;
};

/// `name` is the file name for errors.
Result<FioOutput> ParseFioOutput(std::string_view text, const std::string& name);
Result<FioOutput> ReadFioOutput(const std::string& path_or_dash);

}  // namespace ioflux
