// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux report RESULT`: prints the report of one result or set of trials, as text, JSON or CSV.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/artifact.h"
#include "analysis/plausibility.h"
#include "analysis/report_json.h"
#include "analysis/report_text.h"
#include "analysis/run_result.h"
#include "analysis/trial_set.h"
#include "analysis/trial_set_text.h"
#include "base/byte_source.h"
#include "cli/command.h"
#include "cli/csv_file.h"
#include "cli/output_check.h"

namespace ioflux {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  bool json = false;
  std::string csv;
};

/// One result, or a set of trials.
struct Reported {
  std::optional<TrialSet> set;
  std::vector<RunResult> runs;  ///< of a set its trials
};

Result<Reported> ReadReported(const std::string& path) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path));
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue document,
                          JsonValue::Parse(text, path == "-" ? "standard input" : path));
  Reported reported;
  if (RecogniseArtifact(document) == ArtifactKind::kTrialSet) {
    IOFLUX_ASSIGN_OR_RETURN(reported.set, DecodeTrialSet(document));
    reported.runs = reported.set->trials;
  } else {
    IOFLUX_ASSIGN_OR_RETURN(RunResult result, DecodeRunResult(document));
    reported.runs.push_back(std::move(result));
  }
  return reported;
}

std::string Render(const Reported& reported, bool json) {
  if (reported.set)
    return json ? RenderTrialSetJson(*reported.set) : RenderTrialSetText(*reported.set);
  const RunResult& result = reported.runs.front();
  return json ? RenderResultJson(result) : RenderResultText(result);
}

/// On standard error; a single result still has a report, which shows no figures. Sets and rows for
/// spreadsheets have nothing to show instead, so there it is an error.
Result<ExitCode> CheckBelievable(const Reported& reported, const ReportOptions& options) {
  ExitCode code = kExitGood;
  for (std::size_t i = 0; i < reported.runs.size(); ++i) {
    for (const std::string& doubt : Contradictions(reported.runs[i])) {
      const std::string what = (reported.set ? "trial " + std::to_string(i + 1) + " " : "") +
                               "cannot be believed: " + doubt;
      if (reported.set || !options.csv.empty()) {
        return Error{.kind = ErrorKind::kInput,
                     .what = what,
                     .where = {.path = options.results.front(), .line = 0, .item = {}},
                     .mend = "run it again"};
      }
      PrintErr("ioflux: " + options.results.front() + ": " + what + "\n");
      code = kExitRefused;
    }
  }
  return code;
}

Result<ExitCode> PrintReport(const ReportOptions& options) {
  if (options.results.size() > 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "two results cannot be compared yet",
                 .where = {},
                 .mend = "report one result at a time"};
  }
  if (options.json && options.csv == "-") {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "--json and --csv - both want standard output",
                 .where = {},
                 .mend = "give --csv a file"};
  }
  IOFLUX_RETURN_IF_ERROR(CheckOutputIsNoInput(options.csv, options.results));
  IOFLUX_RETURN_IF_ERROR(CheckCsvFile(options.csv));
  IOFLUX_ASSIGN_OR_RETURN(const Reported reported, ReadReported(options.results.front()));
  IOFLUX_ASSIGN_OR_RETURN(const ExitCode code, CheckBelievable(reported, options));
  IOFLUX_RETURN_IF_ERROR(AppendCsv(options.csv, reported.runs));
  if (options.csv != "-") PrintOut(Render(reported, options.json));
  return code;
}

ExitCode RunReport(const ReportOptions& options) {
  const Result<ExitCode> printed = PrintReport(options);
  return printed ? printed.value() : PrintError(printed.error());
}

}  // namespace

void AddReportCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Print what a result or a set of trials says");
  command->add_option("RESULT", options->results, "A results.json file, or - for standard input")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_flag("--json", options->json, "Print one JSON document instead of text");
  command
      ->add_option("--csv", options->csv,
                   "Append a row for each trial to this file; - prints them instead of the report")
      ->type_name("FILE")
      ->take_last();
  command->footer(
      "Exit status:\n"
      "  0  printed, even if the result is invalid, incomplete or low in fidelity\n"
      "  1  no result, a set without trials, or figures that cannot be believed\n"
      "  2  wrong usage, or the file cannot be read");
  command->callback([options, &exit_code] { exit_code = RunReport(*options); });
}

}  // namespace ioflux
