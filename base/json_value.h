// SPDX-License-Identifier: GPL-2.0-only
//
// JSON documents (results, side files, fio's output): a thin owner of jansson's json_t with typed
// getters whose errors name the file, the line of a syntax error, and the path inside the document
// (`jobs[3].read.io_bytes`).
//
// JsonValue shares ownership (reference count); copying is cheap. Not for traces: those are lines,
// read by trace_tools/format. Threading: a document belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
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

  static Result<JsonValue> Parse(std::string_view text, std::string name);
  static Result<JsonValue> Load(const std::string& path);

  static JsonValue Object();
  static JsonValue Array();
  static JsonValue Int(std::int64_t value);
  static JsonValue Real(double value);
  static JsonValue Bool(bool value);
  static JsonValue String(std::string_view value);  ///< invalid UTF-8 becomes U+FFFD

  // --- building; keys keep insertion order -------------------------------------------------------
  JsonValue& Set(std::string_view key, JsonValue value);  ///< this must be an object
  JsonValue& Set(std::string_view key, std::int64_t value);
  JsonValue& Set(std::string_view key, std::uint64_t value);
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
  Result<double> GetReal(std::string_view key) const;  ///< an integer is accepted
  Result<bool> GetBool(std::string_view key) const;
  Result<std::string> GetString(std::string_view key) const;

  /// Member that may be absent or null (then `fallback`), but must have the type if present.
  Result<std::int64_t> GetIntOr(std::string_view key, std::int64_t fallback) const;
  Result<double> GetRealOr(std::string_view key, double fallback) const;
  Result<bool> GetBoolOr(std::string_view key, bool fallback) const;
  Result<std::string> GetStringOr(std::string_view key, std::string_view fallback) const;

  /// This value itself.
  Result<std::int64_t> AsInt() const;
  Result<double> AsReal() const;
  Result<std::string> AsString() const;

  std::size_t size() const;                    ///< elements or members; 0 otherwise
  JsonValue At(std::size_t index) const;       ///< element; null when out of range
  JsonValue Find(std::string_view key) const;  ///< member; null when absent
  std::vector<std::string> Keys() const;       ///< in document order

  /// Two-space indent and a trailing newline, keys in insertion order. With `escape_html` the
  /// characters `<`, `>` and `&` are written as \u00XX (IOFlux's encoder does so).
  std::string Dump(bool escape_html = true) const;
  /// One line, no trailing newline.
  std::string DumpCompact() const;

  /// Where this value came from, for errors: file name and path inside the document.
  const Where& where() const { return where_; }

 private:
  JsonValue(json_t* owned, Where where);
  json_t* json_ = nullptr;  // owned reference
  Where where_;
};

}  // namespace ioflux
