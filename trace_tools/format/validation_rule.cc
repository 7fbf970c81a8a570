// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/validation_rule.h"

namespace ioflux {
namespace {

struct SeverityWord {
  Severity severity;
  bool error_under_strict;
};

constexpr SeverityWord kSeverityError = {Severity::kError, false};
constexpr SeverityWord kSeverityWarning = {Severity::kWarning, false};
constexpr SeverityWord kSeverityStrict = {Severity::kWarning, true};

constexpr RuleInfo kRules[] = {
#define IOFLUX_RULE(family, number, word, label, what, mend) \
  {.id = #family "-" #number,                                \
   .severity = kSeverity##word.severity,                     \
   .error_under_strict = kSeverity##word.error_under_strict, \
   .field = label,                                           \
   .summary = what,                                          \
   .hint = mend},
#include "trace_tools/format/rules.def"
#undef IOFLUX_RULE
};

}  // namespace

std::span<const RuleInfo> AllRules() { return kRules; }

}  // namespace ioflux
