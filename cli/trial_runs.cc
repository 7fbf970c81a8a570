// SPDX-License-Identifier: GPL-2.0-only
#include "cli/trial_runs.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "analysis/trial_set.h"
#include "analysis/trial_set_text.h"
#include "base/atomic_file.h"
#include "cli/command.h"
#include "cli/csv_file.h"
#include "cli/run_failure.h"
#include "cli/run_judgement.h"
#include "cli/stop_request.h"
#include "ioengine/replay/created_targets.h"

namespace ioflux {
namespace {

/// Standard output and devices hold everything ever written to them: they get the set at its end.
bool CanBeReplaced(const std::string& output) {
  if (output == "-") return false;
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(output, fault);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

class TrialRuns {
 public:
  explicit TrialRuns(const TrialRequest& request)
      : request_(request), replaceable_(CanBeReplaced(request.output)) {
    set_.planned_trials = request.trials;
    set_.planned_warmups = request.warmups;
    set_.complete = false;
  }

  Result<ExitCode> Run() {
    for (std::int64_t i = 1; i <= request_.warmups && !ended(); ++i) {
      WarmUp(i, fmt::format("warm-up {} of {}", i, request_.warmups));
    }
    for (std::int64_t i = 1; i <= request_.trials && !ended(); ++i) {
      IOFLUX_RETURN_IF_ERROR(Trial(i, fmt::format("trial {} of {}", i, request_.trials)));
    }
    return Finish();
  }

 private:
  bool stopped() const { return stop_.count() > 0; }
  bool ended() const { return !set_.incomplete_reason.empty(); }
  void EndWith(std::string reason) { set_.incomplete_reason = std::move(reason); }

  /// One replay that starts where the first one started. The error of one that left no result.
  Result<RunResult> Replay(const std::string& name) {
    if (stopped()) return InterruptedEarly("before " + name);
    if (!created_) {
      created_ = CreatedTargets::Of(request_.replay.settings, [this] { return stopped(); });
    }
    // Without it the first run is refused too, and says why in its own words.
    const bool first = !any_run_;
    if (!*created_ && !first) return created_->error();
    if (*created_) {
      IOFLUX_ASSIGN_OR_RETURN(const std::int64_t removed, created_->value().Remove());
      if (removed > 0 && !std::exchange(said_removed_, true)) {
        PrintErr(fmt::format("{} file(s) that the trace created are removed between the runs\n",
                             removed));
      }
      IOFLUX_RETURN_IF_ERROR(created_->value().LookBefore());
    }
    IOFLUX_ASSIGN_OR_RETURN(RunResult result, RunReplay(request_.replay));
    any_run_ = true;
    if (*created_) {
      // The run is done and counts; the next one cannot start like it.
      if (const Result<void> looked = created_->value().LookAfter(); !looked)
        created_ = Result<CreatedTargets>(looked.error());
    }
    set_.generated_at = result.generated_at;
    set_.tool = result.tool;
    set_.host = result.host;
    return result;
  }

  void WarmUp(std::int64_t number, const std::string& name) {
    PrintErr(fmt::format("warmup {}/{}\n", number, request_.warmups));
    const Result<RunResult> run = Replay(name);
    if (!run) return EndWithout(name, run.error());
    set_.warmups.push_back(RecordOf(run.value()));
    ++set_.warmup_trials;
    digest_ = run.value().plan.trace_digest;
    const RunResult& result = run.value();
    if (stopped() && !result.complete) {
      EndWith(name + " was interrupted");
    } else if (result.errors > 0 || !result.complete) {
      JudgeResult(result, fmt::format("warm-up {}: ", number));
      EndWith(fmt::format("{} failed: {}", name,
                          result.complete ? fmt::format("{} operation(s) failed", result.errors)
                                          : result.incomplete_reason));
    }
  }

  Result<void> Trial(std::int64_t number, const std::string& name) {
    PrintErr(fmt::format("trial {}/{}\n", number, request_.trials));
    Result<RunResult> run = Replay(name);
    if (!run) {
      EndWithout(name, run.error());
      return {};
    }
    RunResult result = std::move(run).value();
    if (digest_.empty()) digest_ = result.plan.trace_digest;
    if (result.plan.trace_digest != digest_) {
      EndWith(name + " replayed another trace: the file was changed since the first run");
      return {};
    }
    if (stopped() && !result.complete) {
      set_.unfinished_trial = RecordOf(result);
      EndWith(name + " was interrupted");
      return {};
    }
    if (JudgeResult(result, fmt::format("trial {}: ", number)) != kExitGood) code_ = kExitRefused;
    AddTrial(std::move(result), set_);
    return number < request_.trials ? SaveSoFar() : Result<void>();
  }

  /// A run that left no result: said here, because the set may well be written all the same.
  void EndWithout(const std::string& name, const Error& error) {
    if (!any_run_) failure_ = error;
    EndWith(stopped() ? error.what : fmt::format("{} could not run: {}", name, error.what));
    unsaid_ = error;
  }

  /// What remains when this program is killed during the next trial.
  Result<void> SaveSoFar() {
    if (!replaceable_) return {};
    TrialSet so_far = set_;
    so_far.incomplete_reason = fmt::format("{} of {} trials: the set was still under way",
                                           set_.trials.size(), request_.trials);
    return WriteFileAtomically(request_.output, EncodeTrialSet(so_far));
  }

  Result<ExitCode> Finish() {
    if (failure_) return *failure_;
    set_.complete = !ended();
    IOFLUX_RETURN_IF_ERROR(WriteOutput(request_.output, EncodeTrialSet(set_)));
    IOFLUX_RETURN_IF_ERROR(AppendCsv(request_.csv, set_.trials));
    if (unsaid_) PrintError(*unsaid_);
    PrintErr(TrialSetLine(set_) + "\n");
    if (!set_.complete) PrintErr("ioflux: the set is incomplete: " + set_.incomplete_reason + "\n");
    if (request_.output != "-") PrintWrote(request_.output);
    return set_.complete ? code_ : kExitRefused;
  }

  const TrialRequest& request_;
  const bool replaceable_;
  StopRequest stop_;  // also between the runs: nothing may be lost there
  TrialSet set_;
  std::optional<Result<CreatedTargets>> created_;
  std::string digest_;  ///< of the trace that the first run replayed
  bool any_run_ = false;
  bool said_removed_ = false;
  std::optional<Error> failure_;  ///< of a first run that left nothing
  std::optional<Error> unsaid_;
  ExitCode code_ = kExitGood;
};

}  // namespace

Result<ExitCode> RunTrialSet(const TrialRequest& request) {
  // Before the replay, so that a long set cannot end with nowhere to put its result.
  if (request.output != "-") {
    IOFLUX_ASSIGN_OR_RETURN([[maybe_unused]] const AtomicFile file,
                            AtomicFile::Create(request.output));
  }
  return TrialRuns(request).Run();
}

}  // namespace ioflux
