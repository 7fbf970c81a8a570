// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/call_text.h"

#include <charconv>
#include <cstring>

#include "trace_tools/import/strace/character.h"

namespace ioflux::strace {
namespace {

// Characters at which the scan of arguments has to think.
constexpr auto kIsSpecial = [] {
  std::array<bool, 256> special{};
  for (const char c : std::string_view("\"<([{)]},/")) {
    special[static_cast<unsigned char>(c)] = true;
  }
  return special;
}();

std::size_t NextSpecial(std::string_view text, std::size_t at) {
  while (at < text.size() && !kIsSpecial[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// `<` opens what -y shows only directly after a descriptor: a number or AT_FDCWD, or (-X verbose)
// the comment behind it.
std::size_t SkipAngle(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  if (text.substr(at).starts_with("<<")) return at + 2;  // a shift, as in 1<<CAP_CHOWN
  if (before.empty() || (!IsNameChar(before.back()) && !before.ends_with("*/"))) return at + 1;
  const std::size_t shown = ShownBytes(text.substr(at));
  return at + (shown == 0 ? 1 : shown);
}

std::size_t SkipComment(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("/*")) return at + 1;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Fills `arguments` from `text`, which starts behind the opening bracket. Returns the position of
// the closing one; npos if there is none.
std::size_t ScanArguments(std::string_view text, Arguments& arguments) {
  std::size_t depth = 0;
  std::size_t start = 0;
  std::size_t at = 0;
  const auto finish_argument = [&](std::size_t end) {
    const std::string_view argument = Trim(text.substr(start, end - start));
    if (!argument.empty() || arguments.size() > 0) arguments.Add(argument);
    start = end + 1;
  };
  while ((at = NextSpecial(text, at)) < text.size()) {
    switch (text[at]) {
      case '"':
        at += QuotedBytes(text.substr(at));
        break;
      case '<':
        at = SkipAngle(text, at);
        break;
      case '/':
        at = SkipComment(text, at);
        break;
      case ',':
        if (depth == 0) finish_argument(at);
        ++at;
        break;
      case '(':
      case '[':
      case '{':
        ++depth;
        ++at;
        break;
      default:  // a closing bracket
        if (depth == 0 && text[at] == ')') {
          finish_argument(at);
          return at;
        }
        if (depth > 0) --depth;
        ++at;
    }
  }
  finish_argument(text.size());
  return std::string_view::npos;
}

// Takes `<0.000065>` off the end of `text`.
std::int64_t TakeDuration(std::string_view& text) {
  if (text.empty() || text.back() != '>') return kNoDuration;
  const std::size_t open = text.rfind('<');
  if (open == std::string_view::npos) return kNoDuration;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::optional<std::int64_t> duration = ParseSeconds(inside);
  if (!duration) return kNoDuration;
  text = Trim(text.substr(0, open));
  return *duration;
}

std::optional<std::int64_t> TakeInteger(std::string_view& text) {
  const bool negative = text.starts_with('-');
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = text.substr(negative ? 1 : hexadecimal ? 2 : 0);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude,
                                            hexadecimal ? 16 : 10);
  if (error != std::errc() || end == digits.data()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!hexadecimal && magnitude > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

// `text` is what follows the `=`.
bool ParseResult(std::string_view text, CallResult& result) {
  result = {};
  text = Trim(text);
  result.duration_ns = TakeDuration(text);
  result.text = text;
  if (text.empty()) return false;
  if (text.front() == '?') {
    result.unknown = true;
    return true;
  }
  result.value = TakeInteger(text);
  if (!result.value) return true;
  if (const std::size_t shown = ShownBytes(text); shown > 2) {
    result.shown = text.substr(0, shown);
  }
  if (*result.value != -1) return true;
  text = Trim(text);
  std::size_t end = 0;
  while (end < text.size() && (IsUpper(text[end]) || IsDigit(text[end]) || text[end] == '_')) {
    ++end;
  }
  result.error = text.substr(0, end);
  return true;
}

}  // namespace

void Arguments::Add(std::string_view text) {
  if (count_ < kMostArguments) {
    // -N writes `dfd=AT_FDCWD`; a structure begins with a bracket, so its members are safe.
    std::size_t end = 0;
    while (end < text.size() && (IsLower(text[end]) || IsDigit(text[end]) || text[end] == '_')) {
      ++end;
    }
    const bool named = end > 0 && end < text.size() && text[end] == '=' && IsLower(text[0]);
    texts_[count_] = named ? text.substr(end + 1) : text;
    names_[count_] = named ? text.substr(0, end) : std::string_view();
  }
  ++count_;
}

std::string_view Arguments::Named(std::string_view name) const {
  for (std::size_t i = 0; i < count_ && i < kMostArguments; ++i) {
    if (names_[i] == name) return texts_[i];
  }
  return {};
}

std::size_t QuotedBytes(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size()) {
    const std::size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    std::size_t slash = quote;
    while (slash > at && text[slash - 1] == '\\') --slash;
    if ((quote - slash) % 2 == 0) return quote + 1;
    at = quote + 1;
  }
  return text.size();
}

// `<` and `>` of the name itself are written in octal, so any that stand there are strace's: a kind
// inside a path (`</dev/null<char 1:3>>`), or an arrow between the ends of a socket.
std::size_t ShownBytes(std::string_view text) {
  if (text.size() < 2 || text[0] != '<' || text[1] == '.' || text[1] == ' ') return 0;
  const bool is_path = text[1] == '/' || text[1] == '\\';
  std::size_t angles = 0;
  std::size_t brackets = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '<':
        ++angles;
        break;
      case '[':
        if (!is_path) ++brackets;
        break;
      case ']':
        if (brackets > 0) --brackets;
        break;
      case '"':
        if (!is_path) at += QuotedBytes(text.substr(at)) - 1;
        break;
      case '>':
        if (brackets > 0) break;
        if (--angles > 0) break;
        ++at;
        if (text.substr(at).starts_with("(deleted)")) at += 9;
        return at;
      default:
        break;
    }
  }
  return 0;
}

std::optional<std::int64_t> ParseSeconds(std::string_view text) {
  constexpr int kFractionDigits = 9;
  constexpr std::int64_t kMostSeconds = 9'000'000'000;
  std::int64_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || !IsDigit(text.front()) || seconds > kMostSeconds) {
    return std::nullopt;
  }
  std::string_view fraction(after, static_cast<std::size_t>(end - after));
  std::int64_t nanoseconds = 0;
  if (!fraction.empty()) {
    if (fraction.front() != '.' || fraction.size() < 2) return std::nullopt;
    fraction.remove_prefix(1);
  }
  for (const char c : fraction) {
    if (!IsDigit(c)) return std::nullopt;
  }
  for (std::size_t i = 0; i < kFractionDigits; ++i) {
    nanoseconds = nanoseconds * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
  }
  return seconds * 1'000'000'000 + nanoseconds;
}

std::string_view NameOfCall(std::string_view body) {
  std::size_t end = 0;
  while (end < body.size() && IsNameChar(body[end])) ++end;
  const bool is_call = end > 0 && end < body.size() && body[end] == '(' && !IsDigit(body[0]);
  return is_call ? body.substr(0, end) : std::string_view();
}

CallForm ParseCutCall(std::string_view body, CallText& call) {
  call = {};
  call.name = NameOfCall(body);
  if (call.name.empty()) return CallForm::kNotACall;
  ScanArguments(body.substr(call.name.size() + 1), call.arguments);
  return CallForm::kTorn;
}

CallForm ParseCall(std::string_view body, CallText& call) {
  call = {};
  call.name = NameOfCall(body);
  if (call.name.empty()) return CallForm::kNotACall;
  const std::string_view inside = body.substr(call.name.size() + 1);
  const std::size_t close = ScanArguments(inside, call.arguments);
  if (close == std::string_view::npos) return CallForm::kTorn;
  std::string_view rest = Trim(inside.substr(close + 1));
  if (!rest.starts_with('=')) return CallForm::kTorn;
  return ParseResult(rest.substr(1), call.result) ? CallForm::kComplete : CallForm::kTorn;
}

CallForm ParseResultOnly(std::string_view body, CallResult& result) {
  const std::string_view name = NameOfCall(body);
  if (name.empty()) return CallForm::kNotACall;
  const std::string_view inside = body.substr(name.size() + 1);
  std::size_t equals = inside.rfind('=');
  while (equals != std::string_view::npos) {
    std::size_t before = equals;
    while (before > 0 && inside[before - 1] == ' ') --before;
    if (before > 0 && before < equals && inside[before - 1] == ')') {
      return ParseResult(inside.substr(equals + 1), result) ? CallForm::kComplete : CallForm::kTorn;
    }
    equals = equals == 0 ? std::string_view::npos : inside.rfind('=', equals - 1);
  }
  return CallForm::kTorn;
}

}  // namespace ioflux::strace
