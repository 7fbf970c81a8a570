// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_value.h"

#include <jansson.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/byte_source.h"
#include "base/json_big_integer.h"
#include "base/json_dump.h"
#include "base/utf8.h"

namespace ioflux {
namespace {

std::string_view TypeName(const json_t* value) {
  if (BigInteger(value)) return "an integer";
  switch (json_typeof(value)) {
    case JSON_OBJECT:
      return "an object";
    case JSON_ARRAY:
      return "an array";
    case JSON_STRING:
      return "a string";
    case JSON_INTEGER:
      return "an integer";
    case JSON_REAL:
      return "a number with a fraction or exponent";
    case JSON_TRUE:
    case JSON_FALSE:
      return "a boolean";
    case JSON_NULL:
      break;
  }
  return "null";
}

// Building a document wrongly is a bug of the caller, not an input error.
void Require(bool condition) {
  if (!condition) throw std::logic_error("JSON document built wrongly");
}

}  // namespace

JsonValue::JsonValue() : json_(json_null()) {}
JsonValue::JsonValue(json_t* owned, Where where) : json_(owned), where_(std::move(where)) {
  Require(json_ != nullptr);
}
JsonValue::JsonValue(const JsonValue& other)
    : json_(json_incref(other.json_)), where_(other.where_) {}
JsonValue::JsonValue(JsonValue&& other) noexcept
    : json_(std::exchange(other.json_, json_null())), where_(std::move(other.where_)) {}
JsonValue& JsonValue::operator=(JsonValue other) {
  std::swap(json_, other.json_);
  std::swap(where_, other.where_);
  return *this;
}
JsonValue::~JsonValue() { json_decref(json_); }

Result<JsonValue> JsonValue::Parse(std::string_view text, std::string name) {
  json_error_t problem;
  json_t* root = LoadWithBigIntegers(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
  if (root != nullptr) return JsonValue(root, Where{.path = std::move(name)});
  return Error{.kind = ErrorKind::kInput,
               .what = std::string("it is not valid JSON: ") + problem.text,
               .where = {.path = std::move(name),
                         .line = problem.line > 0 ? static_cast<std::uint64_t>(problem.line) : 0}};
}

Result<JsonValue> JsonValue::Load(const std::string& path_or_dash) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path_or_dash));
  return Parse(text, path_or_dash == "-" ? "standard input" : path_or_dash);
}

JsonValue JsonValue::Object() { return {json_object(), {}}; }
JsonValue JsonValue::Array() { return {json_array(), {}}; }
JsonValue JsonValue::Int(std::int64_t value) { return {json_integer(value), {}}; }
JsonValue JsonValue::Uint(std::uint64_t value) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (value > kLargest) return {NewBigInteger(value), {}};
  return Int(static_cast<std::int64_t>(value));
}
JsonValue JsonValue::Real(double value) {
  return {std::isfinite(value) ? json_real(value) : json_null(), {}};
}
JsonValue JsonValue::Bool(bool value) { return {json_boolean(value), {}}; }
JsonValue JsonValue::String(std::string_view value) {
  const std::string valid = ReplaceInvalidUtf8(value);
  return {json_stringn(valid.data(), valid.size()), {}};
}

JsonValue& JsonValue::Set(std::string_view key, JsonValue value) {
  const std::string valid = ReplaceInvalidUtf8(key);
  Require(json_object_setn(json_, valid.data(), valid.size(), value.json_) == 0);
  return *this;
}
JsonValue& JsonValue::Set(std::string_view key, std::int64_t value) { return Set(key, Int(value)); }
JsonValue& JsonValue::Set(std::string_view key, std::uint64_t value) {
  return Set(key, Uint(value));
}
JsonValue& JsonValue::Set(std::string_view key, int value) { return Set(key, Int(value)); }
JsonValue& JsonValue::Set(std::string_view key, double value) { return Set(key, Real(value)); }
JsonValue& JsonValue::Set(std::string_view key, bool value) { return Set(key, Bool(value)); }
JsonValue& JsonValue::Set(std::string_view key, std::string_view value) {
  return Set(key, String(value));
}
JsonValue& JsonValue::Set(std::string_view key, const char* value) {
  return Set(key, String(value));
}
JsonValue& JsonValue::Append(JsonValue value) {
  Require(json_array_append(json_, value.json_) == 0);
  return *this;
}

bool JsonValue::is_null() const { return json_is_null(json_); }
bool JsonValue::is_object() const { return json_is_object(json_); }
bool JsonValue::is_array() const { return json_is_array(json_); }
bool JsonValue::Has(std::string_view key) const { return !Find(key).is_null(); }

Where JsonValue::Inside(std::string_view key) const {
  Where inside = where_;
  if (!inside.item.empty()) inside.item += '.';
  inside.item += key;
  return inside;
}

Error JsonValue::ErrorHere(std::string what, std::string mend) const {
  return Error{
      .kind = ErrorKind::kInput, .what = std::move(what), .where = where_, .mend = std::move(mend)};
}

Error JsonValue::WrongType(std::string_view wanted) const {
  return ErrorHere("it must be " + std::string(wanted) + ", but it is " +
                   std::string(TypeName(json_)));
}

Result<std::int64_t> JsonValue::AsInt() const {
  if (BigInteger(json_)) return std::numeric_limits<std::int64_t>::max();
  if (!json_is_integer(json_)) return WrongType("an integer");
  return static_cast<std::int64_t>(json_integer_value(json_));
}
Result<std::uint64_t> JsonValue::AsUint() const {
  if (const auto big = BigInteger(json_)) return *big;
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t value, AsInt());
  if (value < 0) return ErrorHere("it must not be negative, but it is " + std::to_string(value));
  return static_cast<std::uint64_t>(value);
}
Result<double> JsonValue::AsReal() const {
  if (const auto big = BigInteger(json_)) return static_cast<double>(*big);
  if (!json_is_number(json_)) return WrongType("a number");
  return json_number_value(json_);
}
Result<bool> JsonValue::AsBool() const {
  if (!json_is_boolean(json_)) return WrongType("true or false");
  return static_cast<bool>(json_boolean_value(json_));
}
Result<std::string> JsonValue::AsString() const {
  if (!json_is_string(json_) || BigInteger(json_)) return WrongType("a string");
  return std::string(json_string_value(json_), json_string_length(json_));
}

template <typename T>
Result<T> JsonValue::Required(std::string_view key, Result<T> (JsonValue::*convert)() const) const {
  if (!is_object()) return WrongType("an object");
  const JsonValue member = Find(key);
  if (member.is_null()) {
    return Error{.kind = ErrorKind::kInput, .what = "it is missing", .where = Inside(key)};
  }
  return (member.*convert)();
}

template <typename T>
Result<T> JsonValue::Optional(std::string_view key, T fallback,
                              Result<T> (JsonValue::*convert)() const) const {
  const JsonValue member = Find(key);
  if (member.is_null()) return fallback;
  return (member.*convert)();
}

Result<JsonValue> JsonValue::AsObject() const {
  if (!is_object()) return WrongType("an object");
  return *this;
}
Result<JsonValue> JsonValue::AsArray() const {
  if (!is_array()) return WrongType("an array");
  return *this;
}

Result<JsonValue> JsonValue::GetObject(std::string_view key) const {
  return Required(key, &JsonValue::AsObject);
}
Result<JsonValue> JsonValue::GetArray(std::string_view key) const {
  return Required(key, &JsonValue::AsArray);
}
Result<std::int64_t> JsonValue::GetInt(std::string_view key) const {
  return Required(key, &JsonValue::AsInt);
}
Result<std::uint64_t> JsonValue::GetUint(std::string_view key) const {
  return Required(key, &JsonValue::AsUint);
}
Result<double> JsonValue::GetReal(std::string_view key) const {
  return Required(key, &JsonValue::AsReal);
}
Result<bool> JsonValue::GetBool(std::string_view key) const {
  return Required(key, &JsonValue::AsBool);
}
Result<std::string> JsonValue::GetString(std::string_view key) const {
  return Required(key, &JsonValue::AsString);
}
Result<std::int64_t> JsonValue::GetIntOr(std::string_view key, std::int64_t fallback) const {
  return Optional(key, fallback, &JsonValue::AsInt);
}
Result<double> JsonValue::GetRealOr(std::string_view key, double fallback) const {
  return Optional(key, fallback, &JsonValue::AsReal);
}
Result<bool> JsonValue::GetBoolOr(std::string_view key, bool fallback) const {
  return Optional(key, fallback, &JsonValue::AsBool);
}
Result<std::string> JsonValue::GetStringOr(std::string_view key, std::string_view fallback) const {
  return Optional(key, std::string(fallback), &JsonValue::AsString);
}

std::size_t JsonValue::size() const {
  return is_array() ? json_array_size(json_) : json_object_size(json_);
}

JsonValue JsonValue::At(std::size_t index) const {
  Where inside = where_;
  inside.item += "[" + std::to_string(index) + "]";
  json_t* element = json_array_get(json_, index);
  return {element != nullptr ? json_incref(element) : json_null(), std::move(inside)};
}

JsonValue JsonValue::Find(std::string_view key) const {
  json_t* member = json_object_getn(json_, key.data(), key.size());
  return {member != nullptr ? json_incref(member) : json_null(), Inside(key)};
}

std::vector<std::string> JsonValue::Keys() const {
  std::vector<std::string> keys;
  const char* key = nullptr;
  std::size_t key_bytes = 0;
  json_t* member = nullptr;
  json_object_keylen_foreach(json_, key, key_bytes, member) keys.emplace_back(key, key_bytes);
  return keys;
}

std::string JsonValue::Dump(bool escape_html) const {
  return DumpJson(json_, {.indent = true, .escape_html = escape_html});
}
std::string JsonValue::DumpCompact() const {
  return DumpJson(json_, {.indent = false, .escape_html = false});
}

}  // namespace ioflux
