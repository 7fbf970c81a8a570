// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_dump.h"

#include <jansson.h>

#include <array>
#include <string_view>

#include "base/json_big_integer.h"
#include "base/json_text.h"
#include "base/number_text.h"

namespace ioflux {
namespace {

class Dumper {
 public:
  explicit Dumper(JsonDumpOptions options) : options_(options) {}

  void Value(const json_t* value, int depth) {
    switch (json_typeof(value)) {
      case JSON_OBJECT:
        Object(value, depth);
        return;
      case JSON_ARRAY:
        Array(value, depth);
        return;
      case JSON_STRING:
        if (const auto big = BigInteger(value)) {
          text_ += std::to_string(*big);
          return;
        }
        String({json_string_value(value), json_string_length(value)});
        return;
      case JSON_INTEGER: {
        std::array<char, kMaxDecimalBytes> digits;
        text_.append(digits.data(), AppendDecimal(digits.data(), json_integer_value(value)));
        return;
      }
      case JSON_REAL:
        text_ += FormatShortest(json_real_value(value));
        return;
      case JSON_TRUE:
        text_ += "true";
        return;
      case JSON_FALSE:
        text_ += "false";
        return;
      case JSON_NULL:
        text_ += "null";
        return;
    }
  }

  std::string Take() && { return std::move(text_); }

 private:
  void NewLine(int depth) {
    if (!options_.indent) return;
    text_ += '\n';
    text_.append(static_cast<std::size_t>(depth) * 2, ' ');
  }

  void Object(const json_t* object, int depth) {
    text_ += '{';
    bool first = true;
    const char* key = nullptr;
    std::size_t key_bytes = 0;
    json_t* member = nullptr;
    // The macro's iterators are not const-correct; nothing is changed through them.
    json_object_keylen_foreach(const_cast<json_t*>(object), key, key_bytes, member) {
      if (!first) text_ += ',';
      first = false;
      NewLine(depth + 1);
      String({key, key_bytes});
      text_ += options_.indent ? ": " : ":";
      Value(member, depth + 1);
    }
    if (!first) NewLine(depth);
    text_ += '}';
  }

  void Array(const json_t* array, int depth) {
    text_ += '[';
    const std::size_t count = json_array_size(array);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text_ += ',';
      NewLine(depth + 1);
      Value(json_array_get(array, i), depth + 1);
    }
    if (count != 0) NewLine(depth);
    text_ += ']';
  }

  void String(std::string_view value) {
    if (!options_.escape_html || value.find_first_of("<>&") == std::string_view::npos) {
      AppendJsonString(text_, value);
      return;
    }
    std::string quoted;
    AppendJsonString(quoted, value);
    for (const char c : quoted) {
      if (c == '<') {
        text_ += "\\u003c";
      } else if (c == '>') {
        text_ += "\\u003e";
      } else if (c == '&') {
        text_ += "\\u0026";
      } else {
        text_ += c;
      }
    }
  }

  JsonDumpOptions options_;
  std::string text_;
};

}  // namespace

std::string DumpJson(const json_t* value, JsonDumpOptions options) {
  Dumper dumper(options);
  dumper.Value(value, 0);
  std::string text = std::move(dumper).Take();
  if (options.indent) text += '\n';
  return text;
}

}  // namespace ioflux
