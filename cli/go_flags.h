// SPDX-License-Identifier: GPL-2.0-only
//
// The flag grammar of the command line: `-name v`, `--name v`, `-name=v` and `--name=v` are equal,
// also for one-letter names; `--` ends the flags; a word that is no flag, command or argument of
// anything is an error with the nearest name. CLI11 takes less, so the words are rewritten for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace ioflux {

/// What an option that takes true or false has as its type name. Such an option may stand alone
/// (true) or be followed by its word.
inline constexpr const char* kBoolTypeName = "BOOL";

/// `words` (without the program's name) as `app` understands them. A value that follows its flag is
/// passed on whatever it looks like. kUsage for an unknown flag or command.
Result<std::vector<std::string>> NormalizeFlags(const CLI::App& app,
                                                const std::vector<std::string>& words);

/// 1 t T TRUE true True, 0 f F FALSE false False; nothing for any other word.
std::optional<bool> ParseBoolWord(std::string_view word);

/// A signed 64-bit integer: decimal, 0x, 0o or leading 0, 0b; `_` between digits. Nothing if it is
/// not, or too large.
std::optional<std::int64_t> ParseFlagInteger(std::string_view text);

}  // namespace ioflux
