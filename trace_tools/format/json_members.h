// SPDX-License-Identifier: GPL-2.0-only
//
// How a JSON value becomes a member of an op or header: the type rules of docs/format.md, shared
// by both parsers. Null means absent, a wrong type is fatal.
//
// Threading: values and pure functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "trace_tools/format/json_sax.h"

namespace ioflux {

class MemberTypes {
 public:
  /// True when it is a whole number in 64 bits; `value` is 0 for null.
  bool TakeInt(std::string_view member, const JsonEvent& event, std::int64_t& value) {
    value = 0;
    if (event.type == JsonType::kNull) return true;
    if (event.type == JsonType::kNumber) {
      const char* const end = event.text.data() + event.text.size();
      const auto [stop, error] = std::from_chars(event.text.data(), end, value);
      if (error == std::errc{} && stop == end) return true;
    }
    return Mismatch(member, "a whole number within 64 bits", event);
  }

  bool TakeString(std::string_view member, const JsonEvent& event, std::string& value) {
    value.clear();
    if (event.type == JsonType::kNull) return true;
    if (event.type != JsonType::kString) return Mismatch(member, "a string", event);
    value = IsValidUtf8(event.text) ? std::string(event.text) : ReplaceInvalidUtf8(event.text);
    return true;
  }

  bool TakeBool(std::string_view member, const JsonEvent& event, bool& value) {
    value = event.boolean;
    const bool fits = event.type == JsonType::kNull || event.type == JsonType::kBool;
    return fits || Mismatch(member, "true or false", event);
  }

  /// An object or array whose content the caller reads next, or null.
  bool Expect(JsonType type, std::string_view member, const JsonEvent& event) {
    if (event.type == JsonType::kNull || event.type == type) return true;
    return Mismatch(member, NameOf(type), event);
  }

  const std::string& problem() const { return problem_; }

 private:
  static std::string_view NameOf(JsonType type) {
    switch (type) {
      case JsonType::kNull:
        return "null";
      case JsonType::kBool:
        return "a boolean";
      case JsonType::kNumber:
        return "a number";
      case JsonType::kString:
        return "a string";
      case JsonType::kObject:
        return "an object";
      case JsonType::kArray:
        return "an array";
    }
    return "";
  }

  bool Mismatch(std::string_view member, std::string_view wanted, const JsonEvent& event) {
    constexpr std::size_t kShownBytes = 40;
    problem_ = std::string(member) + " must be " + std::string(wanted) + ", not ";
    if (event.type == JsonType::kNumber && event.text.size() <= kShownBytes &&
        event.text != kRespelledNumber) {
      problem_ += event.text;
    } else {
      problem_ += NameOf(event.type);
    }
    return false;
  }

  std::string problem_;
};

}  // namespace ioflux
