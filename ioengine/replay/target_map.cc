// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/target_map.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/byte_source.h"
#include "base/regular_file.h"
#include "base/yaml_node.h"

namespace ioflux {
namespace {

constexpr std::array<std::string_view, 2> kMapKeys = {"target_rewrite", "allow_passthrough"};
constexpr std::uint64_t kMaxMapBytes = 16 << 20;
constexpr std::array<std::string_view, 2> kRuleKeys = {"from", "to"};

/// Length of `scheme://` at the start of `text`, 0 if there is none.
std::size_t SchemeLength(std::string_view text) {
  const std::size_t mark = text.find("://");
  if (mark == std::string_view::npos || mark == 0) return 0;
  const auto in_scheme = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  };
  const bool legal =
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), in_scheme);
  return legal ? mark + 3 : 0;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The path of a file:// URI: host dropped, query and fragment cut, percent-decoded.
std::string PathOfFileUri(std::string_view uri, std::size_t scheme_length) {
  std::string_view rest = uri.substr(scheme_length);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = rest.find('/');
  rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash);
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size() && HexDigit(rest[i + 1]) >= 0 &&
        HexDigit(rest[i + 2]) >= 0) {
      path += static_cast<char>(HexDigit(rest[i + 1]) * 16 + HexDigit(rest[i + 2]));
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

Result<std::string> RequiredText(const YamlNode& rule, std::string_view key) {
  const YamlNode* node = rule.Find(key);
  if (node == nullptr) {
    return rule.ErrorHere("this rule has no '" + std::string(key) + "'",
                          "give each rule a from and a to");
  }
  return node->AsString();
}

/// No name of a file has a zero byte: system calls would cut it there.
Result<void> CheckNoZeroByte(const YamlNode& node, const std::string& text) {
  if (text.find('\0') == std::string::npos) return {};
  return node.ErrorHere("this rule has a zero byte, which no name of a file can have",
                        "write the name without it");
}

Result<TargetMap::Rule> ParseRule(const YamlNode& node) {
  IOFLUX_RETURN_IF_ERROR(node.CheckKeys(kRuleKeys));
  TargetMap::Rule rule;
  rule.line = node.where().line;
  IOFLUX_ASSIGN_OR_RETURN(rule.from, RequiredText(node, "from"));
  IOFLUX_ASSIGN_OR_RETURN(rule.to, RequiredText(node, "to"));
  IOFLUX_RETURN_IF_ERROR(CheckNoZeroByte(node, rule.from + rule.to));
  const std::size_t scheme_length = SchemeLength(rule.to);
  if (scheme_length == 0) return rule;
  std::string scheme = rule.to.substr(0, scheme_length - 3);
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  if (scheme != "file") {
    return node.ErrorHere(
        "this rule maps to " + scheme + "://, which no engine of this build can reach",
        "map to a folder");
  }
  rule.to = PathOfFileUri(rule.to, scheme_length);
  IOFLUX_RETURN_IF_ERROR(CheckNoZeroByte(node, rule.to));
  return rule;
}

}  // namespace

Result<TargetMap> TargetMap::Load(const std::string& path) {
  IOFLUX_RETURN_IF_ERROR(CheckRegularFile(path, "the target map"));
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxMapBytes));
  return Parse(text, path);
}

Result<TargetMap> TargetMap::Parse(std::string_view text, const std::string& name) {
  IOFLUX_ASSIGN_OR_RETURN(const YamlNode root, YamlNode::Parse(text, name));
  IOFLUX_RETURN_IF_ERROR(root.CheckKeys(kMapKeys));
  TargetMap map;
  map.path_ = name;
  if (const YamlNode* passthrough = root.Find("allow_passthrough"); passthrough != nullptr) {
    IOFLUX_ASSIGN_OR_RETURN(map.allow_passthrough_, passthrough->AsBool());
  }
  const YamlNode* rules = root.Find("target_rewrite");
  if (rules != nullptr && rules->kind() != YamlNode::Kind::kSequence) {
    return rules->ErrorHere("target_rewrite is not a list",
                            "write each rule as `- from: …` and `to: …`");
  }
  if (rules != nullptr) {
    for (const YamlNode& node : rules->items()) {
      IOFLUX_ASSIGN_OR_RETURN(Rule rule, ParseRule(node));
      map.rules_.push_back(std::move(rule));
    }
  }
  if (map.rules_.empty() && !map.allow_passthrough_) {
    return root.ErrorHere("this map has no rule",
                          "add a rule to target_rewrite, or run without a map");
  }
  std::stable_sort(map.rules_.begin(), map.rules_.end(),
                   [](const Rule& a, const Rule& b) { return a.from.size() > b.from.size(); });
  map.IndexRules();
  return map;
}

void TargetMap::IndexRules() {
  by_from_.resize(rules_.size());
  std::iota(by_from_.begin(), by_from_.end(), 0U);
  const auto from = [this](std::uint32_t rule) -> const std::string& { return rules_[rule].from; };
  std::stable_sort(by_from_.begin(), by_from_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return from(a) < from(b); });
  by_from_.erase(std::unique(by_from_.begin(), by_from_.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return from(a) == from(b); }),
                 by_from_.end());
  std::vector<std::uint32_t> open;  // each a prefix of the next
  for (std::uint32_t place = 0; place < by_from_.size(); ++place) {
    while (!open.empty() && !from(by_from_[place]).starts_with(from(by_from_[open.back()]))) {
      open.pop_back();
    }
    shorter_.push_back(open.empty() ? kNone : open.back());
    open.push_back(place);
  }
}

// Every `from` that `name` starts with is, or is a prefix of, the last one that does not sort
// behind `name`: whatever sorts between a prefix and the name has that prefix too.
const TargetMap::Rule* TargetMap::Match(std::string_view name) const {
  const auto behind = std::upper_bound(
      by_from_.begin(), by_from_.end(), name,
      [this](std::string_view text, std::uint32_t rule) { return text < rules_[rule].from; });
  if (behind == by_from_.begin()) return nullptr;
  auto place = static_cast<std::uint32_t>(behind - by_from_.begin()) - 1;
  const std::string& last = rules_[by_from_[place]].from;
  const std::size_t shared_bytes = static_cast<std::size_t>(
      std::mismatch(last.begin(), last.end(), name.begin(), name.end()).first - last.begin());
  while (place != kNone && rules_[by_from_[place]].from.size() > shared_bytes) {
    place = shorter_[place];
  }
  return place == kNone ? nullptr : &rules_[by_from_[place]];
}

Result<std::string> TargetMap::Rewrite(const std::string& name, bool allow_passthrough) const {
  if (const Rule* rule = Match(name)) return rule->to + name.substr(rule->from.size());
  if (allow_passthrough_ || allow_passthrough) return name;
  return Error{.kind = ErrorKind::kRefused,
               .what = "no rule of the map matches target '" + name + "'",
               .where = {.path = path_, .line = 0, .item = "target_rewrite"},
               .mend = "add a rule with a `from` that it starts with, or allow passthrough"};
}

}  // namespace ioflux
