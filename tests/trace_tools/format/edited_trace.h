// SPDX-License-Identifier: GPL-2.0-only
//
// Base traces with edits, and what the validator says of them, in the short form of the tables.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/trace_tools/format/trace_text.h"
#include "trace_tools/format/trace_validator.h"

namespace ioflux {

/// In line `line` (1 is the header), `from` becomes `to`. kWholeLine for `from` replaces the line;
/// with kNoLine for `to` it is removed.
struct Edit {
  std::size_t line = 1;
  std::string from;
  std::string to;
};
inline const std::string kWholeLine = "<whole line>";
inline const std::string kNoLine = "<no line>";

inline std::string EditedTrace(char base, const std::vector<Edit>& edits) {
  std::vector<std::string> lines = LinesOf(BaseTrace(base));
  for (const Edit& edit : edits) {
    std::string& line = lines.at(edit.line - 1);
    line = edit.from == kWholeLine ? edit.to : Replaced(line, edit.from, edit.to);
  }
  std::erase(lines, kNoLine);
  return JoinLines(lines);
}

inline ValidationReport Validated(std::string_view text, bool strict = false) {
  Result<ValidationReport> report = ValidateBytes(text, "test.ioflux", {.strict = strict});
  if (!report) {
    ADD_FAILURE() << report.error().what;
    return {};
  }
  return std::move(report).value();
}

/// "4:h 6:op_id", of one severity, in report order. Without the further checks (HX) unless wanted.
inline std::string PlacesOf(const ValidationReport& report, Severity severity,
                            bool with_further = false) {
  std::string places;
  for (const Finding& finding : report.findings) {
    const bool further = finding.rule != nullptr && finding.rule->id.starts_with("HX");
    if (finding.severity != severity || (further && !with_further)) continue;
    if (!places.empty()) places += ' ';
    places += std::to_string(finding.line) + ":" + finding.field;
  }
  return places;
}

/// "OH-4 OI-3", of one severity, in report order; "fatal" for a line that cannot be read.
inline std::string RulesOf(const ValidationReport& report, Severity severity,
                           bool with_further = false) {
  std::string rules;
  for (const Finding& finding : report.findings) {
    const std::string id = finding.rule == nullptr ? "fatal" : std::string(finding.rule->id);
    if (finding.severity != severity || (id.starts_with("HX") && !with_further)) continue;
    if (!rules.empty()) rules += ' ';
    rules += id;
  }
  return rules;
}

}  // namespace ioflux
