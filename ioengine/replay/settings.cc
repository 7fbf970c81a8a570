// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/settings.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/duration_text.h"
#include "base/nearest_name.h"
#include "base/number_text.h"

namespace ioflux {
namespace {

// The rows come twice: once for the choice lists, once for the table that points at them.
#define IOFLUX_CHOICE_ROW(word, help) SettingChoice{word, help},
#define IOFLUX_LIST_CHOICE(id) \
  constexpr SettingChoice k##id##Choices[] = {IOFLUX_CHOICES_##id(IOFLUX_CHOICE_ROW)};
#define IOFLUX_LIST_PATH(id) constexpr std::span<const SettingChoice> k##id##Choices;
#define IOFLUX_LIST_BOOL(id) IOFLUX_LIST_PATH(id)
#define IOFLUX_LIST_UINT(id) IOFLUX_LIST_PATH(id)
#define IOFLUX_LIST_COUNT(id) IOFLUX_LIST_CHOICE(id)
#define IOFLUX_LIST_REAL(id) IOFLUX_LIST_PATH(id)
#define IOFLUX_LIST_DURATION(id) IOFLUX_LIST_CHOICE(id)
#define IOFLUX_SETTING(id, type, option, flag, fallback, minimum, maximum, unit, audience, help) \
  IOFLUX_LIST_##type(id)
#include "ioengine/replay/settings.def"
#undef IOFLUX_SETTING

namespace types {
constexpr SettingType PATH = SettingType::kPath;
constexpr SettingType CHOICE = SettingType::kChoice;
constexpr SettingType BOOL = SettingType::kBool;
constexpr SettingType UINT = SettingType::kUint;
constexpr SettingType COUNT = SettingType::kCount;
constexpr SettingType REAL = SettingType::kReal;
constexpr SettingType DURATION = SettingType::kDuration;
constexpr SettingAudience USER = SettingAudience::kUser;
constexpr SettingAudience ENGINE = SettingAudience::kEngine;
}  // namespace types

constexpr SettingInfo kSettings[] = {
#define IOFLUX_SETTING(id, type, option, flag, fallback, minimum, maximum, unit, audience, help) \
  {Setting::k##id, types::type, option,          flag, fallback,      minimum,                   \
   maximum,        unit,        types::audience, help, k##id##Choices},
#include "ioengine/replay/settings.def"
#undef IOFLUX_SETTING
};
static_assert(std::size(kSettings) == kSettingCount);

Error BadValue(const SettingInfo& info, std::string_view text, std::string mend) {
  return Error{.kind = ErrorKind::kUsage,
               .what = "'" + std::string(text) + "' is not a value of --" + std::string(info.flag),
               .where = {},
               .mend = std::move(mend)};
}

Result<std::string> NormaliseChoice(const SettingInfo& info, std::string_view text) {
  std::vector<std::string_view> words;
  for (const SettingChoice& choice : info.choices) words.push_back(choice.word);
  if (std::find(words.begin(), words.end(), text) != words.end()) return std::string(text);
  return BadValue(info, text, SuggestName(text, words));
}

Result<std::string> NormaliseBool(const SettingInfo& info, std::string_view text) {
  for (std::string_view word : {"true", "1", "yes", "on"}) {
    if (text == word) return std::string("true");
  }
  for (std::string_view word : {"false", "0", "no", "off"}) {
    if (text == word) return std::string("false");
  }
  return BadValue(info, text, "true or false");
}

/// ", or auto" for a setting that also takes this word.
std::string OrWords(const SettingInfo& info) {
  std::string words;
  for (const SettingChoice& choice : info.choices) words += ", or " + std::string(choice.word);
  return words;
}

Result<std::string> NormaliseNumber(const SettingInfo& info, std::string_view text) {
  for (const SettingChoice& choice : info.choices) {
    if (text == choice.word) return std::string(text);
  }
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || rest != end || value < info.minimum || value > info.maximum) {
    return BadValue(info, text,
                    "a whole number from " + std::to_string(info.minimum) + " to " +
                        std::to_string(info.maximum) + OrWords(info));
  }
  return std::to_string(value);
}

Result<std::string> NormaliseReal(const SettingInfo& info, std::string_view text) {
  const std::optional<double> value = ParseReal(text);
  if (!value || !std::isfinite(*value) || *value <= 0) {
    return BadValue(info, text, "a number above 0, such as 2 or 0.5");
  }
  return FormatShortest(*value);
}

/// Whole units of the largest unit that divides it: 1500000 -> "1500us".
std::string ExactDuration(std::int64_t duration_ns) {
  constexpr std::pair<std::int64_t, std::string_view> kUnits[] = {
      {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}};
  if (duration_ns == 0) return "0";
  for (const auto& [unit_ns, name] : kUnits) {
    if (duration_ns % unit_ns == 0)
      return std::to_string(duration_ns / unit_ns) + std::string(name);
  }
  return {};
}

Result<std::string> NormaliseDuration(const SettingInfo& info, std::string_view text) {
  for (const SettingChoice& choice : info.choices) {
    if (text == choice.word) return std::string(text);
  }
  const std::string words = OrWords(info);
  const Result<std::int64_t> duration_ns = ParseDuration(text);
  if (!duration_ns) return BadValue(info, text, "a time such as 60us, 5ms or 1s" + words);
  const auto value = static_cast<std::uint64_t>(duration_ns.value());
  if (value < info.minimum || (info.maximum != 0 && value > info.maximum)) {
    return BadValue(
        info, text,
        "a time from " + ExactDuration(static_cast<std::int64_t>(info.minimum)) +
            (info.maximum == 0 ? " up"
                               : " to " + ExactDuration(static_cast<std::int64_t>(info.maximum))) +
            words);
  }
  return ExactDuration(duration_ns.value());
}

Result<std::string> Normalise(const SettingInfo& info, std::string_view text) {
  switch (info.type) {
    case SettingType::kPath:
      return std::string(text);
    case SettingType::kChoice:
      return NormaliseChoice(info, text);
    case SettingType::kBool:
      return NormaliseBool(info, text);
    case SettingType::kUint:
    case SettingType::kCount:
      return NormaliseNumber(info, text);
    case SettingType::kReal:
      return NormaliseReal(info, text);
    case SettingType::kDuration:
      return NormaliseDuration(info, text);
  }
  return std::string(text);
}

}  // namespace

std::span<const SettingInfo> AllSettings() { return kSettings; }

const SettingInfo& InfoOf(Setting setting) { return kSettings[static_cast<std::size_t>(setting)]; }

const SettingInfo* FindSetting(std::string_view option) {
  for (const SettingInfo& info : kSettings) {
    if (info.option == option) return &info;
  }
  return nullptr;
}

ReplaySettings::ReplaySettings() {
  for (const SettingInfo& info : kSettings)
    values_[static_cast<std::size_t>(info.id)] = info.fallback;
}

Result<void> ReplaySettings::Set(Setting setting, std::string_view text) {
  IOFLUX_ASSIGN_OR_RETURN(values_[static_cast<std::size_t>(setting)],
                          Normalise(InfoOf(setting), text));
  return {};
}

Result<void> ReplaySettings::CheckCombination() const {
  if (!is_set(Setting::kTrace)) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "no trace is given",
                 .where = {},
                 .mend = "give --trace FILE"};
  }
  if (text(Setting::kBackend) == "mem" && is_set(Setting::kTargetRoot)) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "a target root has no meaning for the mem engine",
                 .where = {},
                 .mend = "leave --target-root out, or use --engine local"};
  }
  if (text(Setting::kSpeedup) != "1" && text(Setting::kMode) != "scaled") {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "a speedup has no meaning in mode " + text(Setting::kMode),
                 .where = {},
                 .mend = "use --mode scaled, or leave --speedup out"};
  }
  if (number(Setting::kStreamsPerJob) > 1 && text(Setting::kIo) == "psync") {
    return Error{
        .kind = ErrorKind::kUsage,
        .what = "with --io psync a job replays one stream, not " + text(Setting::kStreamsPerJob),
        .where = {},
        .mend = "use --io uring, or leave --streams-per-job out"};
  }
  const bool copies = text(Setting::kPrepare) == "materialize-from-source";
  if (copies && !is_set(Setting::kSourceRoot)) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "materialize-from-source needs a source root",
                 .where = {},
                 .mend = "give --source-root FOLDER"};
  }
  if (!copies && is_set(Setting::kSourceRoot)) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "a source root has no meaning with --prepare " + text(Setting::kPrepare),
                 .where = {},
                 .mend = "use --prepare materialize-from-source, or leave --source-root out"};
  }
  if (duration_ns(Setting::kMaxLag) && text(Setting::kMode) == "asap") {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "in mode asap no operation has a time to be late for",
                 .where = {},
                 .mend = "leave --max-lag out, or use --mode think, timeline or scaled"};
  }
  if (const std::uint64_t align_bytes = number(Setting::kDirectAlign);
      align_bytes != 0 && !std::has_single_bit(align_bytes)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .what = "an alignment of " + std::to_string(align_bytes) + " bytes is not a power of two",
        .where = {},
        .mend = "use --direct-align " + std::to_string(std::bit_floor(align_bytes)) +
                ", or leave it out for what the file system says"};
  }
  return {};
}

std::uint64_t ReplaySettings::number(Setting setting) const {
  const std::string& value = text(setting);
  std::uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

double ReplaySettings::real(Setting setting) const { return ParseReal(text(setting)).value_or(1); }

std::optional<std::int64_t> ReplaySettings::duration_ns(Setting setting) const {
  const Result<std::int64_t> value = ParseDuration(text(setting));
  if (!value) return std::nullopt;
  return value.value();
}

}  // namespace ioflux
