// SPDX-License-Identifier: GPL-2.0-only
#include "cli/option_types.h"

#include <CLI/CLI.hpp>
#include <functional>

#include "base/duration_text.h"
#include "base/number_text.h"
#include "base/size_text.h"
#include "cli/go_flags.h"

namespace ioflux {
namespace {

using TextCallback = std::function<void(const std::string&)>;

CLI::Option* AddParsed(CLI::App& command, const std::string& names, const std::string& type_name,
                       const std::string& description, const TextCallback& callback) {
  return command.add_option_function<std::string>(names, callback, description)
      ->type_name(type_name)
      ->take_last();
}

// CLI11 puts the option's name in front.
[[noreturn]] void Reject(const std::string& names, const Error& error) {
  const std::string mend = error.mend.empty() ? "" : "\n  try: " + error.mend;
  throw CLI::ValidationError(names.substr(0, names.find(',')), error.what + mend);
}

[[noreturn]] void Reject(const std::string& names, const std::string& text,
                         const std::string& wanted) {
  Reject(names, Error{.what = "'" + text + "' is not " + wanted});
}

std::int64_t SizeOrReject(const std::string& names, const std::string& text) {
  const Result<std::uint64_t> size = ParseSize(text);
  if (!size) Reject(names, size.error());
  return static_cast<std::int64_t>(size.value());  // ParseSize stays below 2^63
}

struct NumberRange {
  std::int64_t least;
  const char* wanted;
};

CLI::Option* AddWholeNumber(CLI::App& command, const std::string& names, std::int64_t& value,
                            NumberRange range, const std::string& description) {
  return AddParsed(command, names, "INT", description,
                   [&value, names, range](const std::string& text) {
                     const std::optional<std::int64_t> parsed = ParseFlagInteger(text);
                     if (!parsed || *parsed < range.least) Reject(names, text, range.wanted);
                     value = *parsed;
                   })
      ->default_str(std::to_string(value));
}

}  // namespace

CLI::Option* AddSizeOption(CLI::App& command, const std::string& names, std::int64_t& bytes,
                           const std::string& description) {
  return AddParsed(command, names, "SIZE", description,
                   [&bytes, names](const std::string& text) { bytes = SizeOrReject(names, text); })
      ->default_str(FormatSizeExact(static_cast<std::uint64_t>(bytes)));
}

CLI::Option* AddSizeOption(CLI::App& command, const std::string& names,
                           std::optional<std::int64_t>& bytes, const std::string& description) {
  return AddParsed(command, names, "SIZE", description,
                   [&bytes, names](const std::string& text) { bytes = SizeOrReject(names, text); });
}

CLI::Option* AddDurationOption(CLI::App& command, const std::string& names,
                               std::optional<std::int64_t>& duration_ns,
                               const std::string& description) {
  return AddParsed(command, names, "DURATION", description,
                   [&duration_ns, names](const std::string& text) {
                     const Result<std::int64_t> duration = ParseDuration(text);
                     if (!duration) Reject(names, duration.error());
                     duration_ns = duration.value();
                   });
}

CLI::Option* AddIntegerOption(CLI::App& command, const std::string& names, std::int64_t& value,
                              const std::string& description) {
  return AddWholeNumber(command, names, value, {.least = INT64_MIN, .wanted = "a 64-bit integer"},
                        description);
}

CLI::Option* AddCountOption(CLI::App& command, const std::string& names, std::int64_t& value,
                            const std::string& description) {
  return AddWholeNumber(command, names, value, {.least = 0, .wanted = "a whole number from 0 up"},
                        description);
}

CLI::Option* AddRealOption(CLI::App& command, const std::string& names, double& value,
                           const std::string& description) {
  return AddParsed(command, names, "REAL", description,
                   [&value, names](const std::string& text) {
                     const std::optional<double> parsed = ParseReal(text);
                     if (!parsed) Reject(names, text, "a number");
                     value = *parsed;
                   })
      ->default_str(FormatGeneral(value));
}

CLI::Option* AddBoolOption(CLI::App& command, const std::string& names, bool& value,
                           const std::string& description) {
  return AddParsed(command, names, kBoolTypeName, description,
                   [&value, names](const std::string& text) {
                     const std::optional<bool> parsed = ParseBoolWord(text);
                     if (!parsed) Reject(names, text, "true or false");
                     value = *parsed;
                   })
      ->default_str(value ? "true" : "false");
}

CLI::Option* AddTextOption(CLI::App& command, const std::string& names, std::string& value,
                           const std::string& type_name, const std::string& description) {
  return AddParsed(command, names, type_name, description,
                   [&value](const std::string& text) { value = text; })
      ->default_str(value);
}

}  // namespace ioflux
