// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/session.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <unordered_map>

#include "base/atomic_file.h"
#include "ioengine/backend/local_backend.h"
#include "ioengine/backend/mem_backend.h"
#include "ioengine/replay/own_files.h"
#include "ioengine/replay/run_capacity.h"
#include "ioengine/replay/run_pace.h"
#include "ioengine/replay/side_file.h"

namespace ioflux {
namespace {

constexpr std::uint32_t kShardsPerProcessor = 8;

LocalOptions LocalOptionsOf(const ReplaySettings& settings) {
  return {.allow_direct = settings.boolean(Setting::kAllowDirect),
          .direct_fallback = settings.boolean(Setting::kDirectFallback),
          .direct_align_bytes = static_cast<std::uint32_t>(settings.number(Setting::kDirectAlign))};
}

std::int64_t Nanoseconds(const timeval& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_usec * 1000;
}

/// Targets that the map sends to the same place are one file; numbered by the first of them.
std::vector<std::uint32_t> FilesOfTargets(const std::vector<BackendTarget>& targets) {
  std::unordered_map<std::string_view, std::uint32_t> first;
  std::vector<std::uint32_t> files;
  for (const BackendTarget& target : targets) {
    const auto next = static_cast<std::uint32_t>(files.size());
    files.push_back(first.try_emplace(target.path, next).first->second);
  }
  return files;
}

rusage UsageOfProcess() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

}  // namespace

ReplaySession::~ReplaySession() = default;

Result<std::unique_ptr<ReplaySession>> ReplaySession::Open(const ReplaySettings& settings,
                                                           HostServices host) {
  std::unique_ptr<ReplaySession> session(new ReplaySession(std::move(host)));
  session->settings_ = settings;
  IOFLUX_RETURN_IF_ERROR(settings.CheckCombination());
  IOFLUX_ASSIGN_OR_RETURN(session->trace_,
                          LoadTrace(settings.text(Setting::kTrace), session->host_.stopping));
  if (session->trace_.streams.empty()) session->trace_.streams.emplace_back();
  IOFLUX_RETURN_IF_ERROR(session->PlanPacing());
  IOFLUX_RETURN_IF_ERROR(CheckRunSafety(settings, session->trace_, session->host_.read_only));
  IOFLUX_RETURN_IF_ERROR(session->ResolveTargets());
  session->payload_ = std::make_unique<Payload>(PayloadOf(settings));
  IOFLUX_RETURN_IF_ERROR(session->PrepareTargets());
  IOFLUX_RETURN_IF_ERROR(session->PrepareCache());
  IOFLUX_RETURN_IF_ERROR(session->PlanOrder());
  IOFLUX_RETURN_IF_ERROR(session->ShareOut());
  session->NoteLimitations();
  if (settings.is_set(Setting::kProgressFile)) {
    const TraceSummary& summary = session->trace_.header.summary;
    IOFLUX_ASSIGN_OR_RETURN(
        session->progress_,
        ProgressFile::Create(settings.text(Setting::kProgressFile),
                             static_cast<std::uint32_t>(session->trace_.streams.size()),
                             static_cast<std::uint64_t>(summary.num_ops),
                             static_cast<std::uint64_t>(summary.total_bytes)));
  }
  return session;
}

Result<void> ReplaySession::ResolveTargets() {
  IOFLUX_ASSIGN_OR_RETURN(where_, ResolveRunTargets(settings_, trace_.header, MissingRoot::kMake));
  IOFLUX_RETURN_IF_ERROR(CheckInputsAreNoTargets(settings_, trace_, where_));
  for (const BackendTarget& target : targets())
    target_hashes_.push_back(PayloadTargetHash(target.name));
  if (!where_.on_files) {
    backend_ = std::make_unique<MemBackend>();
    return {};
  }
  IOFLUX_ASSIGN_OR_RETURN(FileRoot root, where_.root.Clone());
  backend_ = std::make_unique<LocalBackend>(std::move(root), LocalOptionsOf(settings_));
  return {};
}

Result<void> ReplaySession::PrepareTargets() {
  const std::function<bool()> stopping = host_.stopping ? host_.stopping : [] { return false; };
  if (where_.on_files) {
    IOFLUX_RETURN_IF_ERROR(RaiseDescriptorLimit(DescriptorsNeeded(trace_, settings_)));
    IOFLUX_RETURN_IF_ERROR(CheckMemory(BufferBytesNeeded(trace_, settings_)));
  }
  PreparationInput input{.mode = PrepareModeOf(settings_),
                         .trace = &trace_,
                         .where = &where_,
                         .payload = payload_.get(),
                         .stopping = stopping};
  if (input.mode == PrepareMode::kNone) return {};
  std::optional<SourceFiles> sources;
  if (input.mode == PrepareMode::kMaterializeFromSource) {
    IOFLUX_ASSIGN_OR_RETURN(sources, SourceFiles::At(settings_.text(Setting::kSourceRoot)));
    input.sources = &*sources;
  }
  const auto start = std::chrono::steady_clock::now();
  IOFLUX_ASSIGN_OR_RETURN(const PreparationPlan plan, PlanPreparation(input));
  IOFLUX_RETURN_IF_ERROR(CheckSpace(MeasureSpace(plan, trace_, where_)));
  IOFLUX_ASSIGN_OR_RETURN(prepare_report_, Prepare(input, plan, *backend_, stopping));
  prepare_report_.duration_ns =
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  return {};
}

Result<void> ReplaySession::PrepareCache() {
  const std::function<bool()> stopping = host_.stopping ? host_.stopping : [] { return false; };
  IOFLUX_ASSIGN_OR_RETURN(cache_state_, EstablishCache(CacheModeOf(settings_), where_, stopping));
  device_bytes_ = where_.on_files ? DeviceBytes(cache_state_.file_systems)
                                  : DeviceBytes::NotMeasured(cache_state_.not_measured);
  return {};
}

void ReplaySession::MeasureCacheAtEndOfRun() {
  device_bytes_.End();
  const std::size_t jobs_here = std::max<std::size_t>(began_.size(), 1);
  const std::size_t processes = (jobs_.size() + jobs_here - 1) / jobs_here;
  MeasureCacheAtEnd(where_, processes, cache_state_);
}

void ReplaySession::NoteLimitations() {
  for (const auto& [word, count] : trace_.open_flag_words) {
    const std::string limitation = backend_->OpenFlagLimitation(word);
    if (limitation.empty()) continue;
    limitations_.push_back("OPEN flag '" + word + "' of " + std::to_string(count) +
                           " op(s): " + limitation);
  }
  if (trace_.grouped_ops != 0) {
    limitations_.push_back(
        std::to_string(trace_.grouped_ops) +
        " op(s) carry a group: the ops of a stream still run one after the other");
  }
  if (prepare_report_.created_empty != 0) {
    limitations_.push_back(std::to_string(prepare_report_.created_empty) +
                           " target(s) of unknown size were created empty");
  }
  if (prepare_report_.left_over != 0) {
    limitations_.push_back(std::to_string(prepare_report_.left_over) +
                           " target(s) that the trace creates were there before: they are "
                           "overwritten, not created");
  }
  std::unordered_map<std::string_view, std::string_view> source_of;
  for (std::size_t id = 0; id < targets().size(); ++id) {
    const std::string& source = trace_.header.targets[id].name;
    const auto [entry, is_new] = source_of.try_emplace(targets()[id].path, source);
    if (!is_new && entry->second != source) ++merged_targets_;
  }
  if (merged_targets_ != 0) {
    limitations_.push_back("the target map sends " + std::to_string(merged_targets_) +
                           " target(s) to a name that another target has too");
  }
}

std::vector<Limitation> ReplaySession::limitations() const {
  std::vector<Limitation> all = backend_->Limitations();
  for (const std::string& text : limitations_) all.push_back({text});
  return all;
}

Result<void> ReplaySession::PlanPacing() {
  Pacing& pacing = shared_.pacing;
  pacing.mode = PaceModeOf(settings_);
  pacing.speedup = settings_.real(Setting::kSpeedup);
  pacing.period_ns = trace_.end_ns;
  pacing.late_after_ns = settings_.duration_ns(Setting::kMaxLag).value_or(INT64_MAX);
  pacing.abort_when_late = settings_.text(Setting::kOnMaxLag) == "abort";
  IOFLUX_RETURN_IF_ERROR(CheckPace(trace_, settings_));
  const std::uint32_t processors = std::max(1U, std::thread::hardware_concurrency());
  shared_.spin_ns =
      settings_.duration_ns(Setting::kSpin)
          .value_or(AutoSpinNs(
              pacing.Scaled(trace_.end_ns),
              static_cast<std::uint64_t>(std::max<std::int64_t>(trace_.header.summary.num_ops, 0)),
              processors));
  return {};
}

Result<void> ReplaySession::PlanOrder() {
  if (settings_.text(Setting::kOrder) != "causal") return {};
  std::vector<std::uint64_t> ops_of_streams;
  for (const StreamOps& stream : trace_.streams) ops_of_streams.push_back(stream.ops.size());
  IOFLUX_ASSIGN_OR_RETURN(causal_,
                          CausalGate::Create(DeriveCausalOrder(trace_, FilesOfTargets(targets())),
                                             std::move(ops_of_streams)));
  shared_.causal = &*causal_;
  return {};
}

Result<void> ReplaySession::ShareOut() {
  const auto streams = static_cast<std::uint32_t>(trace_.streams.size());
  const auto max_inflight = static_cast<std::uint32_t>(settings_.number(Setting::kMaxInflight));
  IOFLUX_ASSIGN_OR_RETURN(control_, RunControl::Create(max_inflight));
  shared_.targets = &targets();
  shared_.target_hashes = &target_hashes_;
  shared_.backend = backend_.get();
  shared_.payload = payload_.get();
  shared_.clock = host_.clock;
  shared_.control = &*control_;
  shared_.limited = streams > max_inflight;
  shared_.abort_on_error = settings_.text(Setting::kOnError) == "abort";
  shared_.curve_interval_ns = settings_.duration_ns(Setting::kCurveInterval).value_or(0);

  // A shard for each job, or a few per processor where that would be too much memory.
  const std::uint32_t most =
      kShardsPerProcessor * std::max(1U, std::thread::hardware_concurrency());
  std::uint32_t kinds = 0;
  for (const StreamOps& stream : trace_.streams) kinds |= stream.kinds;
  for (std::uint32_t i = 0; i < std::min(streams, most); ++i) {
    shards_.push_back(std::make_unique<StatsShard>(kinds, shared_.pacing.paced()));
  }
  return {};
}

Result<ReplayJob*> ReplaySession::AddJob(std::uint32_t index, std::uint32_t count,
                                         std::uint32_t job_number) {
  const auto streams = static_cast<std::uint32_t>(trace_.streams.size());
  IOFLUX_RETURN_IF_ERROR(CheckJobs(settings_, streams, count));
  const std::lock_guard lock(mutex_);
  StatsShard* shard = shards_[index % shards_.size()].get();
  ProgressSlot* progress = progress_.slot(index);
  if (multiplexes()) {
    std::vector<const StreamOps*> of_job;
    for (const std::uint32_t stream : StreamsOfJob(index, count, streams))
      of_job.push_back(&trace_.streams[stream]);
    const auto max_inflight = static_cast<std::uint32_t>(settings_.number(Setting::kMaxInflight));
    jobs_.push_back(
        std::make_unique<MuxReplayer>(shared_, of_job, max_inflight, job_number, shard, progress));
  } else {
    jobs_.push_back(
        std::make_unique<JobReplayer>(shared_, trace_.streams[index], job_number, shard, progress));
  }
  return jobs_.back().get();
}

void ReplaySession::EnterProcess() {
  const std::lock_guard lock(mutex_);
  if (process_id_ == getpid()) return;
  process_id_ = getpid();
  began_.clear();
  side_file_path_.clear();
  running_ = 0;
  const rusage usage = UsageOfProcess();
  device_bytes_.Begin();
  cpu_user_ns_ = Nanoseconds(usage.ru_utime);
  cpu_sys_ns_ = Nanoseconds(usage.ru_stime);
}

Result<void> ReplaySession::BeginJob(ReplayJob& job, StopQuestion stop) {
  // Before the common start: after it the first operations of other jobs may have run.
  EnterProcess();
  IOFLUX_RETURN_IF_ERROR(job.Begin(stop));
  const std::lock_guard lock(mutex_);
  began_.push_back(&job);
  ++running_;
  return {};
}

Result<void> ReplaySession::EndJob(ReplayJob& job, const std::string& stop_reason) {
  job.End();
  const std::lock_guard lock(mutex_);
  if (stop_reason_.empty()) stop_reason_ = stop_reason;
  if (control_->aborted()) {
    stop_reason_ = control_->abort_reason() == AbortReason::kLag ? "lag" : "error";
  }
  --running_;
  if (running_ > 0 || !settings_.is_set(Setting::kSideFile)) return {};
  const rusage usage = UsageOfProcess();
  MeasureCacheAtEndOfRun();
  const std::string document =
      EncodeSideFile({.session = this,
                      .jobs = began_,
                      .stop_reason = stop_reason_,
                      .cpu_user_ns = Nanoseconds(usage.ru_utime) - cpu_user_ns_,
                      .cpu_sys_ns = Nanoseconds(usage.ru_stime) - cpu_sys_ns_});
  if (side_file_path_.empty()) {
    side_file_path_ = SideFilePath(settings_.text(Setting::kSideFile), began_);
  }
  return WriteFileAtomically(side_file_path_, document);
}

}  // namespace ioflux
