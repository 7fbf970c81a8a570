// SPDX-License-Identifier: GPL-2.0-only
//
// YAML configuration files: libyaml's events turned into a small tree that knows its line numbers.
//
// Duplicate keys, anchors, aliases, tags, several documents, non-scalar keys, nesting beyond 100
// and more than a million nodes are errors. Every getter error names file, line and path.
// CheckKeys() makes an unknown key an error with the nearest known name, so that a misspelt key
// never means "nothing".
//
// Cost: time in proportion to the text, a few hundred bytes a node. Threading: a tree is const
// after Parse.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ioflux {

class YamlNode {
 public:
  enum class Kind : std::uint8_t { kNull, kScalar, kSequence, kMapping };

  /// An empty file is a kNull node.
  static Result<YamlNode> Parse(std::string_view text, const std::string& name);
  static Result<YamlNode> Load(const std::string& path_or_dash);

  Kind kind() const { return kind_; }
  Where where() const;

  /// kInput error naming the first key of this mapping that is not in `known`; an error too when
  /// this is not a mapping.
  Result<void> CheckKeys(std::span<const std::string_view> known) const;

  const YamlNode* Find(std::string_view key) const;              ///< nullptr when absent
  const std::vector<YamlNode>& items() const { return items_; }  ///< of a sequence
  const std::vector<std::pair<std::string, YamlNode>>& members() const { return members_; }

  Result<std::string> AsString() const;  ///< any scalar, as written
  Result<bool> AsBool() const;           ///< true/false/yes/no/on/off, unquoted
  Result<std::int64_t> AsInt() const;
  Result<double> AsReal() const;

  /// An Error of kind kInput at this node.
  Error ErrorHere(std::string what, std::string mend = "") const;

 private:
  std::string Given() const;  ///< for errors: what stands there instead

  friend class YamlTreeBuilder;
  // A node's place in the tree. Each knows only what the one above it does not, so that long keys
  // and deep nesting cost what they are written with.
  struct Place {
    std::shared_ptr<const Place> above;  // of the root: null, and `step` is the name of the file
    std::string step;                    // "key" or "[3]"
  };

  Kind kind_ = Kind::kNull;
  std::shared_ptr<const Place> place_;
  std::uint64_t line_ = 0;
  std::string scalar_;
  bool quoted_ = false;
  std::vector<YamlNode> items_;
  std::vector<std::pair<std::string, YamlNode>> members_;
};

}  // namespace ioflux
