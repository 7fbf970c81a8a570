// SPDX-License-Identifier: GPL-2.0-only
#include "job_templates/job_value.h"

#include <array>

namespace ioflux {
namespace {

struct Replaced {
  std::string_view text;
  std::string_view meaning;
};

constexpr std::string_view kNul("\0", 1);
constexpr std::string_view kVariable = "an environment variable";
constexpr std::string_view kMachine = "a number of the machine";
constexpr std::array kReplaced = std::to_array<Replaced>({
    {";", "the start of a comment"},
    {"#", "the start of a comment"},
    {"\n", "the end of the line"},
    {kNul, "the end of the line"},
    {"${", kVariable},
    {"$pagesize", kMachine},
    {"$mb_memory", kMachine},
    {"$ncpus", kMachine},
});

bool IsControl(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f;
}

Error Refused(std::string_view option, std::string_view value, std::string_view text,
              std::string_view meaning) {
  const std::string named = "'" + OneLine(text) + "'";
  return Error{.kind = ErrorKind::kUsage,
               .what = "'" + OneLine(value) +
                       "' cannot be written in a fio job file, where fio takes " + named + " as " +
                       std::string(meaning),
               .where = {.path = {}, .line = 0, .item = std::string(option)},
               .mend = "rename it, or reach it through a link without " + named + " in its path"};
}

}  // namespace

Result<void> CheckJobValue(std::string_view option, std::string_view value) {
  for (const Replaced& replaced : kReplaced) {
    if (value.find(replaced.text) == std::string_view::npos) continue;
    return Refused(option, value, replaced.text, replaced.meaning);
  }
  if (!value.empty() && (value.back() == ' ' || IsControl(value.back()))) {
    return Refused(option, value, value.substr(value.size() - 1), "no part of a value at its end");
  }
  if (option.size() + 1 + value.size() + 1 >= kFioLineBytes) {
    return Error{.kind = ErrorKind::kUsage,
                 .what = "'" + OneLine(value, 60) + "…' is too long for a fio job file",
                 .where = {.path = {}, .line = 0, .item = std::string(option)},
                 .mend = "reach it through a link with a shorter path"};
  }
  return {};
}

Result<void> CheckJobEngine(std::string_view path) {
  if (path.find(',') != std::string_view::npos) {
    return Refused("ioengine", path, ",", "the end of the engine's name");
  }
  return CheckJobValue("ioengine", "external:" + std::string(path));
}

std::string OneLine(std::string_view text, std::size_t max_bytes) {
  std::string line(text.substr(0, max_bytes));
  for (char& c : line) {
    if (IsControl(c)) c = '?';
  }
  return line;
}

}  // namespace ioflux
