// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_big_integer.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace ioflux {
namespace {

// A node is a string that starts with a byte which no UTF-8 text holds.
constexpr char kMark = '\xff';
// While jansson reads, before the nodes can be made: a code point that is no character.
constexpr std::string_view kMarkWhileReading = "\xef\xbf\xbf";
constexpr std::uint64_t kLargestSigned = std::numeric_limits<std::int64_t>::max();

std::optional<std::uint64_t> BigNumberIn(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, fault] = std::from_chars(digits.data(), end, value);
  if (fault != std::errc{} || rest != end || value <= kLargestSigned) return std::nullopt;
  return value;
}

/// End of the string that starts at `start`, behind its closing quote.
std::size_t EndOfString(std::string_view text, std::size_t start) {
  std::size_t end = start + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// `text` with each big integer as a marked string.
std::string WithMarkedIntegers(std::string_view text) {
  constexpr std::string_view kNumberBytes = "0123456789+-.eE";
  std::string marked;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    bool is_big = false;
    if (text[at] == '"') {
      end = EndOfString(text, at);
    } else if (kNumberBytes.find(text[at]) != std::string_view::npos) {
      end = std::min(text.find_first_not_of(kNumberBytes, at), text.size());
      is_big = BigNumberIn(text.substr(at, end - at)).has_value();
    }
    if (is_big) marked.append("\"").append(kMarkWhileReading);
    marked += text.substr(at, end - at);
    if (is_big) marked += '"';
    at = end;
  }
  return marked;
}

/// The node for a marked string, null for anything else.
json_t* NodeOf(const json_t* value) {
  if (!json_is_string(value)) return nullptr;
  const std::string_view text(json_string_value(value), json_string_length(value));
  if (!text.starts_with(kMarkWhileReading)) return nullptr;
  const auto number = BigNumberIn(text.substr(kMarkWhileReading.size()));
  return number ? NewBigInteger(*number) : nullptr;
}

/// Puts nodes in the place of marked strings inside `value`.
void ReplaceMarked(json_t* value) {
  std::size_t index = 0;
  json_t* member = nullptr;
  json_array_foreach(value, index, member) {
    ReplaceMarked(member);
    if (json_t* node = NodeOf(member)) json_array_set_new(value, index, node);
  }
  const char* key = nullptr;
  void* next = nullptr;
  json_object_foreach_safe(value, next, key, member) {
    ReplaceMarked(member);
    if (json_t* node = NodeOf(member)) {
      json_object_iter_set_new(value, json_object_key_to_iter(key), node);
    }
  }
}

}  // namespace

json_t* NewBigInteger(std::uint64_t value) {
  const std::string text = kMark + std::to_string(value);
  return json_stringn_nocheck(text.data(), text.size());
}

std::optional<std::uint64_t> BigInteger(const json_t* value) {
  if (!json_is_string(value)) return std::nullopt;
  const std::string_view text(json_string_value(value), json_string_length(value));
  if (text.empty() || text[0] != kMark) return std::nullopt;
  return BigNumberIn(text.substr(1));
}

json_t* LoadWithBigIntegers(std::string_view text, std::size_t flags, json_error_t* problem) {
  json_t* root = json_loadb(text.data(), text.size(), flags, problem);
  // Only a document that holds one is read twice.
  if (root != nullptr || json_error_code(problem) != json_error_numeric_overflow) return root;
  const std::string marked = WithMarkedIntegers(text);
  root = json_loadb(marked.data(), marked.size(), flags, problem);
  if (root == nullptr) return nullptr;
  if (json_t* node = NodeOf(root)) {
    json_decref(root);
    return node;
  }
  ReplaceMarked(root);
  return root;
}

}  // namespace ioflux
