// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux report RESULT`: prints the report of one result, as text or JSON.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "analysis/report_json.h"
#include "analysis/report_text.h"
#include "analysis/run_result.h"
#include "base/byte_source.h"
#include "cli/command.h"

namespace ioflux {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  bool json = false;
};

Result<std::string> RenderReport(const ReportOptions& options) {
  if (options.results.size() > 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "two results cannot be compared yet",
                 .where = {},
                 .mend = "report one result at a time"};
  }
  const std::string& path = options.results.front();
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path));
  IOFLUX_ASSIGN_OR_RETURN(const RunResult result,
                          ParseRunResult(text, path == "-" ? "standard input" : path));
  return options.json ? RenderResultJson(result) : RenderResultText(result);
}

ExitCode RunReport(const ReportOptions& options) {
  const Result<std::string> report = RenderReport(options);
  if (!report) return PrintError(report.error());
  PrintOut(report.value());
  return kExitGood;
}

}  // namespace

void AddReportCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Print what a result says");
  command->add_option("RESULT", options->results, "A results.json file, or - for standard input")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_flag("--json", options->json, "Print one JSON document instead of text");
  command->footer(
      "Exit status:\n"
      "  0  printed, even if the result is invalid, incomplete or low in fidelity\n"
      "  1  the file is no result\n"
      "  2  wrong usage, or the file cannot be read");
  command->callback([options, &exit_code] { exit_code = RunReport(*options); });
}

}  // namespace ioflux
