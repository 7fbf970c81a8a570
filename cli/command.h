// SPDX-License-Identifier: GPL-2.0-only
//
// The subcommands. Each file of this folder adds one to the CLI11 tree: flags beside their
// defaults, one call into a library, an exit code out. This is the only room that prints.
//
// A command's callback stores its exit code in the `int&` it was given.
#pragma once

#include "base/result.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace ioflux {

void AddGenCommand(CLI::App& app, int& exit_code);
void AddImportCommand(CLI::App& app, int& exit_code);
void AddValidateCommand(CLI::App& app, int& exit_code);
void AddJobsCommand(CLI::App& app, int& exit_code);
void AddRunCommand(CLI::App& app, int& exit_code);
void AddReportCommand(CLI::App& app, int& exit_code);

/// Prints Describe(error) on standard error and returns its exit code.
ExitCode PrintError(const Error& error);

/// Prints `text` on standard output.
void PrintOut(std::string_view text);
/// Prints `text`, whole lines, on standard error. Control characters in them are shown as numbers.
void PrintErr(std::string_view text);

/// "wrote FILE", on standard output; nothing for "-".
void PrintWrote(const std::string& path_or_dash);

/// "ioflux 0.1.0"
inline constexpr std::string_view kToolVersion = "0.1.0";

}  // namespace ioflux
