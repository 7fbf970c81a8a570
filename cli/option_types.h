// SPDX-License-Identifier: GPL-2.0-only
//
// Options of the kinds all commands share. The variable holds the default, which --help shows; the
// last occurrence of an option wins; a value that cannot be read ends with exit code 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ioflux {

/// Bytes, in the grammar of base/size_text.h.
CLI::Option* AddSizeOption(CLI::App& command, const std::string& names, std::int64_t& bytes,
                           const std::string& description);
CLI::Option* AddSizeOption(CLI::App& command, const std::string& names,
                           std::optional<std::int64_t>& bytes, const std::string& description);

/// Nanoseconds, in the grammar of base/duration_text.h.
CLI::Option* AddDurationOption(CLI::App& command, const std::string& names,
                               std::optional<std::int64_t>& duration_ns,
                               const std::string& description);

/// Signed 64-bit, also 0x, 0o, 0b and with `_`.
CLI::Option* AddIntegerOption(CLI::App& command, const std::string& names, std::int64_t& value,
                              const std::string& description);

/// As AddIntegerOption, at least 0.
CLI::Option* AddCountOption(CLI::App& command, const std::string& names, std::int64_t& value,
                            const std::string& description);

CLI::Option* AddRealOption(CLI::App& command, const std::string& names, double& value,
                           const std::string& description);

/// `--name`, `--name=false`, `--name false` (cli/go_flags.h).
CLI::Option* AddBoolOption(CLI::App& command, const std::string& names, bool& value,
                           const std::string& description);

/// Any text; `type_name` is what --help shows for it.
CLI::Option* AddTextOption(CLI::App& command, const std::string& names, std::string& value,
                           const std::string& type_name, const std::string& description);

}  // namespace ioflux
