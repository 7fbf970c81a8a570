// SPDX-License-Identifier: GPL-2.0-only
//
// TraceValidator: every rule of the format, in one streaming pass.
//
// The rules live in one table, rules.def: id, severity, field, text, hint. Feed it the header, each
// op in file order, then Finish(). Nothing is printed; findings are values.
//
// Cost: 16 bytes an open handle, 2 to 4 bytes a handle or op id that rises out of step with the
// lines, nothing for ids numbered in file order (seen_numbers.h). Threading: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace_tools/format/trace_reader.h"
#include "trace_tools/format/validation_rule.h"

namespace ioflux {

struct Finding {
  const RuleInfo* rule = nullptr;  ///< nullptr for a fatal line
  Severity severity = Severity::kError;
  std::uint64_t line = 0;         ///< 0 = not tied to a line
  std::uint64_t byte_offset = 0;  ///< of that line in the decompressed input, if it was told
  std::string field;              ///< "summary.num_ops", "h"
  std::string text;
};

struct ValidationReport {
  /// Errors in the order of docs/format.md, then warnings.
  std::vector<Finding> findings;
  std::uint64_t errors = 0;  ///< all, also those beyond max_findings
  std::uint64_t warnings = 0;
  std::uint64_t ops = 0;
  std::uint64_t partial_reads = 0;
  std::uint64_t streams = 0;
  std::vector<std::uint64_t> rule_counts;  ///< by the index in AllRules(), all findings
  bool has_fatal_line = false;             ///< reading stopped there, the last of the errors
  bool valid() const { return errors == 0; }
};

struct ValidatorOptions {
  bool strict = false;
  std::uint64_t max_findings = 1000;  ///< kept of errors and of warnings; all are counted
};

class TraceValidator {
 public:
  explicit TraceValidator(ValidatorOptions options);
  ~TraceValidator();
  TraceValidator(TraceValidator&&) noexcept;

  void OnHeader(const TraceHeader& header, const TraceReader::HeaderPresence& presence);
  void OnOp(const Op& op, std::uint64_t line, std::uint64_t byte_offset = 0);
  /// After the last op. Call one of the two once.
  ValidationReport Finish();
  /// After a line that cannot be read: nothing is said about what may follow.
  ValidationReport FinishAtFatalLine(const Error& error, std::uint64_t byte_offset = 0);

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
