// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op_json.h"

#include <algorithm>
#include <array>

#include "trace_tools/format/json_members.h"
#include "trace_tools/format/json_sax.h"

namespace ioflux {
namespace {

struct IntegerMember {
  std::string_view name;
  OpField field;
  std::int64_t Op::*value;
};

constexpr std::array<IntegerMember, 10> kIntegerMembers = {{
    {"t", OpField::kTime, &Op::t_ns},
    {"op_id", OpField::kOpId, &Op::op_id},
    {"s", OpField::kStream, &Op::stream},
    {"group", OpField::kGroup, &Op::group},
    {"tgt", OpField::kTarget, &Op::target},
    {"h", OpField::kHandle, &Op::handle},
    {"off", OpField::kOffset, &Op::offset},
    {"len", OpField::kLength, &Op::length_bytes},
    {"ret", OpField::kReturned, &Op::returned_bytes},
    {"dur", OpField::kDuration, &Op::duration_ns},
}};

class OpVisitor {
 public:
  explicit OpVisitor(Op& op) : op_(op) {}

  void Restart() {
    op_ = Op{};
    place_ = Place::kBefore;
  }

  void OnKey(std::string_view key) {
    const auto* const found =
        std::find_if(kIntegerMembers.begin(), kIntegerMembers.end(),
                     [key](const IntegerMember& member) { return member.name == key; });
    integer_ = found == kIntegerMembers.end() ? nullptr : found;
    text_ = key == "op"      ? TextMember::kKind
            : key == "mode"  ? TextMember::kMode
            : key == "flags" ? TextMember::kFlags
                             : TextMember::kNone;
  }

  JsonVerdict OnValue(const JsonEvent& event) {
    switch (place_) {
      case Place::kBefore:
        if (event.type == JsonType::kObject) place_ = Place::kMembers;
        return VerdictOf(types_.Expect(JsonType::kObject, "the line", event));
      case Place::kFlags:
        op_.flags.emplace_back();
        return VerdictOf(types_.TakeString("a flag", event, op_.flags.back()));
      case Place::kMembers:
        break;
    }
    if (integer_ != nullptr) return VerdictOf(TakeInteger(event));
    switch (text_) {
      case TextMember::kKind:
        return VerdictOf(TakeKind(event));
      case TextMember::kMode:
        return VerdictOf(TakeMode(event));
      case TextMember::kFlags:
        op_.flags.clear();
        if (event.type == JsonType::kArray) place_ = Place::kFlags;
        return VerdictOf(types_.Expect(JsonType::kArray, "flags", event));
      case TextMember::kNone:
        break;
    }
    return JsonVerdict::kSkip;
  }

  void OnClose() { place_ = Place::kMembers; }

  const std::string& problem() const { return types_.problem(); }

 private:
  enum class Place : std::uint8_t { kBefore, kMembers, kFlags };
  enum class TextMember : std::uint8_t { kNone, kKind, kMode, kFlags };

  static JsonVerdict VerdictOf(bool fits) {
    return fits ? JsonVerdict::kTaken : JsonVerdict::kFatal;
  }

  bool TakeInteger(const JsonEvent& event) {
    op_.Put(integer_->field);
    if (event.type == JsonType::kNull) op_.Remove(integer_->field);
    return types_.TakeInt(integer_->name, event, op_.*integer_->value);
  }

  bool TakeKind(const JsonEvent& event) {
    if (!types_.TakeString("op", event, op_.kind_text)) return false;
    op_.kind = OpKindFromName(op_.kind_text).value_or(OpKind::kUnknown);
    if (op_.kind != OpKind::kUnknown) op_.kind_text.clear();
    return true;
  }

  bool TakeMode(const JsonEvent& event) {
    if (!types_.TakeString("mode", event, op_.mode_text)) return false;
    op_.mode = op_.mode_text.empty() ? OpenMode::kNone
                                     : OpenModeFromText(op_.mode_text).value_or(OpenMode::kUnknown);
    if (op_.mode != OpenMode::kUnknown) op_.mode_text.clear();
    return true;
  }

  Op& op_;
  MemberTypes types_;
  Place place_ = Place::kBefore;
  const IntegerMember* integer_ = nullptr;
  TextMember text_ = TextMember::kNone;
};

}  // namespace

std::string ParseOpJson(std::string_view line, Op& op) {
  OpVisitor visitor(op);
  return ParseJson(line, visitor);
}

}  // namespace ioflux
