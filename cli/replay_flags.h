// SPDX-License-Identifier: GPL-2.0-only
//
// The rows of settings.def as command-line flags, for every command that replays.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "ioengine/replay/settings.h"

namespace CLI {
class App;
}

namespace ioflux {

/// Texts of the flags that were given, by option name. CLI11 writes into it, so it must outlive the
/// parse.
class ReplayFlags {
 public:
  /// Adds a flag for every setting of the USER audience.
  void AddTo(CLI::App& command);

  /// Defaults overridden by what was given, checked one by one and together.
  Result<ReplaySettings> Settings() const;

 private:
  std::map<Setting, std::string> texts_;
};

/// "mem, local", for help.
std::string ChoiceWords(const SettingInfo& info);

}  // namespace ioflux
