// SPDX-License-Identifier: GPL-2.0-only
//
// JSON documents (results, side files, fio's output): a thin owner of jansson's json_t with typed
// getters whose errors name the file, the line of a syntax error, and the path inside the document
// (`jobs[3].read.io_bytes`).
//
// A JsonValue is a handle: copies share one document (reference count), so copying is cheap and a
// change through one copy shows in the others. Not for traces: those are lines, read by
// trace_tools/format. Threading: a document belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct json_t;

namespace ioflux {

class JsonValue {
 public:
  /// Null.
  JsonValue();
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(JsonValue);
  ~JsonValue();

  /// One document and nothing after it. Of duplicate keys the last one counts. kInput, with the
  /// line, for bad syntax, invalid UTF-8, nesting deeper than 2,048 and integers below -2^63 or
  /// above 2^64-1.
  static Result<JsonValue> Parse(std::string_view text, std::string name);
  /// Of a file, plain or compressed, or `-`.
  static Result<JsonValue> Load(const std::string& path_or_dash);

  static JsonValue Object();
  static JsonValue Array();
  static JsonValue Int(std::int64_t value);
  static JsonValue Uint(std::uint64_t value);  ///< exact up to 2^64-1
  static JsonValue Real(double value);         ///< infinite or no number: null
  static JsonValue Bool(bool value);
  static JsonValue String(std::string_view value);  ///< invalid UTF-8 becomes U+FFFD

  // --- building; keys keep insertion order -------------------------------------------------------
  JsonValue& Set(std::string_view key, JsonValue value);  ///< this must be an object
  JsonValue& Set(std::string_view key, std::int64_t value);
  JsonValue& Set(std::string_view key, std::uint64_t value);  ///< exact up to 2^64-1
  JsonValue& Set(std::string_view key, int value);
  JsonValue& Set(std::string_view key, double value);
  JsonValue& Set(std::string_view key, bool value);
  JsonValue& Set(std::string_view key, std::string_view value);
  JsonValue& Set(std::string_view key, const char* value);
  JsonValue& Append(JsonValue value);  ///< this must be an array

  // --- reading -----------------------------------------------------------------------------------
  bool is_null() const;
  bool is_object() const;
  bool is_array() const;
  bool Has(std::string_view key) const;  ///< present and not null

  /// Member that must be there, of that type; the error names the file and the path.
  Result<JsonValue> GetObject(std::string_view key) const;
  Result<JsonValue> GetArray(std::string_view key) const;
  Result<std::int64_t> GetInt(std::string_view key) const;
  Result<std::uint64_t> GetUint(std::string_view key) const;
  Result<double> GetReal(std::string_view key) const;  ///< an integer is accepted
  Result<bool> GetBool(std::string_view key) const;
  Result<std::string> GetString(std::string_view key) const;

  /// Member that may be absent or null (then `fallback`), but must have the type if present.
  Result<std::int64_t> GetIntOr(std::string_view key, std::int64_t fallback) const;
  Result<double> GetRealOr(std::string_view key, double fallback) const;
  Result<bool> GetBoolOr(std::string_view key, bool fallback) const;
  Result<std::string> GetStringOr(std::string_view key, std::string_view fallback) const;

  /// This value itself.
  Result<std::int64_t> AsInt() const;    ///< 2^63-1 for an integer beyond it
  Result<std::uint64_t> AsUint() const;  ///< not negative
  Result<double> AsReal() const;
  Result<bool> AsBool() const;
  Result<std::string> AsString() const;
  Result<JsonValue> AsObject() const;
  Result<JsonValue> AsArray() const;

  std::size_t size() const;                    ///< elements or members; 0 otherwise
  JsonValue At(std::size_t index) const;       ///< element; null when out of range
  JsonValue Find(std::string_view key) const;  ///< member; null when absent
  std::vector<std::string> Keys() const;       ///< in document order

  // --- writing -----------------------------------------------------------------------------------
  // Numbers are those of FormatShortest (base/number_text.h) in every locale; U+2028 and U+2029 are
  // escaped.

  /// Two-space indent and a trailing newline, keys in insertion order. With `escape_html` the
  /// characters `<`, `>` and `&` are written as \u00XX (IOFlux's encoder does so).
  std::string Dump(bool escape_html = true) const;
  /// One line, no trailing newline, no HTML escapes.
  std::string DumpCompact() const;

  /// Where this value came from, for errors: file name and path inside the document.
  const Where& where() const { return where_; }

  /// An Error of kind kInput at this value.
  Error ErrorHere(std::string what, std::string mend = "") const;

 private:
  JsonValue(json_t* owned, Where where);
  Where Inside(std::string_view key) const;
  Error WrongType(std::string_view wanted) const;
  template <typename T>
  Result<T> Required(std::string_view key, Result<T> (JsonValue::*convert)() const) const;
  template <typename T>
  Result<T> Optional(std::string_view key, T fallback,
                     Result<T> (JsonValue::*convert)() const) const;

  json_t* json_ = nullptr;  // owned reference
  Where where_;
};

}  // namespace ioflux
