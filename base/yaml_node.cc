// SPDX-License-Identifier: GPL-2.0-only
#include "base/yaml_node.h"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <unordered_set>

#include "base/byte_source.h"
#include "base/nearest_name.h"
#include "base/number_text.h"

namespace ioflux {
namespace {

constexpr int kDeepestNesting = 100;
constexpr std::size_t kMostNodes = 1'000'000;
// Keys of a mapping of up to this many are compared one by one.
constexpr std::size_t kFewKeys = 16;

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 5> kNullWords = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 9> kTrueWords = {"true", "True", "TRUE", "yes", "Yes",
                                                        "YES",  "on",   "On",   "ON"};
constexpr std::array<std::string_view, 9> kFalseWords = {"false", "False", "FALSE", "no", "No",
                                                         "NO",    "off",   "Off",   "OFF"};

std::uint64_t LineOf(const yaml_mark_t& mark) { return static_cast<std::uint64_t>(mark.line) + 1; }

}  // namespace

/// Turns the events of one document into nodes.
class YamlTreeBuilder {
 public:
  YamlTreeBuilder(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  YamlTreeBuilder(const YamlTreeBuilder&) = delete;
  YamlTreeBuilder& operator=(const YamlTreeBuilder&) = delete;
  ~YamlTreeBuilder() {
    DropEvent();
    yaml_parser_delete(&parser_);
  }

  Result<YamlNode> Build() {
    IOFLUX_RETURN_IF_ERROR(Next());  // stream start
    IOFLUX_RETURN_IF_ERROR(Next());
    YamlNode root;
    const auto place = std::make_shared<YamlNode::Place>(YamlNode::Place{nullptr, name_});
    root.place_ = place;
    root.line_ = 1;
    if (event_.type == YAML_STREAM_END_EVENT) return root;
    IOFLUX_RETURN_IF_ERROR(Next());  // past document start
    IOFLUX_RETURN_IF_ERROR(BuildNode(root, place, 0));
    IOFLUX_RETURN_IF_ERROR(Next());  // document end
    IOFLUX_RETURN_IF_ERROR(Next());
    if (event_.type != YAML_STREAM_END_EVENT) return Fail("there is a second document");
    return root;
  }

 private:
  void DropEvent() {
    if (event_held_) yaml_event_delete(&event_);
    event_held_ = false;
  }

  Result<void> Next() {
    DropEvent();
    if (yaml_parser_parse(&parser_, &event_) == 0) return SyntaxError();
    event_held_ = true;
    return {};
  }

  Error Fail(std::string what) const {
    return Error{.kind = ErrorKind::kInput,
                 .what = std::move(what),
                 .where = {.path = name_, .line = LineOf(event_.start_mark)}};
  }

  Error SyntaxError() const {
    std::uint64_t line = LineOf(parser_.problem_mark);
    if (parser_.error == YAML_READER_ERROR) {
      // The reader knows the byte, not the line.
      const auto end = std::min<std::size_t>(parser_.problem_offset, text_.size());
      line = 1 + static_cast<std::uint64_t>(std::count(text_.begin(), text_.begin() + end, '\n'));
    }
    const char* problem = parser_.problem != nullptr ? parser_.problem : "unreadable";
    return Error{.kind = ErrorKind::kInput,
                 .what = std::string("it is not valid YAML: ") + problem,
                 .where = {.path = name_, .line = line}};
  }

  static std::string Text(const yaml_char_t* value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(value), bytes);
  }

  // The current event begins `node`; afterwards it is the last one of it.
  Result<void> BuildNode(YamlNode& node, std::shared_ptr<const YamlNode::Place> place, int depth) {
    node.place_ = std::move(place);
    node.line_ = LineOf(event_.start_mark);
    if (depth > kDeepestNesting) return Fail("it is nested too deeply");
    if (++nodes_ > kMostNodes) {
      return Fail("it has more than " + std::to_string(kMostNodes) + " values");
    }
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        return BuildScalar(node);
      case YAML_SEQUENCE_START_EVENT:
        if (event_.data.sequence_start.anchor != nullptr) return Anchored();
        if (event_.data.sequence_start.tag != nullptr) return Tagged();
        return BuildSequence(node, depth);
      case YAML_MAPPING_START_EVENT:
        if (event_.data.mapping_start.anchor != nullptr) return Anchored();
        if (event_.data.mapping_start.tag != nullptr) return Tagged();
        return BuildMapping(node, depth);
      default:
        return Anchored();
    }
  }

  Error Anchored() const { return Fail("anchors and aliases (& and *) are not supported"); }
  Error Tagged() const { return Fail("tags (!) are not supported"); }

  Result<void> BuildScalar(YamlNode& node) {
    const auto& scalar = event_.data.scalar;
    if (scalar.anchor != nullptr) return Anchored();
    if (scalar.tag != nullptr) return Tagged();
    node.scalar_ = Text(scalar.value, scalar.length);
    node.quoted_ = scalar.style != YAML_PLAIN_SCALAR_STYLE;
    const bool is_null = !node.quoted_ && IsOneOf(node.scalar_, kNullWords);
    node.kind_ = is_null ? YamlNode::Kind::kNull : YamlNode::Kind::kScalar;
    return {};
  }

  static std::shared_ptr<const YamlNode::Place> Below(const YamlNode& node, std::string step) {
    return std::make_shared<YamlNode::Place>(YamlNode::Place{node.place_, std::move(step)});
  }

  Result<void> BuildSequence(YamlNode& node, int depth) {
    node.kind_ = YamlNode::Kind::kSequence;
    IOFLUX_RETURN_IF_ERROR(Next());
    while (event_.type != YAML_SEQUENCE_END_EVENT) {
      auto inside = Below(node, "[" + std::to_string(node.items_.size()) + "]");
      IOFLUX_RETURN_IF_ERROR(BuildNode(node.items_.emplace_back(), std::move(inside), depth + 1));
      IOFLUX_RETURN_IF_ERROR(Next());
    }
    return {};
  }

  // Whether `key` is in `node` already. `seen` holds the keys once there are many.
  static bool IsThere(const YamlNode& node, const std::string& key,
                      std::unordered_set<std::string>& seen) {
    if (node.members_.size() < kFewKeys) return node.Find(key) != nullptr;
    if (seen.empty()) {
      for (const auto& [name, value] : node.members_) seen.insert(name);
    }
    return !seen.insert(key).second;
  }

  Result<void> BuildMapping(YamlNode& node, int depth) {
    node.kind_ = YamlNode::Kind::kMapping;
    std::unordered_set<std::string> seen;
    IOFLUX_RETURN_IF_ERROR(Next());
    while (event_.type != YAML_MAPPING_END_EVENT) {
      if (event_.type != YAML_SCALAR_EVENT) return Fail("a key must be a plain word");
      if (event_.data.scalar.anchor != nullptr) return Anchored();
      if (event_.data.scalar.tag != nullptr) return Tagged();
      std::string key = Text(event_.data.scalar.value, event_.data.scalar.length);
      if (IsThere(node, key, seen)) return Fail("the key '" + key + "' is there twice");
      IOFLUX_RETURN_IF_ERROR(Next());
      auto inside = Below(node, key);
      auto& member = node.members_.emplace_back(std::move(key), YamlNode());
      IOFLUX_RETURN_IF_ERROR(BuildNode(member.second, std::move(inside), depth + 1));
      IOFLUX_RETURN_IF_ERROR(Next());
    }
    return {};
  }

  std::string_view text_;
  const std::string& name_;
  yaml_parser_t parser_ = {};
  yaml_event_t event_ = {};
  bool event_held_ = false;
  std::size_t nodes_ = 0;
};

Result<YamlNode> YamlNode::Parse(std::string_view text, const std::string& name) {
  return YamlTreeBuilder(text, name).Build();
}

Result<YamlNode> YamlNode::Load(const std::string& path_or_dash) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path_or_dash));
  return Parse(text, path_or_dash == "-" ? "standard input" : path_or_dash);
}

Where YamlNode::where() const {
  Where where{.path = {}, .line = line_, .item = {}};
  std::vector<const Place*> steps;  // from here up
  for (const Place* place = place_.get(); place != nullptr; place = place->above.get()) {
    steps.push_back(place);
  }
  if (!steps.empty()) where.path = steps.back()->step;
  for (std::size_t i = steps.size(); i > 1; --i) {
    const std::string& step = steps[i - 2]->step;
    if (!where.item.empty() && !step.starts_with('[')) where.item += '.';
    where.item += step;
  }
  return where;
}

Error YamlNode::ErrorHere(std::string what, std::string mend) const {
  return Error{.kind = ErrorKind::kInput,
               .what = std::move(what),
               .where = where(),
               .mend = std::move(mend)};
}

Result<void> YamlNode::CheckKeys(std::span<const std::string_view> known) const {
  if (kind_ != Kind::kMapping) return ErrorHere("it must be a mapping (key: value)");
  for (const auto& [key, value] : members_) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return value.ErrorHere("unknown key '" + key + "'", SuggestName(key, known));
  }
  return {};
}

const YamlNode* YamlNode::Find(std::string_view key) const {
  for (const auto& [name, value] : members_) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<std::string> YamlNode::AsString() const {
  if (kind_ != Kind::kScalar) return ErrorHere("it must be a single value");
  return scalar_;
}

Result<bool> YamlNode::AsBool() const {
  if (kind_ == Kind::kScalar && !quoted_) {
    if (IsOneOf(scalar_, kTrueWords)) return true;
    if (IsOneOf(scalar_, kFalseWords)) return false;
  }
  return ErrorHere("it must be true or false" + Given());
}

Result<std::int64_t> YamlNode::AsInt() const {
  const std::optional<std::int64_t> value =
      kind_ == Kind::kScalar && !quoted_ ? ParseInteger(scalar_) : std::nullopt;
  if (!value) return ErrorHere("it must be a whole number" + Given());
  return *value;
}

Result<double> YamlNode::AsReal() const {
  const std::optional<double> value =
      kind_ == Kind::kScalar && !quoted_ ? ParseReal(scalar_) : std::nullopt;
  if (!value || !std::isfinite(*value)) return ErrorHere("it must be a number" + Given());
  return *value;
}

std::string YamlNode::Given() const {
  return kind_ == Kind::kScalar ? ", but it is '" + scalar_ + "'" : "";
}

}  // namespace ioflux
