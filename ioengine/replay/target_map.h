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
  std::vector<Rule> rules_;
  bool allow_passthrough_ = false;
  std::string path_;
};

}  // namespace ioflux
