// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/canonical_op_scanner.h"

#include <array>
#include <bit>
#include <cstring>

namespace ioflux {
namespace {

// Takes `text` if it is what comes next.
template <std::size_t kBytes>
[[gnu::always_inline]] inline bool Take(const char*& at, const char (&text)[kBytes]) {
  if (std::memcmp(at, text, kBytes - 1) != 0) return false;
  at += kBytes - 1;
  return true;
}

// 0 to 9 for a digit, more for any other character.
std::uint64_t FigureOf(char c) {
  return std::uint64_t{static_cast<std::uint8_t>(c)} - std::uint64_t{'0'};
}

// Takes a whole number that fits; of at most 19 digits, so that 64 bits do not overflow on the way.
[[gnu::always_inline]] inline bool TakeNatural(const char*& at, std::int64_t& value) {
  constexpr std::ptrdiff_t kMostDigits = 19;
  const char* const first = at;
  std::uint64_t number = FigureOf(*first);
  if (number > 9) return false;
  const char* digit = first + 1;
  if (number != 0) {
    for (std::uint64_t figure = 0; (figure = FigureOf(*digit)) <= 9; ++digit) {
      number = number * 10 + figure;
    }
    if (digit - first > kMostDigits || number > std::uint64_t{INT64_MAX}) return false;
  } else if (FigureOf(*digit) <= 9) {
    return false;
  }
  at = digit;
  value = static_cast<std::int64_t>(number);
  return true;
}

[[gnu::noinline]] bool TakeNegative(const char*& at, std::int64_t& value) {
  if (*at != '-') return false;
  ++at;
  if (!TakeNatural(at, value)) return false;
  value = -value;
  return true;
}

[[gnu::always_inline]] inline bool TakeInteger(const char*& at, std::int64_t& value) {
  if (*at == '-') [[unlikely]]
    return TakeNegative(at, value);
  return TakeNatural(at, value);
}

template <std::size_t kBytes>
[[gnu::always_inline]] inline bool TakeMember(const char*& at, const char (&key)[kBytes],
                                              OpField field, std::int64_t& value, Op& op) {
  if (!Take(at, key)) return true;
  op.Put(field);
  return TakeInteger(at, value);
}

// --- the op word -------------------------------------------------------------------------------

// The first letters of the ten kinds differ, so one look and one comparison decide.
struct KindWord {
  std::uint64_t text = 1;  // the word with its closing quote, as the bytes lie in memory
  std::uint64_t mask = 0;  // of those bytes; a mask of 0 matches no text
  std::uint8_t bytes = 0;
  OpKind kind = OpKind::kUnknown;
};

constexpr std::uint64_t LoadBytes(const char* text, std::size_t bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    word |= std::uint64_t{static_cast<std::uint8_t>(text[i])} << (8 * i);
  }
  return word;
}

constexpr std::size_t LetterIndex(char letter) { return static_cast<std::uint8_t>(letter) & 31U; }

constexpr std::array<KindWord, 32> kKindWords = [] {
  std::array<KindWord, 32> words{};
  const auto add = [&words](const char* word_and_quote, std::size_t bytes, OpKind kind) {
    KindWord& word = words[LetterIndex(word_and_quote[0])];
    if (word.mask != 0) throw "two kinds start with the same letter";
    word = {.text = LoadBytes(word_and_quote, bytes),
            .mask = ~std::uint64_t{0} >> (64 - 8 * bytes),
            .bytes = static_cast<std::uint8_t>(bytes),
            .kind = kind};
  };
#define IOFLUX_OP_KIND(name, tgt, h, off, len, ret, data) \
  static_assert(sizeof(#name) <= 8);                      \
  add(#name "\"", sizeof(#name), OpKind::k##name);
#include "trace_tools/format/op_kind.def"
#undef IOFLUX_OP_KIND
  return words;
}();

static_assert(std::endian::native == std::endian::little, "LoadBytes assumes it");

[[gnu::always_inline]] inline bool TakeKind(const char*& at, Op& op) {
  const KindWord& word = kKindWords[LetterIndex(*at)];
  std::uint64_t text;
  std::memcpy(&text, at, sizeof text);
  if ((text & word.mask) != word.text) return false;
  at += word.bytes;
  op.kind = word.kind;
  return true;
}

// --- mode and flags ----------------------------------------------------------------------------

bool TakeMode(const char*& at, Op& op) {
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite, OpenMode::kReadWrite}) {
    const std::string_view text = TextOf(mode);
    if (std::memcmp(at, text.data(), text.size()) == 0 && at[text.size()] == '"') {
      at += text.size() + 1;
      op.mode = mode;
      return true;
    }
  }
  return false;
}

// Behind `"flags":[`, to behind the `]`. Only words of printable ASCII without escapes.
bool TakeFlags(const char*& at, Op& op) {
  for (;;) {
    if (*at != '"') return false;
    const char* const first = ++at;
    while (*at != '"') {
      const bool printable_ascii = static_cast<std::uint8_t>(*at - ' ') < 0x5F;
      if (!printable_ascii || *at == '\\') return false;
      ++at;
    }
    op.flags.emplace_back(first, at);
    ++at;
    if (*at == ']') break;
    if (*at != ',') return false;
    ++at;
  }
  ++at;
  return true;
}

void Clear(Op& op) {
  op.op_id = 0;
  op.group = 0;
  op.target = 0;
  op.handle = 0;
  op.offset = 0;
  op.length_bytes = 0;
  op.returned_bytes = 0;
  op.duration_ns = 0;
  op.mode = OpenMode::kNone;
  if (!op.flags.empty()) op.flags.clear();
  if (!op.kind_text.empty()) op.kind_text.clear();
  if (!op.mode_text.empty()) op.mode_text.clear();
}

}  // namespace

const char* ScanCanonicalOp(const char* line, Op& op) {
  const char* at = line;
  if (!Take(at, "{\"t\":") || !TakeInteger(at, op.t_ns)) return nullptr;
  Clear(op);
  op.present =
      static_cast<std::uint16_t>(OpField::kTime) | static_cast<std::uint16_t>(OpField::kStream);
  if (!TakeMember(at, ",\"op_id\":", OpField::kOpId, op.op_id, op)) return nullptr;
  if (!Take(at, ",\"s\":") || !TakeInteger(at, op.stream)) return nullptr;
  if (!Take(at, ",\"op\":\"") || !TakeKind(at, op)) return nullptr;
  if (!TakeMember(at, ",\"group\":", OpField::kGroup, op.group, op)) return nullptr;
  if (!TakeMember(at, ",\"tgt\":", OpField::kTarget, op.target, op)) return nullptr;
  if (!TakeMember(at, ",\"h\":", OpField::kHandle, op.handle, op)) return nullptr;
  if (Take(at, ",\"mode\":\"") && !TakeMode(at, op)) return nullptr;
  if (Take(at, ",\"flags\":[") && !TakeFlags(at, op)) return nullptr;
  if (!TakeMember(at, ",\"off\":", OpField::kOffset, op.offset, op)) return nullptr;
  if (!TakeMember(at, ",\"len\":", OpField::kLength, op.length_bytes, op)) return nullptr;
  if (!TakeMember(at, ",\"ret\":", OpField::kReturned, op.returned_bytes, op)) return nullptr;
  if (!TakeMember(at, ",\"dur\":", OpField::kDuration, op.duration_ns, op)) return nullptr;
  if (*at != '}') return nullptr;
  ++at;
  if (*at == '\r') ++at;
  return *at == '\n' ? at + 1 : nullptr;
}

}  // namespace ioflux
