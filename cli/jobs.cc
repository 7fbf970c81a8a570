// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux jobs`: replay settings -> a job file for a plain fio.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "cli/command.h"
#include "cli/engine_library.h"
#include "cli/output_check.h"
#include "cli/replay_flags.h"
#include "job_templates/job_writer.h"
#include "trace_tools/format/trace_reader.h"

namespace ioflux {
namespace {

struct JobsOptions {
  ReplayFlags flags;
  std::string output;
  std::string engine_library;
};

Result<void> WriteJobs(const JobsOptions& options) {
  IOFLUX_ASSIGN_OR_RETURN(const ReplaySettings settings, options.flags.Settings());
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(
      options.output, {settings.text(Setting::kTrace), settings.text(Setting::kTargetMap)}));
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoTarget(options.output, "the job file", settings));
  IOFLUX_RETURN_IF_ERROR(CheckRegularFile(settings.text(Setting::kTrace), "the trace"));
  IOFLUX_ASSIGN_OR_RETURN(const TraceReader reader,
                          TraceReader::Open(settings.text(Setting::kTrace)));
  IOFLUX_ASSIGN_OR_RETURN(const std::string library, FindEngineLibrary(options.engine_library));
  IOFLUX_ASSIGN_OR_RETURN(const std::string text,
                          WriteJobFile({.settings = &settings,
                                        .header = &reader.header(),
                                        .engine_library = library,
                                        .tool = "ioflux " + std::string(kToolVersion)}));
  IOFLUX_RETURN_IF_ERROR(WriteOutput(options.output, text));
  PrintWrote(options.output);
  return {};
}

}  // namespace

void AddJobsCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<JobsOptions>();
  CLI::App* command = app.add_subcommand("jobs", "Write a fio job file that replays a trace");
  options->flags.AddTo(*command);
  command
      ->add_option("-o,--output", options->output, "The job file to write, - for standard output")
      ->required()
      ->type_name("FILE")
      ->take_last();
  command
      ->add_option("--engine-library", options->engine_library,
                   "libioflux.so to name in the job file")
      ->type_name("PATH")
      ->take_last();
  command->footer(ExitCodeHelp());
  command->callback([options, &exit_code] {
    const Result<void> written = WriteJobs(*options);
    exit_code = written ? kExitGood : PrintError(written.error());
  });
}

}  // namespace ioflux
