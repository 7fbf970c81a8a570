// SPDX-License-Identifier: GPL-2.0-only
//
// ReplaySettings: the values of settings.def, checked as they are set.
//
// Every front end (flags, fio options, YAML, job files) speaks text, and every value is kept as the
// normalised text that results will show; the typed getters cannot fail because Set() refused what
// they could not read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ioflux {

enum class Setting : std::uint8_t {
#define IOFLUX_SETTING(id, type, option, flag, fallback, minimum, maximum, unit, audience, help) \
  k##id,
#include "ioengine/replay/settings.def"
#undef IOFLUX_SETTING
  kCount,
};
inline constexpr std::size_t kSettingCount = static_cast<std::size_t>(Setting::kCount);

enum class SettingType : std::uint8_t { kPath, kChoice, kBool, kUint, kCount, kReal, kDuration };
enum class SettingAudience : std::uint8_t { kUser, kEngine };

struct SettingChoice {
  std::string_view word;
  std::string_view help;
};

/// One row of settings.def.
struct SettingInfo {
  Setting id;
  SettingType type;
  std::string_view option;    ///< in job files and results: target_root
  std::string_view flag;      ///< on the command line, without dashes: target-root
  std::string_view fallback;  ///< default as text, "" = unset
  std::uint64_t minimum, maximum;
  std::string_view unit;
  SettingAudience audience;
  std::string_view help;
  std::span<const SettingChoice> choices;
};

std::span<const SettingInfo> AllSettings();
const SettingInfo& InfoOf(Setting setting);
/// nullptr when there is no such option.
const SettingInfo* FindSetting(std::string_view option);

class ReplaySettings {
 public:
  /// Every setting at its default.
  ReplaySettings();

  /// Sets one from text; kUsage error naming the flag, the value, and what would be legal.
  Result<void> Set(Setting setting, std::string_view text);

  const std::string& text(Setting setting) const {
    return values_[static_cast<std::size_t>(setting)];
  }
  bool is_set(Setting setting) const { return !text(setting).empty(); }
  bool boolean(Setting setting) const { return text(setting) == "true"; }
  /// 0 when the value of a COUNT is a word (`auto`).
  std::uint64_t number(Setting setting) const;
  double real(Setting setting) const;
  /// Nothing when the value is a word (`auto`, `none`).
  std::optional<std::int64_t> duration_ns(Setting setting) const;

  /// Combinations that can never run, whatever the trace: kUsage.
  Result<void> CheckCombination() const;

  bool operator==(const ReplaySettings&) const = default;

 private:
  std::array<std::string, kSettingCount> values_;
};

}  // namespace ioflux
