// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux`: parses the command line, runs one subcommand, exits with its code.
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "base/nearest_name.h"
#include "cli/command.h"
#include "cli/man_page.h"

namespace ioflux {

ExitCode PrintError(const Error& error) {
  PrintErr("ioflux: " + Describe(error) + "\n");
  return ExitCodeOf(error.kind);
}

void PrintOut(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void PrintErr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

namespace {

int Main(int argc, char** argv) {
  CLI::App app{"Record, generate, check and replay storage workloads inside an unmodified fio",
               "ioflux"};
  app.set_version_flag("--version", "ioflux " + std::string(kToolVersion));
  app.require_subcommand(1);
  app.footer(ExitCodeHelp());
  AddManOptions(app);
  int exit_code = kExitGood;
  AddValidateCommand(app, exit_code);
  AddJobsCommand(app, exit_code);
  AddRunCommand(app, exit_code);
  AddReportCommand(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kExitGood : kExitUsage;  // CLI11 has codes of its own above 100
  }
  return exit_code;
}

}  // namespace
}  // namespace ioflux

int main(int argc, char** argv) { return ioflux::Main(argc, argv); }
