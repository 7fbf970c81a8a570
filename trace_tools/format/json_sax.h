// SPDX-License-Identifier: GPL-2.0-only
//
// One JSON text through rapidjson's SAX parser, with the acceptance rules of the trace format
// (docs/format.md) where they differ from rapidjson's: a lone surrogate escape is U+FFFD, a
// number of any size is a number, nesting stops at kMaxJsonDepth, and a NUL byte is not an end.
//
// Included by the .cc files that parse; nobody else sees rapidjson. Threading: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// rapidjson's stack adds to a null pointer before it has memory. That is harmless, but UBSan stops
// there.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif

namespace ioflux {

inline constexpr int kMaxJsonDepth = 10'000;

enum class JsonType : std::uint8_t { kNull, kBool, kNumber, kString, kObject, kArray };

/// A value, or the start of an object or array.
struct JsonEvent {
  JsonType type = JsonType::kNull;
  std::string_view text;  ///< of a number or string, valid during the call
  bool boolean = false;
};

/// What a visitor makes of an event.
enum class JsonVerdict : std::uint8_t {
  kTaken,  ///< understood; of an object or array also its content is wanted
  kSkip,   ///< nobody wants it, with all its content
  kFatal,  ///< the visitor has set its problem
};

/// Turns rapidjson's events into calls of `Visitor`:
///   JsonVerdict OnValue(const JsonEvent&);  void OnKey(std::string_view);  void OnClose();
template <typename Visitor>
class JsonHandler {
 public:
  using SizeType = rapidjson::SizeType;

  explicit JsonHandler(Visitor& visitor) : visitor_(visitor) {}

  bool Null() { return Value({.type = JsonType::kNull, .text = {}}); }
  bool Bool(bool value) { return Value({.type = JsonType::kBool, .text = {}, .boolean = value}); }
  bool RawNumber(const char* text, SizeType size, bool) {
    return Value({.type = JsonType::kNumber, .text = {text, size}});
  }
  bool String(const char* text, SizeType size, bool) {
    return Value({.type = JsonType::kString, .text = {text, size}});
  }
  bool Key(const char* text, SizeType size, bool) {
    if (skipped_depth_ == 0) visitor_.OnKey({text, size});
    return true;
  }
  bool StartObject() { return Open({.type = JsonType::kObject, .text = {}}); }
  bool StartArray() { return Open({.type = JsonType::kArray, .text = {}}); }
  bool EndObject(SizeType) { return Close(); }
  bool EndArray(SizeType) { return Close(); }

  // Numbers come as text (kParseNumbersAsStringsFlag), so these are never called.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  bool too_deep() const { return depth_ > kMaxJsonDepth; }

 private:
  bool Value(const JsonEvent& event) {
    return skipped_depth_ != 0 || visitor_.OnValue(event) != JsonVerdict::kFatal;
  }
  bool Open(const JsonEvent& event) {
    if (++depth_ > kMaxJsonDepth) return false;
    if (skipped_depth_ != 0) {
      ++skipped_depth_;
      return true;
    }
    const JsonVerdict verdict = visitor_.OnValue(event);
    if (verdict == JsonVerdict::kSkip) skipped_depth_ = 1;
    return verdict != JsonVerdict::kFatal;
  }
  bool Close() {
    --depth_;
    if (skipped_depth_ != 0) {
      --skipped_depth_;
    } else {
      visitor_.OnClose();
    }
    return true;
  }

  Visitor& visitor_;
  int depth_ = 0;
  int skipped_depth_ = 0;  // open objects and arrays that nobody wants
};

/// UTF-8 to rapidjson. It lets bytes pass unseen (members look at them), and an escaped low
/// surrogate without its high one, which it takes for a character, is U+FFFD.
struct TraceEncoding : rapidjson::UTF8<> {
  template <typename OutputStream>
  static void Encode(OutputStream& out, unsigned code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    rapidjson::UTF8<>::Encode(out, surrogate ? 0xFFFD : code_point);
  }
};

/// What RespellForRapidjson writes for a number that is no 64-bit integer. It has a fraction and an
/// exponent, so that nothing which follows can make another number of it.
inline constexpr std::string_view kRespelledNumber = "0.5e0";

/// `text` in a form rapidjson takes, with the same meaning to a trace: lone surrogate escapes
/// become U+FFFD, and numbers that no member may be become kRespelledNumber. Empty when it is no
/// JSON.
std::string RespellForRapidjson(std::string_view text);

/// "missing a comma … (column 12)".
std::string JsonProblem(const rapidjson::ParseResult& result);

/// Parses `text`; empty when `visitor` has it all, else what is wrong. A visitor must be able to
/// start anew: Restart() is called before each attempt.
template <typename Visitor>
std::string ParseJson(std::string_view text, Visitor& visitor) {
  std::string respelled;
  for (;;) {
    visitor.Restart();
    rapidjson::GenericReader<TraceEncoding, TraceEncoding> reader;
    rapidjson::MemoryStream stream(text.data(), text.size());
    JsonHandler<Visitor> handler(visitor);
    const rapidjson::ParseResult result =
        reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag>(
            stream, handler);
    if (!result.IsError()) {
      // rapidjson takes a NUL for the end of its input.
      if (stream.Tell() == text.size()) return "";
      return "not valid JSON: a NUL byte (column " + std::to_string(stream.Tell() + 1) + ")";
    }
    if (handler.too_deep()) {
      return "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels";
    }
    if (result.Code() == rapidjson::kParseErrorTermination) return visitor.problem();
    const bool can_respell =
        respelled.empty() && (result.Code() == rapidjson::kParseErrorNumberTooBig ||
                              result.Code() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid);
    if (!can_respell) return JsonProblem(result);
    respelled = RespellForRapidjson(text);
    if (respelled.empty()) return JsonProblem(result);
    text = respelled;
  }
}

}  // namespace ioflux
