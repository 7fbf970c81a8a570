// SPDX-License-Identifier: GPL-2.0-only
//
// Field lists: a struct names its JSON members once, and both directions follow from that list.
//
//   struct Cpu {
//     std::int64_t user_ns = 0;
//     template <typename Self, typename Archive>
//     static void Fields(Self& self, Archive& archive) {
//       archive.Required("user_ns", self.user_ns);
//     }
//   };
//
// Three ways to be a member:
//   Required  always written; must be there on reading
//   Optional  left out when zero, empty or false; absent reads as that
//   Own       always written, must be there in our files, may be absent in files of IOFlux
//
// Understood types: bool, int64_t, uint64_t, double, string, LatencyHistogram, vector, map by
// string, optional, and structs with a field list. Threading: values, no shared state.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/histogram_json.h"
#include "base/json_value.h"
#include "base/latency_histogram.h"
#include "base/result.h"

namespace ioflux {

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
JsonValue ToJson(const T& value);

/// Builds the JSON object of a struct.
class FieldWriter {
 public:
  FieldWriter() : object_(JsonValue::Object()) {}

  template <typename T>
  void Required(std::string_view key, const T& value) {
    object_.Set(key, ToJson(value));
  }
  template <typename T>
  void Own(std::string_view key, const T& value) {
    Required(key, value);
  }
  template <typename T>
  void Optional(std::string_view key, const T& value) {
    if constexpr (kIsOptional<T>) {
      if (value.has_value()) Required(key, *value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (value != T{}) Required(key, value);
    } else {
      if (!value.empty()) Required(key, value);
    }
  }

  JsonValue Take() { return std::move(object_); }

 private:
  JsonValue object_;
};

template <typename T>
JsonValue ToJson(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return JsonValue::Bool(value);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return JsonValue::Int(value);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return JsonValue::Uint(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return JsonValue::Real(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return JsonValue::String(value);
  } else if constexpr (std::is_same_v<T, LatencyHistogram>) {
    return HistogramToJson(value);
  } else if constexpr (std::is_same_v<T, PackedHistogram>) {
    return PackedHistogramToJson(value);
  } else if constexpr (kIsVector<T>) {
    JsonValue array = JsonValue::Array();
    for (const auto& element : value) array.Append(ToJson(element));
    return array;
  } else if constexpr (kIsMap<T>) {
    JsonValue object = JsonValue::Object();
    for (const auto& [key, element] : value) object.Set(key, ToJson(element));
    return object;
  } else {
    FieldWriter writer;
    T::Fields(value, writer);
    return writer.Take();
  }
}

/// Who wrote the document that is being read.
enum class FieldOrigin : std::uint8_t {
  kOwn,     ///< this program: every Own member must be there
  kIoflux,  ///< IOFlux: Own members may be absent
};

template <typename T>
Result<void> FromJson(const JsonValue& json, FieldOrigin origin, T& out);

/// Fills a struct from a JSON object. The first error stays; what comes after it is not read.
class FieldReader {
 public:
  FieldReader(JsonValue object, FieldOrigin origin) : object_(std::move(object)), origin_(origin) {}

  /// Treats the member `key` as if it were not there, and not missing either.
  void Ignore(std::string_view key) { ignored_ = key; }

  template <typename T>
  void Required(std::string_view key, T& out) {
    if (result_.ok() && key != ignored_) result_ = Read(key, out);
  }
  template <typename T>
  void Optional(std::string_view key, T& out) {
    if (object_.Has(key)) Required(key, out);
  }
  template <typename T>
  void Own(std::string_view key, T& out) {
    origin_ == FieldOrigin::kOwn ? Required(key, out) : Optional(key, out);
  }

  Result<void> result() const { return result_; }

 private:
  template <typename T>
  Result<void> Read(std::string_view key, T& out) const {
    if (!object_.is_object()) return object_.AsObject().error();
    const JsonValue member = object_.Find(key);
    if (member.is_null()) return member.ErrorHere("it is missing");
    return FromJson(member, origin_, out);
  }

  JsonValue object_;
  FieldOrigin origin_;
  std::string_view ignored_;
  Result<void> result_;
};

template <typename T>
Result<void> FromJson(const JsonValue& json, FieldOrigin origin, T& out) {
  if constexpr (std::is_same_v<T, bool>) {
    IOFLUX_ASSIGN_OR_RETURN(out, json.AsBool());
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    IOFLUX_ASSIGN_OR_RETURN(out, json.AsInt());
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    IOFLUX_ASSIGN_OR_RETURN(out, json.AsUint());
  } else if constexpr (std::is_same_v<T, double>) {
    IOFLUX_ASSIGN_OR_RETURN(out, json.AsReal());
  } else if constexpr (std::is_same_v<T, std::string>) {
    IOFLUX_ASSIGN_OR_RETURN(out, json.AsString());
  } else if constexpr (std::is_same_v<T, LatencyHistogram>) {
    IOFLUX_ASSIGN_OR_RETURN(out, HistogramFromJson(json));
  } else if constexpr (std::is_same_v<T, PackedHistogram>) {
    IOFLUX_ASSIGN_OR_RETURN(out, PackedHistogramFromJson(json));
  } else if constexpr (kIsOptional<T>) {
    return FromJson(json, origin, out.emplace());
  } else if constexpr (kIsVector<T>) {
    IOFLUX_ASSIGN_OR_RETURN(const JsonValue array, json.AsArray());
    out.resize(array.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      IOFLUX_RETURN_IF_ERROR(FromJson(array.At(i), origin, out[i]));
    }
  } else if constexpr (kIsMap<T>) {
    IOFLUX_ASSIGN_OR_RETURN(const JsonValue object, json.AsObject());
    for (const std::string& key : object.Keys()) {
      IOFLUX_RETURN_IF_ERROR(FromJson(object.Find(key), origin, out[key]));
    }
  } else {
    FieldReader reader(json, origin);
    T::Fields(out, reader);
    return reader.result();
  }
  return {};
}

}  // namespace ioflux
