// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux run`: replay a trace inside fio and write results.json.
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "analysis/run_verdict.h"
#include "base/atomic_file.h"
#include "cli/command.h"
#include "cli/dry_run.h"
#include "cli/output_check.h"
#include "cli/replay_flags.h"
#include "cli/replay_run.h"

namespace ioflux {
namespace {

struct RunOptions {
  ReplayFlags flags;
  ReplayRequest request;
  std::string output;
  bool dry_run = false;
  bool json = false;
};

/// The result's own findings, on standard error; the exit code that they mean.
ExitCode JudgeResult(const RunResult& result) {
  if (result.fidelity.low_fidelity) {
    PrintErr("ioflux: warning: low fidelity: " + result.fidelity.low_fidelity_reason + "\n");
  }
  if (!result.fio.cross_check.agrees) {
    PrintErr("ioflux: warning: fio " + CrossCheckWords(result.fio.cross_check) + "\n");
  }
  ExitCode code = kExitGood;
  // With failed operations the engine itself makes fio end so; that is said below.
  if (result.fio.exit_status != 0 && result.complete && result.errors == 0) {
    PrintErr("ioflux: fio ended with status " + std::to_string(result.fio.exit_status) +
             " though every operation was replayed\n");
    code = kExitRefused;
  }
  if (!result.complete) {
    PrintErr("ioflux: the run is incomplete: " + result.incomplete_reason + "\n");
    code = kExitRefused;
  }
  for (const std::string& reason : InvalidReasons(result)) {
    PrintErr("ioflux: the run is invalid: " + reason + "\n");
    code = kExitRefused;
  }
  return code;
}

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

Result<ExitCode> Run(RunOptions& options) {
  IOFLUX_ASSIGN_OR_RETURN(options.request.settings, options.flags.Settings());
  if (options.dry_run) return DryRun(options.request, options.json);
  if (options.json) return WrongUsage("--json belongs to --dry-run", "the result is always JSON");
  if (options.output.empty()) {
    return WrongUsage("no file is given for the result",
                      "give -o FILE, or --dry-run to see what would be done");
  }
  const ReplaySettings& settings = options.request.settings;
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(
      options.output, {settings.text(Setting::kTrace), settings.text(Setting::kTargetMap)}));
  AnnounceOnce(options.request, /*on_stdout=*/options.output != "-");
  if (options.output == "-") {
    IOFLUX_ASSIGN_OR_RETURN(const RunResult result, RunReplay(options.request));
    IOFLUX_RETURN_IF_ERROR(WriteOutput("-", EncodeRunResult(result)));
    return JudgeResult(result);
  }
  // Made before the replay, so that a long run cannot end with nowhere to put its result.
  IOFLUX_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(options.output));
  IOFLUX_ASSIGN_OR_RETURN(const RunResult result, RunReplay(options.request));
  IOFLUX_RETURN_IF_ERROR(file.Write(EncodeRunResult(result)));
  IOFLUX_RETURN_IF_ERROR(file.Commit());
  PrintWrote(options.output);
  return JudgeResult(result);
}

}  // namespace

void AddRunCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Replay a trace inside fio and write the result");
  options->flags.AddTo(*command);
  command->add_option("-o,--output", options->output, "The result to write, - for standard output")
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
      "is then 1.\n\n" +
      ExitCodeHelp());
  command->callback([options, &exit_code] {
    const Result<ExitCode> ended = Run(*options);
    exit_code = ended ? ended.value() : PrintError(ended.error());
  });
}

}  // namespace ioflux
