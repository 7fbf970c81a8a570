// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/header_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "trace_tools/format/base64.h"
#include "trace_tools/format/json_members.h"
#include "trace_tools/format/json_sax.h"

namespace ioflux {
namespace {

template <typename Owner, typename Value>
struct Member {
  std::string_view name;
  Value Owner::*value;
};

template <typename Owner>
using IntMember = Member<Owner, std::int64_t>;
template <typename Owner>
using StringMember = Member<Owner, std::string>;

constexpr std::array<StringMember<TraceHeader>, 8> kHeaderStrings = {{
    {"kind", &TraceHeader::kind},
    {"profile", &TraceHeader::profile},
    {"generated_by", &TraceHeader::generated_by},
    {"created_utc", &TraceHeader::created_utc},
    {"time_unit", &TraceHeader::time_unit},
    {"capture_method", &TraceHeader::capture_method},
    {"capture_limitations", &TraceHeader::capture_limitations},
    {"notes", &TraceHeader::notes},
}};

// The first five are those of HeaderPresence::summary_counters.
constexpr std::array<IntMember<TraceSummary>, 6> kSummaryInts = {{
    {"num_ops", &TraceSummary::num_ops},
    {"num_streams", &TraceSummary::num_streams},
    {"num_groups", &TraceSummary::num_groups},
    {"total_bytes", &TraceSummary::total_bytes},
    {"duration_ns", &TraceSummary::duration_ns},
    {"num_partial_reads", &TraceSummary::num_partial_reads},
}};

constexpr std::array<StringMember<LedgerEntry>, 4> kLedgerStrings = {{
    {"kind", &LedgerEntry::kind},
    {"source_digest", &LedgerEntry::source_digest},
    {"applied_utc", &LedgerEntry::applied_utc},
    {"note", &LedgerEntry::note},
}};

template <typename Table>
const typename Table::value_type* FindMember(const Table& table, std::string_view name) {
  const auto* const found = std::find_if(
      table.begin(), table.end(), [name](const auto& member) { return member.name == name; });
  return found == table.end() ? nullptr : found;
}

TraceHeader EmptyHeader() {
  TraceHeader header;
  header.version = 0;
  header.kind.clear();
  header.time_unit.clear();
  return header;
}

class HeaderVisitor {
 public:
  HeaderVisitor(TraceHeader& header, TraceReader::HeaderPresence& presence)
      : header_(header), presence_(presence) {}

  void Restart() {
    header_ = EmptyHeader();
    presence_ = {};
    place_ = Place::kBefore;
  }

  void OnKey(std::string_view key) { key_ = key; }

  JsonVerdict OnValue(const JsonEvent& event) {
    switch (place_) {
      case Place::kBefore:
        return Enter(Place::kHeader, JsonType::kObject, "the line", event);
      case Place::kHeader:
        return OnHeaderMember(event);
      case Place::kTargets:
        header_.targets.push_back({.id = 0, .name = "", .kind = "", .size_bytes = 0});
        name_raw_.clear();
        return Enter(Place::kTarget, JsonType::kObject, "a target", event);
      case Place::kTarget:
        return OnTargetMember(event);
      case Place::kSummary:
        return OnSummaryMember(event);
      case Place::kLedger:
        header_.transformations.emplace_back();
        return Enter(Place::kLedgerEntry, JsonType::kObject, "a transformation", event);
      case Place::kLedgerEntry:
        return OnLedgerMember(event);
      case Place::kParams:
        return VerdictOf(types_.TakeString("a param", event, Entry().params[ReplacedKey()]));
    }
    return JsonVerdict::kSkip;
  }

  void OnClose() {
    switch (place_) {
      case Place::kTarget:
        RestoreRawName(header_.targets.back());
        place_ = Place::kTargets;
        break;
      case Place::kLedgerEntry:
        place_ = Place::kLedger;
        break;
      case Place::kParams:
        place_ = Place::kLedgerEntry;
        break;
      default:
        place_ = Place::kHeader;
    }
  }

  const std::string& problem() const { return types_.problem(); }

 private:
  enum class Place : std::uint8_t {
    kBefore,
    kHeader,
    kTargets,
    kTarget,
    kSummary,
    kLedger,
    kLedgerEntry,
    kParams,
  };

  static JsonVerdict VerdictOf(bool fits) {
    return fits ? JsonVerdict::kTaken : JsonVerdict::kFatal;
  }

  JsonVerdict Enter(Place inside, JsonType type, std::string_view member, const JsonEvent& event) {
    if (event.type == type) place_ = inside;
    return VerdictOf(types_.Expect(type, member, event));
  }

  JsonVerdict OnHeaderMember(const JsonEvent& event) {
    const bool is_null = event.type == JsonType::kNull;
    if (const auto* member = FindMember(kHeaderStrings, key_); member != nullptr) {
      return VerdictOf(types_.TakeString(key_, event, header_.*member->value));
    }
    if (key_ == "ioflux_trace_version") {
      return VerdictOf(types_.TakeInt(key_, event, header_.version));
    }
    if (key_ == "scrubbed") {
      presence_.scrubbed = !is_null;
      return VerdictOf(types_.TakeBool(key_, event, header_.scrubbed));
    }
    if (key_ == "targets") {
      header_.targets.clear();
      presence_.targets = true;
      presence_.targets_null = is_null;
      return Enter(Place::kTargets, JsonType::kArray, key_, event);
    }
    if (key_ == "summary") {
      header_.summary = {};
      presence_.summary = true;
      presence_.summary_null = is_null;
      presence_.summary_counters = {};
      return Enter(Place::kSummary, JsonType::kObject, key_, event);
    }
    if (key_ == "transformations") {
      header_.transformations.clear();
      return Enter(Place::kLedger, JsonType::kArray, key_, event);
    }
    return JsonVerdict::kSkip;
  }

  JsonVerdict OnTargetMember(const JsonEvent& event) {
    Target& target = header_.targets.back();
    if (key_ == "id") return VerdictOf(types_.TakeInt("a target's id", event, target.id));
    if (key_ == "name") return VerdictOf(types_.TakeString("a target's name", event, target.name));
    if (key_ == "kind") return VerdictOf(types_.TakeString("a target's kind", event, target.kind));
    if (key_ == "size") {
      return VerdictOf(types_.TakeInt("a target's size", event, target.size_bytes));
    }
    // An addition of ours, so that whatever another tool means by it must not be an error.
    if (key_ == "name_raw" && event.type == JsonType::kString) {
      name_raw_ = event.text;
      return JsonVerdict::kTaken;
    }
    return JsonVerdict::kSkip;
  }

  JsonVerdict OnSummaryMember(const JsonEvent& event) {
    const auto* const member = FindMember(kSummaryInts, key_);
    if (member == nullptr) return JsonVerdict::kSkip;
    const auto index = static_cast<std::size_t>(member - kSummaryInts.data());
    if (index < presence_.summary_counters.size()) {
      presence_.summary_counters[index] = event.type != JsonType::kNull;
    }
    return VerdictOf(types_.TakeInt(key_, event, header_.summary.*member->value));
  }

  JsonVerdict OnLedgerMember(const JsonEvent& event) {
    if (const auto* member = FindMember(kLedgerStrings, key_); member != nullptr) {
      return VerdictOf(types_.TakeString(key_, event, Entry().*member->value));
    }
    if (key_ != "params") return JsonVerdict::kSkip;
    Entry().params.clear();
    return Enter(Place::kParams, JsonType::kObject, key_, event);
  }

  LedgerEntry& Entry() { return header_.transformations.back(); }
  std::string ReplacedKey() const { return ReplaceInvalidUtf8(key_); }

  // The bytes of a name that JSON cannot hold, if they are those of the name we read.
  void RestoreRawName(Target& target) const {
    if (name_raw_.empty()) return;
    std::optional<std::string> raw = DecodeBase64(name_raw_);
    if (raw.has_value() && !IsValidUtf8(*raw) && ReplaceInvalidUtf8(*raw) == target.name) {
      target.name = std::move(*raw);
    }
  }

  TraceHeader& header_;
  TraceReader::HeaderPresence& presence_;
  MemberTypes types_;
  Place place_ = Place::kBefore;
  std::string key_;
  std::string name_raw_;
};

}  // namespace

std::string ParseHeaderJson(std::string_view line, TraceHeader& header,
                            TraceReader::HeaderPresence& presence) {
  HeaderVisitor visitor(header, presence);
  return ParseJson(line, visitor);
}

}  // namespace ioflux
