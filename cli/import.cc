// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux import`: bring a capture made with another tool into a trace.
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/atomic_file.h"
#include "base/byte_source.h"
#include "cli/command.h"
#include "cli/option_types.h"
#include "cli/output_check.h"
#include "trace_tools/import/account_report.h"
#include "trace_tools/import/model/path_name.h"
#include "trace_tools/import/strace/import_strace.h"

namespace ioflux {
namespace {

struct ImportFlags {
  std::vector<std::string> inputs;
  std::string output;
  std::string report;
  std::string start_directory;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool strict = false;
  bool drop_eof_reads = false;
  bool resolved_names = false;
};

Result<ModelOptions> OptionsOf(const ImportFlags& flags) {
  if (!flags.start_directory.empty() && !IsAbsolute(flags.start_directory)) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "'" + flags.start_directory + "' is not an absolute path",
                 .where = {.path = "", .line = 0, .item = "--cwd"},
                 .mend = "give the directory where the traced program started, such as /home/me"};
  }
  return ModelOptions{.strict = flags.strict,
                      .drop_eof_reads = flags.drop_eof_reads,
                      .resolved_names = flags.resolved_names,
                      .start_directory = CleanPath(flags.start_directory),
                      .filter = PathFilter(flags.include, flags.exclude)};
}

// A file that is given twice would count twice; standard input would be empty the second time.
Result<void> CheckGivenOnce(const std::vector<std::string>& inputs) {
  std::map<std::pair<dev_t, ino_t>, std::string> seen;
  for (const std::string& input : inputs) {
    struct stat status {};
    if ((input == "-" ? fstat(STDIN_FILENO, &status) : stat(input.c_str(), &status)) != 0) continue;
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) continue;
    const auto [same, added] = seen.try_emplace({status.st_dev, status.st_ino}, input);
    if (added) continue;
    return Error{.kind = ErrorKind::kUsage,
                 .what = input == same->second ? "this file is given twice"
                                               : "this file is also given as " + same->second,
                 .where = {.path = input, .line = 0, .item = {}},
                 .mend = "give each file of the capture once"};
  }
  return {};
}

Result<void> WriteTrace(const std::string& path, const BuiltTrace& trace) {
  if (path == "-") {
    DescriptorSink sink(/*descriptor=*/1, "standard output");
    return trace.Write(sink);
  }
  IOFLUX_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  IOFLUX_RETURN_IF_ERROR(trace.Write(file));
  return file.Commit();
}

Result<void> ImportStraceFiles(const ImportFlags& flags) {
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(flags.output, flags.inputs));
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(flags.report, flags.inputs));
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(flags.report, {flags.output}));
  if (flags.output == "-" && flags.report == "-") {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "the trace and the report both want standard output",
                 .where = {},
                 .mend = "give one of them a file"};
  }
  IOFLUX_ASSIGN_OR_RETURN(ModelOptions options, OptionsOf(flags));
  IOFLUX_RETURN_IF_ERROR(CheckGivenOnce(flags.inputs));
  std::vector<ByteSource> sources;
  for (const std::string& input : flags.inputs) {
    IOFLUX_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(input));
    sources.push_back(std::move(source));
  }
  IOFLUX_ASSIGN_OR_RETURN(const strace::ImportedCapture imported,
                          strace::ImportStrace(std::move(sources), std::move(options)));
  IOFLUX_RETURN_IF_ERROR(WriteTrace(flags.output, imported.trace));
  if (!flags.report.empty()) {
    IOFLUX_RETURN_IF_ERROR(
        WriteOutput(flags.report, ReportJson("strace", imported.trace, imported.account)));
  }
  PrintWrote(flags.output);
  PrintErr(SummaryText("strace", imported.trace, imported.account));
  return {};
}

void AddPatternOption(CLI::App& command, const std::string& name,
                      std::vector<std::string>& patterns, const std::string& description) {
  command.add_option(name, patterns, description)->type_name("PATTERN")->expected(1)->take_all();
}

void AddStraceSource(CLI::App& import, int& exit_code) {
  auto flags = std::make_shared<ImportFlags>();
  CLI::App* command = import.add_subcommand(
      "strace", "What strace wrote, best with `strace -f -ttt -T -y -s 0 -v -o FILE PROGRAM`");
  command
      ->add_option("INPUT", flags->inputs,
                   "The capture: one file, or all files of -ff; .gz and .zst too; - is standard "
                   "input")
      ->required()
      ->type_name("");
  AddTextOption(*command, "-o,--output", flags->output, "FILE",
                "The trace to write; - is standard output")
      ->required();
  AddTextOption(*command, "--report", flags->report, "FILE",
                "Write what became of every line as JSON; - is standard output");
  AddTextOption(*command, "--cwd", flags->start_directory, "DIRECTORY",
                "Where the program started, for captures without -y");
  AddPatternOption(*command, "--include", flags->include,
                   "Keep only paths that match (*, ?, ** across directories); may be repeated");
  AddPatternOption(*command, "--exclude", flags->exclude,
                   "Leave paths out that match; may be repeated. Standard: /proc, /sys, /dev");
  command->add_flag("--strict", flags->strict,
                    "Leave out operations whose offset would have to be assumed");
  command->add_flag("--drop-eof", flags->drop_eof_reads, "Leave out reads that returned nothing");
  command->add_flag("--resolved-names", flags->resolved_names,
                    "Name files as the kernel does (-y), not as the program did");
  command->footer(ExitCodeHelp());
  command->callback([flags, &exit_code] {
    const Result<void> done = ImportStraceFiles(*flags);
    exit_code = done ? kExitGood : PrintError(done.error());
  });
}

}  // namespace

void AddImportCommand(CLI::App& app, int& exit_code) {
  CLI::App* import = app.add_subcommand("import", "Bring a capture of another tool into a trace");
  import->require_subcommand(1);
  import->footer(ExitCodeHelp());
  AddStraceSource(*import, exit_code);
}

}  // namespace ioflux
