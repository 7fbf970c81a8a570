// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/text_value.h"

#include <charconv>
#include <unordered_map>

#include "trace_tools/import/strace/call_text.h"
#include "trace_tools/import/strace/character.h"

namespace ioflux::strace {
namespace {

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Takes a number off the front of `text`.
std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0' && IsOctalDigit(digits[1])) {
    base = 8;
  }
  std::uint64_t magnitude = 0;
  const char* const end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (error != std::errc() || after == digits.data()) return std::nullopt;
  // Kernel numbers are 64 bits wide; strace prints some of them unsigned (a lseek of -1).
  if (negative && magnitude > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  text = text.substr(static_cast<std::size_t>(after - text.data()));
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

// Whether nothing follows a number but a comment or what -y shows.
bool IsRemark(std::string_view rest) {
  rest = Trim(rest);
  return rest.empty() || rest.starts_with("/*") || ShownBytes(rest) != 0;
}

const std::unordered_map<std::string_view, std::uint64_t>& Constants() {
  static const std::unordered_map<std::string_view, std::uint64_t> constants = {
#define IOFLUX_CONSTANT(name, value) {#name, value},
#include "trace_tools/import/strace/kernel_constant.def"
#undef IOFLUX_CONSTANT
  };
  return constants;
}

// One `\` escape; `at` is behind the backslash and moves behind the escape.
char TakeEscape(std::string_view text, std::size_t& at) {
  const char c = text[at++];
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'v':
      return '\v';
    case 'f':
      return '\f';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
      return '\033';
    case 'x': {
      int value = 0;
      int digits = 0;
      for (; digits < 2 && at < text.size() && HexValue(text[at]) >= 0; ++digits, ++at) {
        value = value * 16 + HexValue(text[at]);
      }
      return digits == 0 ? 'x' : static_cast<char>(value);
    }
    default:
      break;
  }
  if (!IsOctalDigit(c)) return c;
  int value = c - '0';
  for (int digits = 1; digits < 3 && at < text.size() && IsOctalDigit(text[at]); ++digits, ++at) {
    value = value * 8 + (text[at] - '0');
  }
  return static_cast<char>(value);
}

FileKind KindOfPathless(std::string_view inside) {
  if (inside.starts_with("pipe:")) return FileKind::kPipe;
  if (inside.starts_with("socket:")) return FileKind::kSocket;
  // Protocols in capitals with a pair of ends or an inode: TCP:[…], UNIX-STREAM:[…], NETLINK:[…].
  const std::size_t colon = inside.find(":[");
  if (colon != std::string_view::npos && inside[0] >= 'A' && inside[0] <= 'Z') {
    return FileKind::kSocket;
  }
  return FileKind::kAnonymous;
}

// Calls `visit(name, value)` for each `name=value` of `structure` outside strings. Stops when it
// returns false.
template <typename Visit>
void ForEachField(std::string_view structure, const Visit& visit) {
  std::size_t at = 0;
  while (at < structure.size()) {
    const char c = structure[at];
    if (c == '"') {
      at += QuotedBytes(structure.substr(at));
      continue;
    }
    if (c != '=' || at == 0 || !IsNameChar(structure[at - 1])) {
      ++at;
      continue;
    }
    std::size_t name = at;
    while (name > 0 && IsNameChar(structure[name - 1])) --name;
    std::size_t end = at + 1;
    if (end < structure.size() && structure[end] != '"') {
      end = std::min(structure.find_first_of(",}]", end), structure.size());
    }
    if (!visit(structure.substr(name, at - name), structure.substr(at + 1, end - at - 1))) return;
    at = std::max(end, at + 1);
  }
}

}  // namespace

// --- numbers -----------------------------------------------------------------------------------

std::optional<std::int64_t> ParseNumber(std::string_view text) {
  text = Trim(text);
  const std::optional<std::int64_t> value = TakeNumber(text);
  return value && IsRemark(text) ? value : std::nullopt;
}

std::optional<std::uint64_t> ParseCount(std::string_view text) {
  const std::optional<std::int64_t> value = ParseNumber(text);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t ParseFlags(std::string_view text) {
  std::uint64_t bits = 0;
  while (!(text = Trim(text)).empty()) {
    if (text.starts_with("/*")) break;  // the same once more, in words
    if (IsDigit(text.front()) || text.front() == '-') {
      const std::optional<std::int64_t> value = TakeNumber(text);
      if (!value) break;
      bits |= static_cast<std::uint64_t>(*value);
    } else {
      std::size_t end = 0;
      while (end < text.size() && IsNameChar(text[end])) ++end;
      const auto found = Constants().find(text.substr(0, end));
      if (found != Constants().end()) bits |= found->second;
      text.remove_prefix(std::max<std::size_t>(end, 1));
    }
    if (text.starts_with('|')) text.remove_prefix(1);
  }
  return bits;
}

std::optional<std::uint64_t> ParseConstant(std::string_view text) {
  if (const auto value = ParseNumber(text)) return static_cast<std::uint64_t>(*value);
  const auto found = Constants().find(Trim(text));
  if (found == Constants().end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> ParsePointedNumber(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with('[')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<std::int64_t> value = TakeNumber(text);
  if (!value || *value < 0 || !text.starts_with(']')) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

// --- strings -----------------------------------------------------------------------------------

std::string DecodeEscapes(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t slash = text.find('\\', at);
    if (slash == std::string_view::npos || slash + 1 >= text.size()) {
      decoded += text.substr(at);
      break;
    }
    decoded += text.substr(at, slash - at);
    at = slash + 1;
    decoded += TakeEscape(text, at);
  }
  return decoded;
}

std::optional<std::string> ParseString(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with('"')) return std::nullopt;
  const std::size_t bytes = QuotedBytes(text);
  const bool closed = bytes >= 2 && text[bytes - 1] == '"';
  std::string decoded = DecodeEscapes(text.substr(1, bytes - (closed ? 2 : 1)));
  // The kernel would have stopped there.
  if (decoded.find('\0') != std::string::npos) return std::nullopt;
  return decoded;
}

// --- descriptors -------------------------------------------------------------------------------

DescriptorUse ParseDescriptor(std::string_view text) {
  DescriptorUse use;
  text = Trim(text);
  std::string_view rest = text;
  const std::optional<std::int64_t> number = TakeNumber(rest);
  if (!number) return use;
  use.number = *number;
  rest = Trim(rest);
  if (rest.starts_with("/*")) {
    const std::size_t end = rest.find("*/");
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
  }
  // `<>` shows nothing.
  if (const std::size_t shown = ShownBytes(rest); shown > 2) use.shown = rest.substr(0, shown);
  return use;
}

DirectoryUse ParseDirectory(std::string_view text) {
  DirectoryUse use;
  text = Trim(text);
  if (text.starts_with("AT_FDCWD")) {
    const std::string_view rest = text.substr(8);
    use.descriptor.shown = rest.substr(0, ShownBytes(rest));
    return use;
  }
  use.descriptor = ParseDescriptor(text);
  constexpr auto kCurrent = static_cast<std::int32_t>(constant::k_AT_FDCWD);
  use.current = static_cast<std::int32_t>(use.descriptor.number) == kCurrent;
  return use;
}

ShownName ParseShownName(std::string_view shown) {
  ShownName name;
  constexpr std::string_view kDeleted = "(deleted)";
  if (shown.ends_with(kDeleted)) {
    name.deleted = true;
    shown.remove_suffix(kDeleted.size());
  }
  if (shown.size() < 2) return name;
  std::string_view inside = shown.substr(1, shown.size() - 2);
  // `</dev/null<char 1:3>>`: only with -yy, and only there a bracket is inside.
  const std::size_t kind = inside.find('<');
  const bool is_path = inside.starts_with('/') || inside.starts_with("\\x2f");
  if (is_path && kind != std::string_view::npos) {
    name.kind = FileKind::kDevice;
    inside = inside.substr(0, kind);
  }
  if (!is_path) {
    name.kind = KindOfPathless(inside);
    return name;
  }
  name.path = DecodeEscapes(inside);
  if (name.path.find('\0') != std::string::npos) return {};
  if (name.path.starts_with("/memfd:")) {
    name.kind = FileKind::kAnonymous;
    name.path.clear();
  }
  // strace before 5.19 says so inside the brackets.
  constexpr std::string_view kDeletedInside = " (deleted)";
  if (name.path.ends_with(kDeletedInside) && !name.deleted) {
    name.deleted = true;
    name.path.resize(name.path.size() - kDeletedInside.size());
  }
  return name;
}

std::optional<std::pair<DescriptorUse, DescriptorUse>> ParseDescriptorPair(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  // Taken apart as if it were a call.
  const std::string call = "f(" + std::string(text.substr(1, text.size() - 2)) + ")";
  CallText parsed;
  ParseCutCall(call, parsed);
  if (parsed.arguments.size() != 2) return std::nullopt;
  // The views must point into `text`, not into the copy.
  const auto in_text = [&](std::string_view part) {
    return text.substr(static_cast<std::size_t>(part.data() - call.data()) - 1, part.size());
  };
  return std::pair(ParseDescriptor(in_text(parsed.arguments[0])),
                   ParseDescriptor(in_text(parsed.arguments[1])));
}

// --- structures --------------------------------------------------------------------------------

std::string_view FieldOf(std::string_view structure, std::string_view name) {
  std::string_view found;
  ForEachField(structure, [&](std::string_view field, std::string_view value) {
    if (field != name) return true;
    found = value;
    return false;
  });
  return found;
}

std::optional<std::uint64_t> SumOfVector(std::string_view text, std::uint64_t count) {
  std::uint64_t sum = 0;
  std::uint64_t elements = 0;
  bool sound = true;
  ForEachField(text, [&](std::string_view field, std::string_view value) {
    if (field != "iov_len") return true;
    const std::optional<std::uint64_t> length = ParseCount(value);
    sound = sound && length && !__builtin_add_overflow(sum, *length, &sum);
    ++elements;
    return sound;
  });
  if (!sound || elements != count || sum > static_cast<std::uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  return sum;
}

std::optional<FileKind> ParseFileKind(std::string_view mode_text) {
  if (mode_text.empty()) return std::nullopt;
  switch (ParseFlags(mode_text) & constant::k_S_IFMT) {
    case constant::k_S_IFREG:
      return FileKind::kRegular;
    case constant::k_S_IFDIR:
      return FileKind::kDirectory;
    case constant::k_S_IFLNK:
      return FileKind::kSymlink;
    case constant::k_S_IFCHR:
    case constant::k_S_IFBLK:
      return FileKind::kDevice;
    case constant::k_S_IFIFO:
      return FileKind::kPipe;
    case constant::k_S_IFSOCK:
      return FileKind::kSocket;
    default:
      return std::nullopt;
  }
}

}  // namespace ioflux::strace
