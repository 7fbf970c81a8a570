// SPDX-License-Identifier: GPL-2.0-only
//
// `ioflux validate FILE`: reads a trace against every rule of the format and says what is wrong.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/json_value.h"
#include "base/printable_text.h"
#include "cli/command.h"
#include "cli/option_types.h"
#include "trace_tools/format/trace_validator.h"

namespace ioflux {
namespace {

struct ValidateOptions {
  std::string trace;
  bool json = false;
  bool strict = false;
  bool compat = false;
  std::int64_t max_problems = 20;
};

// What there is to say about one file: a report, or why even the header cannot be read.
struct Verdict {
  std::string trace;
  std::optional<TraceHeader> header;
  ValidationReport report;
  Error header_error;

  bool valid() const { return header.has_value() && report.valid(); }
};

// --- text --------------------------------------------------------------------------------------

// Values start in column 20.
std::string LabelLine(std::string_view label, std::string_view value) {
  return fmt::format("  {:<17}{}\n", label, value);
}

std::string LabelLineUnlessEmpty(std::string_view label, std::string_view value) {
  return value.empty() ? "" : LabelLine(label, value);
}

std::string FindingLine(const Finding& finding) {
  std::string text = finding.line == 0 ? "  " : fmt::format("  line {} ", finding.line);
  text += fmt::format("[{}] {}", Printable(finding.field), Printable(finding.text));
  if (finding.rule != nullptr) text += fmt::format(" ({})", finding.rule->id);
  return text + "\n";
}

std::string FindingList(const ValidationReport& report, Severity severity, std::string_view title,
                        std::uint64_t count) {
  if (count == 0) return "";
  std::string text = fmt::format("{}:\n", title);
  std::uint64_t shown = 0;
  for (const Finding& finding : report.findings) {
    if (finding.severity != severity) continue;
    text += FindingLine(finding);
    ++shown;
  }
  if (shown < count) {
    text += fmt::format("  … and {} more (--max-problems {} shows all)\n", count - shown, count);
  }
  return text;
}

// "3 times, first at trace.ioflux:7", as far as the line is known.
std::string Occurrences(const Verdict& verdict, const RuleInfo& rule, std::uint64_t count) {
  std::string text = count == 1 ? "once" : fmt::format("{} times", count);
  const std::vector<Finding>& findings = verdict.report.findings;
  const auto first =
      std::find_if(findings.begin(), findings.end(),
                   [&rule](const Finding& finding) { return finding.rule == &rule; });
  if (first == findings.end() || first->line == 0) return text;
  return text + fmt::format(", {}at {}:{}", count == 1 ? "" : "first ", Printable(verdict.trace),
                            first->line);
}

// Once a rule, however often it was broken.
std::string HintList(const Verdict& verdict) {
  std::string text;
  for (std::size_t i = 0; i < AllRules().size(); ++i) {
    const std::uint64_t count = verdict.report.rule_counts[i];
    if (count == 0) continue;
    const RuleInfo& rule = AllRules()[i];
    text += fmt::format("  {} ({}): {}\n", rule.id, Occurrences(verdict, rule, count), rule.hint);
  }
  return text.empty() ? "" : "hints:\n" + text;
}

std::string Text(const Verdict& verdict) {
  std::string text = fmt::format("ioflux trace: {}\n", Printable(verdict.trace));
  if (!verdict.header.has_value()) {
    const Error& error = verdict.header_error;
    text += fmt::format("  parse error: line {}: {}\n",
                        std::max<std::uint64_t>(1, error.where.line), Printable(error.what));
    if (!error.mend.empty()) text += fmt::format("  try: {}\n", Printable(error.mend));
    return text + "INVALID\n";
  }
  const TraceHeader& header = *verdict.header;
  const ValidationReport& report = verdict.report;
  text += LabelLine("version", std::to_string(header.version));
  text += LabelLine("kind", Printable(header.kind));
  text += LabelLineUnlessEmpty("profile", Printable(header.profile));
  text += LabelLineUnlessEmpty("capture_method", Printable(header.capture_method));
  text += LabelLine("time_unit", Printable(header.time_unit));
  text += LabelLine("targets", std::to_string(header.targets.size()));
  text += LabelLine("ops", std::to_string(report.ops));
  text += LabelLine("streams", std::to_string(report.streams));
  text += FindingList(report, Severity::kError, "errors", report.errors);
  text += FindingList(report, Severity::kWarning, "warnings", report.warnings);
  text += HintList(verdict);
  if (report.valid()) return text + "OK\n";
  return text +
         fmt::format("INVALID: {} error(s), {} warning(s)\n", report.errors, report.warnings);
}

// --- JSON --------------------------------------------------------------------------------------

JsonValue FindingJson(const Finding& finding) {
  JsonValue json = JsonValue::Object();
  json.Set("severity", finding.severity == Severity::kError ? "error" : "warning");
  if (finding.rule == nullptr) {
    json.Set("rule", JsonValue());
  } else {
    json.Set("rule", finding.rule->id);
  }
  json.Set("line", finding.line);
  json.Set("byte_offset", finding.byte_offset);
  json.Set("field", finding.field);
  json.Set("text", finding.text);
  return json;
}

JsonValue RulesJson(const ValidationReport& report) {
  JsonValue rules = JsonValue::Array();
  for (std::size_t i = 0; i < report.rule_counts.size(); ++i) {
    if (report.rule_counts[i] == 0) continue;
    const RuleInfo& info = AllRules()[i];
    JsonValue rule = JsonValue::Object();
    rule.Set("rule", info.id);
    rule.Set("count", report.rule_counts[i]);
    rule.Set("summary", info.summary);
    rule.Set("hint", info.hint);
    rules.Append(std::move(rule));
  }
  return rules;
}

JsonValue HeaderJson(const TraceHeader& header) {
  JsonValue json = JsonValue::Object();
  json.Set("ioflux_trace_version", header.version);
  json.Set("kind", Printable(header.kind));
  json.Set("profile", Printable(header.profile));
  json.Set("capture_method", Printable(header.capture_method));
  json.Set("time_unit", Printable(header.time_unit));
  json.Set("targets", static_cast<std::uint64_t>(header.targets.size()));
  return json;
}

// A header that cannot be read looks like any other line that cannot.
Finding HeaderFinding(const Error& error) {
  Finding finding;
  finding.line = std::max<std::uint64_t>(1, error.where.line);
  finding.field = "line";
  finding.text = error.what;
  return finding;
}

std::string Json(const Verdict& verdict) {
  const ValidationReport& report = verdict.report;
  JsonValue json = JsonValue::Object();
  json.Set("trace", verdict.trace);
  json.Set("valid", verdict.valid());
  json.Set("header", verdict.header.has_value() ? HeaderJson(*verdict.header) : JsonValue());
  json.Set("ops", report.ops);
  json.Set("streams", report.streams);
  json.Set("partial_reads", report.partial_reads);
  json.Set("errors", verdict.header.has_value() ? report.errors : std::uint64_t{1});
  json.Set("warnings", report.warnings);
  json.Set("read_to_end", verdict.header.has_value() && !report.has_fatal_line);
  JsonValue findings = JsonValue::Array();
  if (!verdict.header.has_value())
    findings.Append(FindingJson(HeaderFinding(verdict.header_error)));
  for (const Finding& finding : report.findings) findings.Append(FindingJson(finding));
  json.Set("findings", std::move(findings));
  json.Set("rules", RulesJson(report));
  return json.Dump(/*escape_html=*/false);
}

// A file that cannot be read at all: nothing is known of it, and programs still get their document.
std::string UnreadableJson(const std::string& trace, const Error& error) {
  JsonValue json = JsonValue::Object();
  json.Set("trace", trace).Set("valid", false).Set("read_to_end", false);
  json.Set("error", Describe(error));
  return json.Dump(/*escape_html=*/false);
}

// --- the command -------------------------------------------------------------------------------

Result<Verdict> Judge(const ValidateOptions& options) {
  Verdict verdict{.trace = options.trace, .header = {}, .report = {}, .header_error = {}};
  Result<TraceReader> opened = TraceReader::Open(options.trace);
  if (!opened) {
    if (opened.error().kind != ErrorKind::kInput) return opened.error();
    verdict.header_error = opened.error();
    return verdict;
  }
  TraceReader& reader = opened.value();
  IOFLUX_ASSIGN_OR_RETURN(
      verdict.report,
      ValidateTrace(reader, {.strict = options.strict,
                             .max_findings = static_cast<std::uint64_t>(options.max_problems)}));
  verdict.header = reader.header();
  return verdict;
}

ExitCode RunValidate(const ValidateOptions& options) {
  const Result<Verdict> judged = Judge(options);
  if (!judged) {
    if (options.json) PrintOut(UnreadableJson(options.trace, judged.error()));
    return PrintError(judged.error());
  }
  const Verdict& verdict = judged.value();
  if (options.compat && verdict.report.has_fatal_line) {
    const std::vector<Finding>& findings = verdict.report.findings;
    const auto fatal = std::find_if(findings.begin(), findings.end(),
                                    [](const Finding& finding) { return finding.rule == nullptr; });
    return PrintError({.kind = ErrorKind::kIo,
                       .what = fatal->text,
                       .where = {.path = options.trace, .line = fatal->line},
                       .mend = ""});
  }
  PrintOut(options.json ? Json(verdict) : Text(verdict));
  return verdict.valid() ? kExitGood : kExitRefused;
}

}  // namespace

void AddValidateCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Check a trace against the format and say what is wrong with it");
  command
      ->add_option("FILE", options->trace, "The trace: plain, .gz or .zst, or - for standard input")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json, "Print one JSON document with rule ids");
  AddCountOption(*command, "--max-problems", options->max_problems,
                 "Show at most so many errors and so many warnings; all are counted");
  command->add_flag("--strict", options->strict,
                    "Make the further checks (rules HX) errors: legal, but hardly meant");
  command->add_flag(
      "--compat", options->compat,
      "When an op line cannot be read, print no report and exit with 2, as IOFlux does");
  command->footer(
      "Exit status:\n"
      "  0  valid, perhaps with warnings\n"
      "  1  invalid\n"
      "  2  wrong usage, or a file that cannot be read\n");
  command->callback([options, &exit_code] { exit_code = RunValidate(*options); });
}

}  // namespace ioflux
