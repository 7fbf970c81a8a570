// SPDX-License-Identifier: GPL-2.0-only
//
// ReplaySession: one trace being replayed by the jobs of one process.
//
// Open() does everything that must be over before the clock starts, in this order: load and
// validate, safety rules, target map, confinement of every target, preparation. Then each job takes
// its streams. When the last running job has ended the session writes the side file.
//
// Threading: Open and AddJob from one thread; BeginJob/EndJob from the jobs' threads. fio may
// fork between AddJob and BeginJob: each process then sees only the jobs that began in it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/cache_state.h"
#include "ioengine/replay/causal_gate.h"
#include "ioengine/replay/device_bytes.h"
#include "ioengine/replay/job_plan.h"
#include "ioengine/replay/job_replayer.h"
#include "ioengine/replay/mux_replayer.h"
#include "ioengine/replay/preparation.h"
#include "ioengine/replay/run_control.h"
#include "ioengine/replay/run_targets.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

struct HostServices {
  HostClock clock{};
  std::function<bool()> stopping;  ///< asked while loading and preparing
  bool read_only = false;          ///< the host forbids writes
  std::string fio_version;
  std::string job_name;
};

class ReplaySession {
 public:
  static Result<std::unique_ptr<ReplaySession>> Open(const ReplaySettings& settings,
                                                     HostServices host);
  ~ReplaySession();

  const ReplaySettings& settings() const { return settings_; }
  const LoadedTrace& trace() const { return trace_; }
  const std::vector<BackendTarget>& targets() const { return where_.targets; }
  const PrepareReport& prepare_report() const { return prepare_report_; }
  /// Targets that the map sends to a name another target has too.
  std::uint64_t merged_targets() const { return merged_targets_; }
  const CacheState& cache_state() const { return cache_state_; }
  const DeviceBytes& device_bytes() const { return device_bytes_; }
  /// Not to be called while jobs run: what the backend knows grows with the run.
  std::vector<Limitation> limitations() const;
  const HostServices& host() const { return host_; }
  /// Absolute; empty = unconfined.
  const std::string& root_path() const { return where_.root_path; }

  /// Whether a job replays many streams: AddJob then makes a MuxReplayer, else a JobReplayer.
  bool multiplexes() const { return Multiplexes(settings_); }

  /// Job `index` of `count`, with the streams that the job plan gives it; kUsage when so many jobs
  /// cannot share the trace.
  Result<ReplayJob*> AddJob(std::uint32_t index, std::uint32_t count, std::uint32_t job_number);

  /// In the job's thread: makes it ready and waits for the common start.
  Result<void> BeginJob(ReplayJob& job, StopQuestion stop);
  /// Writes the side file when no job of this process is running any more. `stop_reason` is empty
  /// when the job ran to its end.
  Result<void> EndJob(ReplayJob& job, const std::string& stop_reason);

  const SharedReplay& shared() const { return shared_; }
  const RunControl& control() const { return *control_; }
  /// Nothing with order=stream.
  const std::optional<CausalGate>& causal() const { return causal_; }

 private:
  explicit ReplaySession(HostServices host) : host_(std::move(host)) {}
  Result<void> ResolveTargets();
  Result<void> PrepareTargets();
  Result<void> PrepareCache();
  void MeasureCacheAtEndOfRun();
  void EnterProcess();
  Result<void> PlanPacing();
  Result<void> ShareOut();
  Result<void> PlanOrder();
  void NoteLimitations();

  HostServices host_;
  ReplaySettings settings_;
  LoadedTrace trace_;
  RunTargets where_;
  std::vector<std::uint64_t> target_hashes_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Payload> payload_;
  PrepareReport prepare_report_;
  CacheState cache_state_;
  DeviceBytes device_bytes_;
  std::uint64_t merged_targets_ = 0;
  std::vector<std::string> limitations_;  // beside those of the backend
  ProgressFile progress_;
  std::optional<RunControl> control_;
  std::optional<CausalGate> causal_;
  SharedReplay shared_;
  std::vector<std::unique_ptr<StatsShard>> shards_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<ReplayJob>> jobs_;
  std::vector<const ReplayJob*> began_;  // in this process
  int process_id_ = 0;                   // of began_
  int running_ = 0;
  std::string stop_reason_;
  std::string side_file_path_;  // once chosen it stays, though jobs may begin after it was written
  std::int64_t cpu_user_ns_ = 0;  // of this process when its first job began
  std::int64_t cpu_sys_ns_ = 0;
};

}  // namespace ioflux
