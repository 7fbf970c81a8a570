// SPDX-License-Identifier: GPL-2.0-only
//
// JobWriter: replay settings turned into a job file for a plain `fio FILE`, commented so that a
// person can edit it.
//
// Paths are made absolute, so the file works from any folder. Only settings that differ from their
// default are active lines; the others stand there as comments with their default.
#pragma once

#include <cstdint>
#include <string>
#include <thread>

#include "base/result.h"
#include "ioengine/replay/settings.h"
#include "trace_tools/format/trace_header.h"

namespace ioflux {

/// fio holds no more jobs than this: it keeps them in segments of 8 and never uses the last of the
/// 512 that REAL_MAX_JOBS = 4096 makes (tried with fio 3.33: 4088 jobs run, 4089 do not).
inline constexpr std::int64_t kMaxFioJobs = 4088;

struct JobFileRequest {
  const ReplaySettings* settings = nullptr;
  const TraceHeader* header = nullptr;
  std::string engine_library;  ///< path of libioflux.so
  std::string tool;            ///< "ioflux 0.1.0"
  /// That jobs of many streams are spread over.
  std::uint32_t processors = std::thread::hardware_concurrency();
};

/// `settings` as a job file holds them and the engine gets them: every path absolute.
ReplaySettings WithAbsolutePaths(const ReplaySettings& settings);

/// kUnsupported when the trace has more streams than fio can run jobs; kUsage when fio would read
/// a path, the engine library's too, otherwise than it is (job_value.h).
Result<std::string> WriteJobFile(const JobFileRequest& request);

}  // namespace ioflux
