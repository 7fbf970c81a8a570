// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/setting_words.h"

#include <algorithm>

#include "ioengine/replay/settings.h"

namespace ioflux {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameLetter(char c) { return IsLower(c) || c == '-' || c == '_'; }
bool IsWordLetter(char c) { return IsNameLetter(c) || IsUpper(c) || IsDigit(c) || c == '.'; }

/// The word at the start of `text`, without the stop or comma that ends a clause.
std::string_view WordAt(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsWordLetter(text[end])) ++end;
  while (end > 0 && text[end - 1] == '.') --end;
  return text.substr(0, end);
}

std::string_view NameAt(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameLetter(text[end])) ++end;
  return text.substr(0, end);
}

const SettingInfo* FindFlag(std::string_view flag) {
  for (const SettingInfo& info : AllSettings()) {
    if (info.audience == SettingAudience::kUser && info.flag == flag) return &info;
  }
  return nullptr;
}

bool IsValueOf(const SettingInfo& info, std::string_view word) {
  if (word.empty() || info.type == SettingType::kBool) return false;
  const auto is = [&](const SettingChoice& choice) { return choice.word == word; };
  return std::any_of(info.choices.begin(), info.choices.end(), is) || IsDigit(word[0]) ||
         std::all_of(word.begin(), word.end(), IsUpper);
}

/// Where a word of a message may begin, but not inside a quoted name.
bool BeginsWord(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '\n';
}

/// The option (with its value) at the start of `text`, as a flag; nothing when there is none.
/// `taken` is how long it was.
std::string FlagAt(std::string_view text, std::size_t& taken) {
  const std::string_view name = NameAt(text);
  const SettingInfo* info = FindSetting(name);
  if (info == nullptr || info->audience != SettingAudience::kUser) return {};
  const std::string flag = "--" + std::string(info->flag);
  taken = name.size();
  if (text.size() == taken || text[taken] != '=') {
    return name.find('_') == std::string_view::npos ? "" : flag;
  }
  const std::string_view value = WordAt(text.substr(taken + 1));
  taken += 1 + value.size();
  return info->type == SettingType::kBool ? flag : flag + " " + std::string(value);
}

/// The other way round.
std::string OptionAt(std::string_view text, std::size_t& taken) {
  if (!text.starts_with("--")) return {};
  const std::string_view name = NameAt(text.substr(2));
  const SettingInfo* info = FindFlag(name);
  if (info == nullptr) return {};
  taken = 2 + name.size();
  const std::string option(info->option);
  if (info->type == SettingType::kBool) return option + "=1";
  if (text.size() == taken || text[taken] != ' ') return option;
  const std::string_view word = WordAt(text.substr(taken + 1));
  if (!IsValueOf(*info, word)) return option;
  taken += 1 + word.size();
  return option + "=" + std::string(word);
}

/// `text` with every word that `at_word` has another form for replaced by it.
template <typename AtWord>
std::string Replaced(std::string_view text, AtWord at_word) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t taken = 0;
    const std::string other = BeginsWord(text, at) ? at_word(text.substr(at), taken) : "";
    if (other.empty()) {
      out += text[at++];
    } else {
      out += other;
      at += taken;
    }
  }
  return out;
}

}  // namespace

std::string FlagsToOptions(std::string_view text) { return Replaced(text, OptionAt); }
std::string OptionsToFlags(std::string_view text) { return Replaced(text, FlagAt); }

}  // namespace ioflux
