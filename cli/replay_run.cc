// SPDX-License-Identifier: GPL-2.0-only
#include "cli/replay_run.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/collect_result.h"
#include "base/atomic_file.h"
#include "base/file_identity.h"
#include "cli/command.h"
#include "cli/engine_library.h"
#include "cli/host_facts.h"
#include "cli/progress_line.h"
#include "cli/run_failure.h"
#include "cli/scratch_folder.h"
#include "cli/stop_request.h"
#include "ioengine/backend/uring_queue.h"
#include "ioengine/replay/job_plan.h"
#include "ioengine/replay/progress_file.h"
#include "job_templates/fio_launcher.h"
#include "job_templates/job_writer.h"
#include "trace_tools/format/trace_digest.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

constexpr std::int64_t kSampleNs = 1'000'000'000;

/// What fio and the engine write while a run lasts (JSON, side files, progress), generously.
std::int64_t ScratchBytes(const TraceHeader& header) {
  constexpr std::int64_t kOfRun = 4 << 20;
  constexpr std::int64_t kOfStream = 1 << 10;
  constexpr std::int64_t kMostCounted = 1 << 20;  // a header may say anything
  return kOfRun + kOfStream * std::clamp<std::int64_t>(header.summary.num_streams, 1, kMostCounted);
}

std::string NowUtc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Watches the progress file: the line on the terminal, and a sample a second for the time series.
class ProgressWatch {
 public:
  explicit ProgressWatch(std::string path) : path_(std::move(path)) {}

  void Tick() {
    const ProgressTotals totals = ReadProgress(path_);
    const auto now = std::chrono::steady_clock::now();  // CLOCK_MONOTONIC
    if (totals.ops == 0) {
      line_.Show(totals, 0);
      return;
    }
    if (!started_) {
      started_ = true;
      start_ = now;
    }
    const std::int64_t elapsed_ns = std::chrono::nanoseconds(now - start_).count();
    line_.Show(totals, elapsed_ns);
    if (elapsed_ns < static_cast<std::int64_t>(samples_.size() + 1) * kSampleNs) return;
    samples_.push_back({.time_ns = std::chrono::nanoseconds(now.time_since_epoch()).count(),
                        .ops = static_cast<std::int64_t>(totals.ops),
                        .bytes = static_cast<std::int64_t>(totals.bytes)});
  }

  const std::vector<ProgressSample>& samples() const { return samples_; }

 private:
  std::string path_;
  ProgressLine line_;
  bool started_ = false;
  std::chrono::steady_clock::time_point start_;
  std::vector<ProgressSample> samples_;
};

Result<std::vector<SideFile>> ReadSideFiles(const std::string& folder,
                                            std::vector<std::string>* names) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("side.") && name.ends_with(".json"))
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SideFile> files;
  for (const std::string& path : paths) {
    IOFLUX_ASSIGN_OR_RETURN(SideFile file, ReadSideFile(path));
    files.push_back(std::move(file));
    names->push_back(std::filesystem::path(path).filename().string());
  }
  return files;
}

/// What the run reads: it is read more than once, and every time has to be the same.
class RunInputs {
 public:
  static Result<RunInputs> Of(const ReplaySettings& settings) {
    RunInputs inputs;
    inputs.trace_path_ = settings.text(Setting::kTrace);
    IOFLUX_ASSIGN_OR_RETURN(inputs.trace_, IdentifyFile(inputs.trace_path_, "the trace"));
    if (!settings.is_set(Setting::kTargetMap)) return inputs;
    inputs.map_path_ = settings.text(Setting::kTargetMap);
    // One that is missing or a pipe is refused by who reads it, with the right words.
    if (const Result<FileIdentity> map = IdentifyFile(inputs.map_path_, "the target map")) {
      inputs.map_ = map.value();
    }
    return inputs;
  }

  /// `engine`: the trace as the engine loaded it.
  Result<void> CheckUnchanged(const SideFileTrace& engine) const {
    const FileIdentity loaded{.file_bytes = static_cast<std::uint64_t>(engine.file_bytes),
                              .mtime_ns = engine.mtime_ns,
                              .inode = static_cast<std::uint64_t>(engine.inode),
                              .device = static_cast<std::uint64_t>(engine.device)};
    if (loaded != trace_ || !IsStill(trace_, trace_path_)) return Changed("trace", trace_path_);
    if (map_ && !IsStill(*map_, map_path_)) return Changed("target map", map_path_);
    return {};
  }

 private:
  static bool IsStill(const FileIdentity& before, const std::string& path) {
    const Result<FileIdentity> now = IdentifyFile(path, "the file");
    return now && now.value() == before;
  }

  static Error Changed(const std::string& what, const std::string& path) {
    return Error{
        .kind = ErrorKind::kFailed,
        .what = "the " + what + " was changed during the run, so what was replayed cannot be named",
        .where = {.path = path, .line = 0, .item = {}},
        .mend = "run again"};
  }

  std::string trace_path_;
  std::string map_path_;
  FileIdentity trace_;
  std::optional<FileIdentity> map_;
};

/// A clause of what is wrong with fio's JSON, without the name of a file that is gone with the run.
std::string WhyUnreadable(const Error& error) {
  if (error.kind == ErrorKind::kIo) return "fio's output cannot be read: " + error.what;
  return error.where.item.empty() ? error.what : error.where.item + ": " + error.what;
}

std::string ReplayedPath(const ReplaySettings& settings) {
  if (settings.text(Setting::kBackend) != "local") return "";
  return settings.is_set(Setting::kTargetRoot) ? settings.text(Setting::kTargetRoot) : ".";
}

/// What is known of the run before fio starts.
Result<CollectInput> DescribeRun(const ReplaySettings& settings, const TraceHeader& header,
                                 const std::string& library, const StopRequest& stop) {
  CollectInput input;
  for (const SettingInfo& info : AllSettings()) {
    input.asked_settings.emplace(info.option, settings.text(info.id));
  }
  IOFLUX_ASSIGN_OR_RETURN(input.fio_job_file,
                          WriteJobFile({.settings = &settings,
                                        .header = &header,
                                        .engine_library = library,
                                        .tool = "ioflux " + std::string(kToolVersion)}));
  Result<std::string> digest =
      DigestOfTrace(settings.text(Setting::kTrace), [&] { return stop.count() > 0; });
  if (!digest && stop.count() > 0) return InterruptedEarly("while reading the trace");
  IOFLUX_ASSIGN_OR_RETURN(input.trace_digest, std::move(digest));
  for (const Setting temporary : {Setting::kSideFile, Setting::kProgressFile}) {
    input.temporary_settings.emplace_back(InfoOf(temporary).option);
  }
  input.generated_at = NowUtc();
  input.tool = {.version = std::string(kToolVersion), .revision = IOFLUX_REVISION};
  input.host = IdentifyHost();
  input.environment = DescribeEnvironment(ReplayedPath(settings));
  return input;
}

/// Where io_uring is refused a job would replay its streams one operation at a time; with a job for
/// each they run side by side all the same.
Result<void> GiveEachStreamAJobWithoutUring(ReplaySettings& settings) {
  if (!Multiplexes(settings) || settings.text(Setting::kBackend) != "local") return {};
  const Result<void> usable = CheckUring();
  if (usable) return {};
  const bool is_auto = settings.number(Setting::kStreamsPerJob) == 0;
  PrintErr("ioflux: warning: " + usable.error().what +
           (is_auto ? "; every stream gets a job of its own, with blocking calls\n"
                    : "; the streams of a job run one operation at a time\n"));
  return is_auto ? settings.Set(Setting::kStreamsPerJob, "1") : Result<void>();
}

}  // namespace

Result<RunResult> RunReplay(const ReplayRequest& request) {
  const StopRequest stop;  // from here on Ctrl-C leaves nothing behind
  IOFLUX_ASSIGN_OR_RETURN(const RunInputs inputs, RunInputs::Of(request.settings));
  IOFLUX_ASSIGN_OR_RETURN(const TraceReader reader,
                          TraceReader::Open(request.settings.text(Setting::kTrace)));
  IOFLUX_ASSIGN_OR_RETURN(const std::string library, FindEngineLibrary(request.engine_library));
  if (request.announce) request.announce([&stop] { return stop.count() > 0; });
  if (stop.count() > 0) return InterruptedEarly("while looking at the trace");
  IOFLUX_ASSIGN_OR_RETURN(const ScratchFolder scratch,
                          ScratchFolder::Create(ScratchBytes(reader.header())));
  const std::string progress_path = scratch.path() + "/progress";

  ReplaySettings settings = request.settings;
  IOFLUX_RETURN_IF_ERROR(settings.Set(Setting::kSideFile, scratch.path() + "/side"));
  IOFLUX_RETURN_IF_ERROR(settings.Set(Setting::kProgressFile, progress_path));
  IOFLUX_RETURN_IF_ERROR(GiveEachStreamAJobWithoutUring(settings));
  settings = WithAbsolutePaths(settings);
  IOFLUX_ASSIGN_OR_RETURN(CollectInput input,
                          DescribeRun(settings, reader.header(), library, stop));

  const FioInvocation invocation{.fio = request.fio,
                                 .job_file = scratch.path() + "/job.fio",
                                 .json_path = scratch.path() + "/fio.json",
                                 .messages_path = scratch.path() + "/messages"};
  IOFLUX_RETURN_IF_ERROR(WriteFileAtomically(invocation.job_file, input.fio_job_file));
  ProgressWatch watch(progress_path);
  IOFLUX_ASSIGN_OR_RETURN(const FioEnd end,
                          LaunchFio(
                              invocation, [&] { watch.Tick(); }, [&] { return stop.count(); }));

  input.interrupted = stop.count() > 0;
  input.samples = watch.samples();
  input.fio_command = end.command;
  input.fio_exit_status = end.signal != 0 ? 128 + end.signal : end.exit_status;
  IOFLUX_ASSIGN_OR_RETURN(input.side_files, ReadSideFiles(scratch.path(), &input.side_file_names));
  if (input.side_files.empty()) return NoResult(end, stop.count(), ReadProgress(progress_path));
  IOFLUX_RETURN_IF_ERROR(inputs.CheckUnchanged(input.side_files[0].trace));
  if (Result<FioOutput> fio = ReadFioOutput(invocation.json_path)) {
    input.fio = std::move(fio).value();
  } else {
    input.fio_missing_reason = WhyUnreadable(fio.error());
  }
  return CollectResult(input);
}

}  // namespace ioflux
