// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux run`: replay a trace inside fio and write results.json.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/atomic_file.h"
#include "cli/command.h"
#include "cli/csv_file.h"
#include "cli/dry_run.h"
#include "cli/output_check.h"
#include "cli/replay_flags.h"
#include "cli/replay_run.h"
#include "cli/run_judgement.h"
#include "cli/trial_runs.h"

namespace ioflux {
namespace {

struct RunOptions {
  ReplayFlags flags;
  ReplayRequest request;
  std::string output;
  std::string csv;
  std::int64_t trials = 1;
  std::int64_t warmups = 0;
  bool dry_run = false;
  bool json = false;
};

Error WrongUsage(std::string what, std::string mend) {
  return Error{
      .kind = ErrorKind::kUsage, .what = std::move(what), .where = {}, .mend = std::move(mend)};
}

/// However often the request is run.
void AnnounceOnce(ReplayRequest& request, bool on_stdout) {
  request.announce = [looked_at = request, on_stdout,
                      announced = false](const Stopping& stopping) mutable {
    if (!std::exchange(announced, true)) AnnounceRun(looked_at, stopping, on_stdout);
  };
}

/// Before anything is measured.
Result<void> CheckOutputs(const RunOptions& options) {
  const ReplaySettings& settings = options.request.settings;
  const std::vector<std::string> inputs{settings.text(Setting::kTrace),
                                        settings.text(Setting::kTargetMap)};
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(options.output, inputs));
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(options.csv, inputs));
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(options.csv, {options.output}));
  if (options.csv == "-") {
    return WrongUsage("--csv appends to a file", "name one, or use `ioflux report --csv -`");
  }
  return CheckCsvFile(options.csv);
}

Result<ExitCode> RunOnce(const RunOptions& options) {
  if (options.output == "-") {
    IOFLUX_ASSIGN_OR_RETURN(const RunResult result, RunReplay(options.request));
    IOFLUX_RETURN_IF_ERROR(WriteOutput("-", EncodeRunResult(result)));
    IOFLUX_RETURN_IF_ERROR(AppendCsv(options.csv, {result}));
    return JudgeResult(result, "");
  }
  // Made before the replay, so that a long run cannot end with nowhere to put its result.
  IOFLUX_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(options.output));
  IOFLUX_ASSIGN_OR_RETURN(const RunResult result, RunReplay(options.request));
  IOFLUX_RETURN_IF_ERROR(file.Write(EncodeRunResult(result)));
  IOFLUX_RETURN_IF_ERROR(file.Commit());
  PrintWrote(options.output);
  IOFLUX_RETURN_IF_ERROR(AppendCsv(options.csv, {result}));
  return JudgeResult(result, "");
}

Result<ExitCode> Run(RunOptions& options) {
  IOFLUX_ASSIGN_OR_RETURN(options.request.settings, options.flags.Settings());
  IOFLUX_RETURN_IF_ERROR(
      CheckOutputIsNoTarget(options.output, "the result", options.request.settings));
  if (options.dry_run) {
    return DryRun(options.request, {.trials = options.trials, .warmups = options.warmups},
                  options.json);
  }
  if (options.json) return WrongUsage("--json belongs to --dry-run", "the result is always JSON");
  if (options.output.empty()) {
    return WrongUsage("no file is given for the result",
                      "give -o FILE, or --dry-run to see what would be done");
  }
  IOFLUX_RETURN_IF_ERROR(CheckOutputs(options));
  AnnounceOnce(options.request, /*on_stdout=*/options.output != "-");
  const TrialRequest trials{.replay = options.request,
                            .trials = options.trials,
                            .warmups = options.warmups,
                            .output = options.output,
                            .csv = options.csv};
  return trials.is_set() ? RunTrialSet(trials) : RunOnce(options);
}

}  // namespace

void AddRunCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Replay a trace inside fio and write the result");
  options->flags.AddTo(*command);
  command->add_option("-o,--output", options->output, "The result to write, - for standard output")
      ->type_name("FILE")
      ->take_last();
  command
      ->add_option("--trials", options->trials,
                   "How often to measure, at most 1000; more than one makes a set of trials [1]")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, kMostTrials).description(""))
      ->take_last();
  command
      ->add_option("--warmup", options->warmups,
                   "How often to replay before that, for no statistics [0]")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, kMostTrials).description(""))
      ->take_last();
  command->add_option("--csv", options->csv, "Append a row for each trial to this file")
      ->type_name("FILE")
      ->take_last();
  command->add_option("--fio", options->request.fio, "The fio to run")
      ->type_name("PROGRAM")
      ->take_last();
  command
      ->add_option("--engine-library", options->request.engine_library, "The libioflux.so to load")
      ->type_name("PATH")
      ->take_last();
  command->add_flag("--dry-run", options->dry_run,
                    "Say what would be made, read, written and deleted, and touch nothing");
  command->add_flag("--json", options->json, "Print what --dry-run says as JSON");
  command->footer(
      "The result is written also when operations failed or the run was stopped; the exit status "
      "is then 1. With --trials or --warmup every run is prepared and its caches brought into the "
      "wanted state; files that the trace creates are removed again before the next run, if the "
      "run before made them. The set is written after each trial, marked incomplete until all are "
      "there; a trial that fails or is stopped costs no finished one.\n\n" +
      ExitCodeHelp());
  command->callback([options, &exit_code] {
    const Result<ExitCode> ended = Run(*options);
    exit_code = ended ? ended.value() : PrintError(ended.error());
  });
}

}  // namespace ioflux
