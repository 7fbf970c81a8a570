// SPDX-License-Identifier: GPL-2.0-only
//
// The rules of the format by name (rules.def), and what is said about each.
//
// Threading: constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ioflux {

enum class Severity : std::uint8_t { kWarning, kError };

/// One row of rules.def: Rule::kOH_4 is the rule "OH-4".
enum class Rule : std::uint8_t {
#define IOFLUX_RULE(family, number, severity, field, summary, hint) k##family##_##number,
#include "trace_tools/format/rules.def"
#undef IOFLUX_RULE
};

struct RuleInfo {
  std::string_view id;  ///< "OH-4"
  Severity severity = Severity::kError;
  bool error_under_strict = false;  ///< a warning that --strict turns into an error
  std::string_view field;           ///< the member it is about: "summary.num_ops", "h"
  std::string_view summary;         ///< what is wrong, as a clause
  std::string_view hint;            ///< how to mend it
};

/// All rules in the order of the table; the index of one is its Rule.
std::span<const RuleInfo> AllRules();

inline const RuleInfo& InfoOf(Rule rule) { return AllRules()[static_cast<std::size_t>(rule)]; }

}  // namespace ioflux
