// SPDX-License-Identifier: GPL-2.0-only
//
// From what a replay left behind to its result: the engine's side files, fio's own JSON, and what
// only the caller knows (how fio was started, on which machine, of which trace).
//
// Everything a result says about operations comes from the engine; fio's counts are the
// cross-check. A run that was stopped early yields a result too, marked incomplete.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fio_json.h"
#include "analysis/run_result.h"
#include "analysis/side_file.h"
#include "base/result.h"

namespace ioflux {

/// Totals at one moment of the run, as the caller sampled them.
struct ProgressSample {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC, as in side files
  std::int64_t ops = 0;
  std::int64_t bytes = 0;
};

struct CollectInput {
  std::vector<SideFile> side_files;                   ///< one per process of the run, at least one
  std::vector<std::string> side_file_names;           ///< for errors; may be empty
  std::optional<FioOutput> fio;                       ///< absent when fio left none
  std::string fio_missing_reason;                     ///< why it is absent, a clause
  std::map<std::string, std::string> asked_settings;  ///< the engine must have got these
  /// Settings that name files of the run itself, which are gone with it; not recorded.
  std::vector<std::string> temporary_settings;
  std::vector<std::string> fio_command;  ///< argument by argument
  std::string fio_job_file;              ///< its text
  std::int64_t fio_exit_status = 0;      ///< 128 + N when a signal N ended it
  bool interrupted = false;              ///< someone asked the run to stop
  std::string trace_digest;              ///< "sha256:…"
  std::string generated_at;              ///< RFC 3339, UTC, whole seconds
  ToolIdentity tool;
  HostIdentity host;
  HostEnvironment environment;
  std::vector<ProgressSample> samples;  ///< in order of time, may be empty
};

/// Errors: no side file, side files of different runs, a setting that the engine got otherwise than
/// it was asked for, a mode whose latencies side files do not
/// hold.
Result<RunResult> CollectResult(const CollectInput& input);

}  // namespace ioflux
