// SPDX-License-Identifier: GPL-2.0-only
#include "cli/go_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest_name.h"

namespace ioflux {
namespace {

using Words = std::vector<std::string>;

/// A word that begins with a dash, taken apart.
struct Flag {
  int dashes = 1;
  std::string name;
  std::optional<std::string> value;
};

Flag Split(const std::string& word) {
  Flag flag;
  flag.dashes = word.starts_with("--") ? 2 : 1;
  const std::string body = word.substr(static_cast<std::size_t>(flag.dashes));
  const std::size_t equals = body.find('=');
  flag.name = body.substr(0, equals);
  if (equals != std::string::npos) flag.value = body.substr(equals + 1);
  return flag;
}

std::string Dashed(const std::string& name) { return (name.size() == 1 ? "-" : "--") + name; }

const CLI::Option* FindOption(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options()) {
    if (name.size() == 1 ? option->check_sname(name) : option->check_lname(name)) return option;
  }
  return nullptr;
}

const CLI::App* FindCommand(const CLI::App& command, const std::string& name) {
  for (const CLI::App* candidate : command.get_subcommands({})) {
    if (candidate->check_name(name)) return candidate;
  }
  return nullptr;
}

bool TakesArguments(const CLI::App& command) {
  const auto options = command.get_options();
  return command.get_allow_extras() || command.get_prefix_command() ||
         std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_positional(); });
}

Error UnknownWord(const std::string& what, const std::string& word, const Words& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return Error{.kind = ErrorKind::kUsage,
               .what = what + " '" + word + "'",
               .mend = SuggestName(word, views)};
}

Error UnknownCommand(const CLI::App& command, const std::string& word) {
  Words known;
  for (const CLI::App* candidate : command.get_subcommands({})) {
    if (!candidate->get_group().empty()) known.push_back(candidate->get_name());
  }
  return UnknownWord("unknown command", word, known);
}

Error UnknownFlag(const CLI::App& command, const std::string& word) {
  Words known;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  return UnknownWord("unknown flag", word, known);
}

class Normalizer {
 public:
  Normalizer(const CLI::App& app, const Words& words) : command_(&app), words_(words) {}

  Result<Words> Run() && {
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      if (word == "--") {
        out_.push_back(word);
        out_.insert(out_.end(), words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
        break;
      }
      const bool is_flag = word.size() > 1 && word[0] == '-';
      IOFLUX_RETURN_IF_ERROR(is_flag ? TakeFlag(word) : TakeWord(word));
    }
    return std::move(out_);
  }

 private:
  Result<void> TakeWord(const std::string& word) {
    if (const CLI::App* command = FindCommand(*command_, word)) {
      command_ = command;
    } else if (!TakesArguments(*command_)) {
      if (!command_->get_subcommands({}).empty()) return UnknownCommand(*command_, word);
      return Error{.kind = ErrorKind::kUsage,
                   .what = "the word '" + word + "' is not expected here",
                   .mend = "leave it out, or put the flag it belongs to before it"};
    }
    out_.push_back(word);
    return {};
  }

  Result<void> TakeFlag(const std::string& word) {
    const Flag flag = Split(word);
    const CLI::Option* option = FindOption(*command_, flag.name);
    if (option == nullptr) {
      if (!MayPass(word, flag)) return UnknownFlag(*command_, word);
      out_.push_back(word);
      return {};
    }
    const std::string name = Dashed(flag.name);
    if (option->get_type_name() == kBoolTypeName) {
      TakeBool(name, flag);
    } else if (option->get_items_expected_max() == 0) {
      out_.push_back(flag.value ? name + "=" + *flag.value : name);
    } else {
      TakeValue(name, flag, option->get_items_expected_min() > 0);
    }
    return {};
  }

  // CLI11 has a meaning for it: a negative number, `-oFILE`, or words it hands on.
  bool MayPass(const std::string& word, const Flag& flag) const {
    if (command_->get_allow_extras() || command_->get_prefix_command()) return true;
    if (ParseFlagInteger(word) && TakesArguments(*command_)) return true;
    if (flag.dashes != 1 || flag.name.empty()) return false;
    const CLI::Option* attached = FindOption(*command_, flag.name.substr(0, 1));
    return attached != nullptr && attached->get_items_expected_max() > 0;
  }

  void TakeBool(const std::string& name, const Flag& flag) {
    std::string value = flag.value.value_or("true");
    if (!flag.value && next_ < words_.size() && ParseBoolWord(words_[next_])) {
      value = words_[next_++];
    }
    out_.push_back(name);
    out_.push_back(value);
  }

  // Apart from its name, since CLI11 takes `--name=` and `-n=value` for something else.
  void TakeValue(const std::string& name, const Flag& flag, bool required) {
    out_.push_back(name);
    if (flag.value) {
      out_.push_back(*flag.value);
    } else if (next_ < words_.size() && (required || MayBeValue(words_[next_]))) {
      out_.push_back(words_[next_++]);
    }
  }

  // Of an option that may stand alone.
  bool MayBeValue(const std::string& word) const {
    return !word.starts_with('-') && FindCommand(*command_, word) == nullptr;
  }

  const CLI::App* command_;
  const Words& words_;
  std::size_t next_ = 0;
  Words out_;
};

// The digits without separators, or nothing where a `_` does not stand between two of them. One may
// follow the prefix of the base.
std::optional<std::string> WithoutSeparators(std::string_view digits, bool after_prefix) {
  std::string plain;
  bool may_separate = after_prefix;
  for (const char c : digits) {
    if (c == '_' && !may_separate) return std::nullopt;
    may_separate = c != '_';
    if (c != '_') plain += c;
  }
  if (plain.empty() || !may_separate) return std::nullopt;
  return plain;
}

int TakeBase(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char letter = static_cast<char>(digits[1] | 0x20);
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

}  // namespace

Result<Words> NormalizeFlags(const CLI::App& app, const Words& words) {
  return Normalizer(app, words).Run();
}

std::optional<bool> ParseBoolWord(std::string_view word) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "TRUE", "true", "True"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "FALSE", "false", "False"};
  if (std::find(kTrue.begin(), kTrue.end(), word) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), word) != kFalse.end()) return false;
  return std::nullopt;
}

std::optional<std::int64_t> ParseFlagInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const int base = TakeBase(text);
  const std::optional<std::string> digits = WithoutSeparators(text, base != 10);
  if (!digits || (*digits)[0] == '-') return std::nullopt;
  const std::string signed_digits = (negative ? "-" : "") + *digits;
  std::int64_t value = 0;
  const char* last = signed_digits.data() + signed_digits.size();
  const auto [end, error] = std::from_chars(signed_digits.data(), last, value, base);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace ioflux
