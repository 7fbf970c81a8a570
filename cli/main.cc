// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux`: parses the command line, runs one subcommand, exits with its code.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/printable_text.h"
#include "cli/command.h"
#include "cli/go_flags.h"
#include "cli/help_format.h"
#include "cli/man_page.h"

namespace ioflux {

ExitCode PrintError(const Error& error) {
  PrintErr("ioflux: " + Describe(error) + "\n");
  return ExitCodeOf(error.kind);
}

/// At once, so that in a log it stands before what happens after it.
void PrintOut(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void PrintErr(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += Printable(text.substr(0, end));
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void PrintWrote(const std::string& path_or_dash) {
  if (path_or_dash != "-") PrintOut("wrote " + Printable(path_or_dash) + "\n");
}

namespace {

// What went wrong with the command line, and where to read about it.
ExitCode PrintUsage(const CLI::App& app, const std::string& problem) {
  std::string command = app.get_name();
  for (const CLI::App* sub = &app; !sub->get_subcommands().empty();) {
    sub = sub->get_subcommands().front();
    command += " " + sub->get_name();
  }
  const bool has_advice = problem.find("\n  try: ") != std::string::npos;
  PrintErr("ioflux: " + problem + (has_advice ? "\n" : "\n  try: " + command + " --help\n"));
  return kExitUsage;
}

int Main(int argc, char** argv) {
  CLI::App app{"Record, generate, check and replay storage workloads inside an unmodified fio",
               "ioflux"};
  app.set_version_flag("--version", "ioflux " + std::string(kToolVersion));
  app.formatter(std::make_shared<HelpFormat>());  // those of the subcommands too
  app.require_subcommand(1);
  app.footer(ExitCodeHelp());
  AddManOptions(app);
  int exit_code = kExitGood;
  AddGenCommand(app, exit_code);
  AddImportCommand(app, exit_code);
  AddValidateCommand(app, exit_code);
  AddJobsCommand(app, exit_code);
  AddRunCommand(app, exit_code);
  AddReportCommand(app, exit_code);

  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    PrintErr(app.help());
    return kExitUsage;
  }
  if (words == std::vector<std::string>{"help"}) words = {"--help"};
  Result<std::vector<std::string>> arguments = NormalizeFlags(app, words);
  if (!arguments) return PrintError(arguments.error());
  std::reverse(arguments.value().begin(), arguments.value().end());  // as CLI11 wants them
  try {
    app.parse(arguments.value());
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    return PrintUsage(app, e.what());                // CLI11 has codes of its own above 100
  } catch (const std::bad_alloc&) {
    PrintErr("ioflux: there is not enough memory for this\n");
    return kExitRefused;
  }
  return exit_code;
}

/// Text that never arrived must not look like a success.
int CloseOutput(int exit_code) {
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !failed_before) return exit_code;
  const Error error = SystemError("cannot write to standard output", errno, {},
                                  "free space, or direct the output to where it can be written");
  PrintErr("ioflux: " + Describe(error) + "\n");
  return exit_code == kExitGood ? int{kExitUsage} : exit_code;
}

}  // namespace
}  // namespace ioflux

int main(int argc, char** argv) {
  // A write beyond `ulimit -f` then fails with a reason, and nothing half written is left behind.
  std::signal(SIGXFSZ, SIG_IGN);
  return ioflux::CloseOutput(ioflux::Main(argc, argv));
}
