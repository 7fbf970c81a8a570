// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/line_head.h"

#include <algorithm>
#include <optional>

#include "trace_tools/import/strace/character.h"

namespace ioflux::strace {
namespace {

constexpr int kFractionDigits = 9;
// No process number is that large (PID_MAX_LIMIT is 2^22), no time in this century that small.
constexpr std::int64_t kFirstEpochSecond = 100'000'000;
// Whole nanoseconds since the epoch must fit 63 bits.
constexpr std::int64_t kLastEpochSecond = 9'000'000'000;
// -r right-aligns whole seconds to this width.
constexpr std::size_t kRelativeWidth = 6;
constexpr std::int64_t kMostDigits = 18;

// Reads forward over one line.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::string_view rest() const { return text_; }
  char Peek(std::size_t ahead = 0) const { return ahead < text_.size() ? text_[ahead] : '\0'; }
  void Skip(std::size_t bytes) { text_.remove_prefix(std::min(bytes, text_.size())); }

  std::size_t SkipBlanks() {
    std::size_t count = 0;
    while (count < text_.size() && IsBlank(text_[count])) ++count;
    text_.remove_prefix(count);
    return count;
  }

  std::size_t CountDigits() const {
    std::size_t count = 0;
    while (count < text_.size() && IsDigit(text_[count])) ++count;
    return count;
  }

  std::int64_t TakeNumber(std::size_t digits) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + (text_[i] - '0');
    text_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view text_;
};

// `.` and its digits; nanoseconds, more digits than nine are cut.
std::int64_t TakeFraction(Cursor& at) {
  if (at.Peek() != '.' || !IsDigit(at.Peek(1))) return 0;
  at.Skip(1);
  std::int64_t nanoseconds = 0;
  const std::size_t digits = at.CountDigits();
  for (std::size_t i = 0; i < kFractionDigits; ++i) {
    nanoseconds = nanoseconds * 10 + (i < digits ? at.Peek(i) - '0' : 0);
  }
  at.Skip(digits);
  return nanoseconds;
}

bool AtEndOfWord(const Cursor& at) { return at.rest().empty() || IsBlank(at.Peek()); }

// HH:MM:SS with an optional fraction.
std::optional<TimeText> TakeTimeOfDay(Cursor& at) {
  Cursor ahead = at;
  std::int64_t seconds = 0;
  for (int part = 0; part < 3; ++part) {
    if (part > 0) {
      if (ahead.Peek() != ':') return std::nullopt;
      ahead.Skip(1);
    }
    if (!IsDigit(ahead.Peek()) || !IsDigit(ahead.Peek(1)) || IsDigit(ahead.Peek(2))) {
      return std::nullopt;
    }
    const std::int64_t value = ahead.TakeNumber(2);
    if (value > (part == 0 ? 23 : 60)) return std::nullopt;
    seconds = seconds * 60 + value;
  }
  const std::int64_t nanoseconds = TakeFraction(ahead);
  if (!AtEndOfWord(ahead)) return std::nullopt;
  at = ahead;
  return TimeText{TimeText::Kind::kTimeOfDay, seconds, nanoseconds, false};
}

// Seconds, with a fraction unless they can only be a time.
std::optional<TimeText> TakeSeconds(Cursor& at, std::size_t blanks_before) {
  Cursor ahead = at;
  const std::size_t digits = ahead.CountDigits();
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  const std::int64_t seconds = ahead.TakeNumber(digits);
  const bool has_fraction = ahead.Peek() == '.' && IsDigit(ahead.Peek(1));
  if (!has_fraction && seconds < kFirstEpochSecond) return std::nullopt;
  if (seconds > kLastEpochSecond) return std::nullopt;
  const std::int64_t nanoseconds = TakeFraction(ahead);
  if (!AtEndOfWord(ahead)) return std::nullopt;
  at = ahead;
  const bool aligned = seconds < kFirstEpochSecond && blanks_before + digits >= kRelativeWidth;
  return TimeText{TimeText::Kind::kSeconds, seconds, nanoseconds, aligned};
}

// `<comm>` right after a process number (-Y). The name may hold blanks and brackets.
bool SkipCommand(Cursor& at, char after) {
  if (at.Peek() != '<') return true;
  const std::string_view rest = at.rest();
  for (std::size_t i = 1; i + 1 < rest.size(); ++i) {
    if (rest[i] != '>' || rest[i + 1] != after) continue;
    at.Skip(i + 1);
    return true;
  }
  return false;
}

// `[pid  2304] ` or `[pid 2304<cat>] `.
std::int64_t TakeBracketedTid(Cursor& at) {
  if (!at.rest().starts_with("[pid ")) return kNoTid;
  Cursor ahead = at;
  ahead.Skip(5);
  ahead.SkipBlanks();
  const std::size_t digits = ahead.CountDigits();
  if (digits == 0 || digits > kMostDigits) return kNoTid;
  const std::int64_t tid = ahead.TakeNumber(digits);
  if (!SkipCommand(ahead, ']') || ahead.Peek() != ']') return kNoTid;
  ahead.Skip(1);
  at = ahead;
  return tid;
}

// `30521 ` or `30521<cat> ` at the start of a line.
std::int64_t TakePlainTid(Cursor& at) {
  Cursor ahead = at;
  const std::size_t digits = ahead.CountDigits();
  if (digits == 0 || digits > kMostDigits) return kNoTid;
  const std::int64_t tid = ahead.TakeNumber(digits);
  if (tid >= kFirstEpochSecond) return kNoTid;
  if (!SkipCommand(ahead, ' ') || !IsBlank(ahead.Peek())) return kNoTid;
  at = ahead;
  return tid;
}

bool IsCallMark(std::string_view mark) {
  const bool digits = std::ranges::all_of(mark, [](char c) { return IsDigit(c) || c == ' '; });
  const bool address = std::ranges::all_of(
      mark, [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || c == '?'; });
  return !mark.empty() && (digits || address);
}

// `(+     0.000435)` of -r beside a time, `[ 257]` of -n, `[00007ff1df26bad7]` of -i.
void SkipMarks(Cursor& at) {
  at.SkipBlanks();
  if (at.rest().starts_with("(+")) {
    const std::size_t end = at.rest().find(')');
    if (end != std::string_view::npos) at.Skip(end + 1);
    at.SkipBlanks();
  }
  while (at.Peek() == '[') {
    const std::size_t end = at.rest().find(']');
    if (end == std::string_view::npos || !IsCallMark(at.rest().substr(1, end - 1))) return;
    at.Skip(end + 1);
    at.SkipBlanks();
  }
}

// A call, `<... call resumed>`, `+++ exited`, `--- SIGNAL`. Rows of a table of counts begin with
// numbers too, and go on with more.
bool CanFollowATime(std::string_view body) {
  if (body.empty()) return true;
  const char c = body.front();
  return IsLower(c) || IsUpper(c) || c == '_' || c == '<' || c == '+' || c == '-';
}

}  // namespace

LineHead ReadHead(std::string_view line) {
  LineHead head;
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::string_view trimmed = TrimEnd(line);
  Cursor at(trimmed);
  std::size_t blanks = at.SkipBlanks();
  const auto take_time = [&] {
    std::optional<TimeText> time = TakeTimeOfDay(at);
    if (!time) time = TakeSeconds(at, blanks);
    if (time) head.time = *time;
    return time.has_value();
  };
  head.tid = TakeBracketedTid(at);
  if (head.tid == kNoTid && !take_time()) head.tid = TakePlainTid(at);
  if (head.tid != kNoTid) {
    blanks = at.SkipBlanks();
    take_time();
  }
  SkipMarks(at);
  head.body = at.rest();
  if (head.time.kind != TimeText::Kind::kNone && !CanFollowATime(head.body)) {
    head = {};
    head.body = trimmed.substr(std::min(trimmed.find_first_not_of(" \t"), trimmed.size()));
  }
  return head;
}

}  // namespace ioflux::strace
