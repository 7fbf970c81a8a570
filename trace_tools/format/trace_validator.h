// SPDX-License-Identifier: GPL-2.0-only
//
// TraceValidator: every rule of the format, in one streaming pass.
//
// The rules live in one table, rules.def: id, severity, field, text, hint. Feed it the header, each
// op in file order, then Finish(). Nothing is printed; findings are values.
//
// Cost: constant memory while op ids rise and handles are closed; irregular ids cost a set entry
// each. Threading: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/trace_reader.h"

namespace ioflux {

enum class Severity : std::uint8_t { kWarning, kError };

/// One row of rules.def.
struct RuleInfo {
  std::string_view id;  ///< "OH-4"
  Severity severity;
  bool error_under_strict;   ///< a warning that --strict turns into an error
  std::string_view summary;  ///< for docs
  std::string_view hint;     ///< how to mend it
};
std::span<const RuleInfo> AllRules();

struct Finding {
  const RuleInfo* rule = nullptr;  ///< nullptr for a fatal line
  Severity severity = Severity::kError;
  std::uint64_t line = 0;  ///< 0 = not tied to a line
  std::string field;       ///< "summary.num_ops", "h"
  std::string text;
};

struct ValidationReport {
  std::vector<Finding> findings;  ///< errors and warnings, in the order the format document gives
  std::uint64_t errors = 0;       ///< all, also those beyond max_findings
  std::uint64_t warnings = 0;
  std::uint64_t ops = 0;
  std::uint64_t partial_reads = 0;
  std::uint64_t streams = 0;
  bool valid() const { return errors == 0; }
};

struct ValidatorOptions {
  bool strict = false;
  std::uint64_t max_findings = 1000;  ///< kept; all are counted
};

class TraceValidator {
 public:
  explicit TraceValidator(ValidatorOptions options);
  ~TraceValidator();
  TraceValidator(TraceValidator&&) noexcept;

  void OnHeader(const TraceHeader& header, const TraceReader::HeaderPresence& presence);
  void OnOp(const Op& op, std::uint64_t line);
  ValidationReport Finish();

  std::uint64_t error_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads `reader` to its end. A fatal op line becomes a finding without a rule; a read failure is
/// the error.
Result<ValidationReport> ValidateTrace(TraceReader& reader, ValidatorOptions options);

/// Serialised trace bytes, validated whole: what generators and importers check before they commit.
Result<ValidationReport> ValidateBytes(std::string_view bytes, const std::string& name,
                                       ValidatorOptions options);

}  // namespace ioflux
