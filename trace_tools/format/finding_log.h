// SPDX-License-Identifier: GPL-2.0-only
//
// FindingLog: what a validation has found so far. Counts everything, keeps the first of each
// severity.
//
// Threading: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trace_tools/format/trace_validator.h"
#include "trace_tools/format/validation_rule.h"

namespace ioflux {

/// Where a finding is: line 0 is no line in particular.
struct FindingPlace {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
};

/// A finding on the header, or on the trace as a whole against its header.
inline constexpr FindingPlace kHeaderPlace = {.line = 1, .byte_offset = 0};

class FindingLog {
 public:
  explicit FindingLog(ValidatorOptions options) : options_(options) {}

  /// `text` is a fmt format; it is only made into text when the finding is kept.
  template <typename... Args>
  void Add(Rule rule, FindingPlace place, fmt::format_string<Args...> text, Args&&... args) {
    std::vector<Finding>* const kept = Count(rule);
    if (kept == nullptr) return;
    Keep(*kept, rule, place, fmt::format(text, std::forward<Args>(args)...));
  }

  /// A line that cannot be read.
  void AddFatal(FindingPlace place, std::string text);

  std::uint64_t error_count() const { return error_count_; }

  /// Moves everything into `report`: errors first, then warnings, each in the order found.
  void MoveInto(ValidationReport& report);

 private:
  // Where to keep one more finding of `rule`; nullptr when there are enough.
  std::vector<Finding>* Count(Rule rule);
  Severity SeverityOf(const RuleInfo& rule) const;
  void Keep(std::vector<Finding>& kept, Rule rule, FindingPlace place, std::string text) const;

  ValidatorOptions options_;
  std::vector<Finding> errors_;
  std::vector<Finding> warnings_;
  std::uint64_t error_count_ = 0;
  std::uint64_t warning_count_ = 0;
  std::vector<std::uint64_t> rule_counts_ = std::vector<std::uint64_t>(AllRules().size());
};

/// `text` from a trace as a message may show it: in quotes, escaped, cut after 60 bytes.
std::string Quoted(std::string_view text);

}  // namespace ioflux
