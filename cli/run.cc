// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux run`: replay a trace inside fio and write results.json.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "analysis/run_verdict.h"
#include "base/atomic_file.h"
#include "cli/command.h"
#include "cli/output_check.h"
#include "cli/replay_flags.h"
#include "cli/replay_run.h"

namespace ioflux {
namespace {

struct RunOptions {
  ReplayFlags flags;
  ReplayRequest request;
  std::string output;
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

Result<ExitCode> Run(RunOptions& options) {
  IOFLUX_ASSIGN_OR_RETURN(options.request.settings, options.flags.Settings());
  const ReplaySettings& settings = options.request.settings;
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(
      options.output, {settings.text(Setting::kTrace), settings.text(Setting::kTargetMap)}));
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
  PrintOut("wrote " + options.output + "\n");
  return JudgeResult(result);
}

}  // namespace

void AddRunCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Replay a trace inside fio and write the result");
  options->flags.AddTo(*command);
  command->add_option("-o,--output", options->output, "The result to write, - for standard output")
      ->required()
      ->type_name("FILE")
      ->take_last();
  command->add_option("--fio", options->request.fio, "The fio to run")
      ->type_name("PROGRAM")
      ->take_last();
  command
      ->add_option("--engine-library", options->request.engine_library, "The libioflux.so to load")
      ->type_name("PATH")
      ->take_last();
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
