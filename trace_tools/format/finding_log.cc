// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/finding_log.h"

#include "base/json_text.h"
#include "base/utf8.h"

namespace ioflux {

Severity FindingLog::SeverityOf(const RuleInfo& rule) const {
  return options_.strict && rule.error_under_strict ? Severity::kError : rule.severity;
}

std::vector<Finding>* FindingLog::Count(Rule rule) {
  ++rule_counts_[static_cast<std::size_t>(rule)];
  const bool is_error = SeverityOf(InfoOf(rule)) == Severity::kError;
  ++(is_error ? error_count_ : warning_count_);
  std::vector<Finding>& kept = is_error ? errors_ : warnings_;
  return kept.size() < options_.max_findings ? &kept : nullptr;
}

void FindingLog::Keep(std::vector<Finding>& kept, Rule rule, FindingPlace place,
                      std::string text) const {
  const RuleInfo& info = InfoOf(rule);
  kept.push_back({.rule = &info,
                  .severity = SeverityOf(info),
                  .line = place.line,
                  .byte_offset = place.byte_offset,
                  .field = std::string(info.field),
                  .text = std::move(text)});
}

void FindingLog::AddFatal(FindingPlace place, std::string text) {
  ++error_count_;
  errors_.push_back({.rule = nullptr,
                     .severity = Severity::kError,
                     .line = place.line,
                     .byte_offset = place.byte_offset,
                     .field = "line",
                     .text = std::move(text)});
}

void FindingLog::MoveInto(ValidationReport& report) {
  report.findings = std::move(errors_);
  std::move(warnings_.begin(), warnings_.end(), std::back_inserter(report.findings));
  report.errors = error_count_;
  report.warnings = warning_count_;
  report.rule_counts = std::move(rule_counts_);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShownBytes = 60;
  std::string_view shown;
  while (shown.size() < text.size()) {
    const std::size_t bytes =
        std::max<std::size_t>(1, Utf8SequenceBytes(text.substr(shown.size())));
    if (shown.size() + bytes > kShownBytes) break;
    shown = text.substr(0, shown.size() + bytes);
  }
  std::string quoted;
  AppendJsonString(quoted, shown);
  if (shown.size() < text.size()) quoted += "…";
  return quoted;
}

}  // namespace ioflux
