// SPDX-License-Identifier: GPL-2.0-only
//
// TargetMap: rewrites target names by prefix, from a YAML file.
//
//   target_rewrite:
//     - from: "/mnt/train/"    # literal prefix, may be ""
//       to: "./data/"          # replacement; the rest of the name is appended
//   allow_passthrough: false   # true: a name that no rule matches stays as it is
//
// The longest matching `from` wins; empty ones come last, in file order. Unknown keys, an empty
// rule list, and rules for another kind of storage than the engine's are errors, so that a misspelt
// map never means "no map".
//
// Cost: reading a map takes time in proportion to its text (times the logarithm of the number of
// rules); a look-up about as many comparisons as that logarithm, however many rules there are.
// Threading: const after Load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ioflux {

class TargetMap {
 public:
  struct Rule {
    std::string from;
    std::string to;
    std::uint64_t line = 0;
  };

  static Result<TargetMap> Load(const std::string& path);
  static Result<TargetMap> Parse(std::string_view text, const std::string& name);

  /// The new name; kRefused when no rule matches and passthrough (of the file, or
  /// `allow_passthrough`) is off.
  Result<std::string> Rewrite(const std::string& name, bool allow_passthrough) const;

  const std::vector<Rule>& rules() const { return rules_; }  ///< in order of precedence

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void IndexRules();
  const Rule* Match(std::string_view name) const;

  std::vector<Rule> rules_;
  // Rules by the bytes of their `from`, of equal ones the first; and for each the place there of
  // the longest other `from` that its own starts with.
  std::vector<std::uint32_t> by_from_;
  std::vector<std::uint32_t> shorter_;
  bool allow_passthrough_ = false;
  std::string path_;
};

}  // namespace ioflux
