// SPDX-License-Identifier: GPL-2.0-only
#include "cli/replay_flags.h"

#include <CLI/CLI.hpp>

namespace ioflux {

namespace {

const char* TypeName(SettingType type) {
  switch (type) {
    case SettingType::kPath:
      return "PATH";
    case SettingType::kUint:
    case SettingType::kCount:
      return "N";
    case SettingType::kReal:
      return "FACTOR";
    case SettingType::kDuration:
      return "TIME";
    default:
      return "WORD";
  }
}

}  // namespace

std::string ChoiceWords(const SettingInfo& info) {
  std::string words;
  for (const SettingChoice& choice : info.choices)
    words += (words.empty() ? "" : ", ") + std::string(choice.word);
  return words;
}

void ReplayFlags::AddTo(CLI::App& command) {
  for (const SettingInfo& info : AllSettings()) {
    if (info.audience != SettingAudience::kUser) continue;
    std::string help(info.help);
    if (!info.choices.empty()) help += ": " + ChoiceWords(info);
    if (!info.fallback.empty()) help += " [" + std::string(info.fallback) + "]";
    CLI::Option* option = nullptr;
    if (info.type == SettingType::kBool) {
      option = command.add_flag_callback(
          "--" + std::string(info.flag), [this, id = info.id] { texts_[id] = "true"; }, help);
    } else {
      option = command.add_option_function<std::string>(
          "--" + std::string(info.flag),
          [this, id = info.id](const std::string& text) { texts_[id] = text; }, help);
      option->type_name(TypeName(info.type));
      option->take_last();
    }
    option->group("Replay");
  }
}

Result<ReplaySettings> ReplayFlags::Settings() const {
  ReplaySettings settings;
  for (const auto& [id, text] : texts_) IOFLUX_RETURN_IF_ERROR(settings.Set(id, text));
  IOFLUX_RETURN_IF_ERROR(settings.CheckCombination());
  return settings;
}

}  // namespace ioflux
