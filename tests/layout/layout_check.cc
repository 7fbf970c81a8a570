// SPDX-License-Identifier: GPL-2.0-only
#include "tests/layout/layout_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include "tests/layout/room.h"

namespace ioflux::layout {
namespace {

constexpr std::size_t kMostSourceLines = 600;
constexpr std::size_t kMostHeaderLines = 200;
constexpr std::size_t kLicenceWithinLines = 5;
constexpr std::string_view kPlugin = "ioengine/fio_plugin.c";

// In two parts, so that this file does not break the rule it checks.
constexpr auto kMachinePaths = std::to_array<std::string_view>({
    "/wo"
    "rk/",
    "/tm"
    "p/w/",
});

std::string_view Extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

bool IsCode(std::string_view path) {
  const std::string_view end = Extension(path);
  return end == ".h" || end == ".cc" || end == ".c" || end == ".def" || end == ".inc" || end == ".S";
}

bool IsData(std::string_view path) {
  return path.starts_with("tests/data/") || path.starts_with("tests/fuzz/corpus/");
}

// Everything a person writes as a program: code, build files and scripts.
bool NeedsLicenceLine(const SourceFile& file) {
  if (IsData(file.path)) return false;
  const std::string_view end = Extension(file.path);
  return IsCode(file.path) || file.path == "Makefile" || file.path.ends_with("CMakeLists.txt") ||
         end == ".cmake" || end == ".in" || end == ".sh" || end == ".py" ||
         file.text.starts_with("#!");
}

std::string At(const SourceFile& file, std::size_t line, std::string_view what) {
  return file.path + ":" + std::to_string(line) + ": " + std::string(what);
}

// The name in `#include "NAME"`, or nothing.
std::optional<std::string> QuotedInclude(std::string_view line) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(line.begin(), line.end(), match, kInclude)) return std::nullopt;
  return match[1].str();
}

// Fio's headers are not in the tree; every other include must be.
std::string IncludeProblem(const SourceTree& tree, const SourceFile& file,
                           const std::string& target) {
  const bool ours = tree.Find(target) != nullptr;
  if (!ours && file.path == kPlugin) return {};
  if (target == "fio.h") return "fio's headers are for " + std::string(kPlugin) + " alone";
  if (!ours) return "\"" + target + "\" is no file of this tree, counted from its root";
  const Room* room = RoomOf(file.path);
  if (room == nullptr || MayInclude(*room, target)) return {};
  return std::string(room->folder) + " may not use " + target;
}

}  // namespace

Findings CheckIncludes(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!IsCode(file.path)) continue;
    std::size_t number = 0;
    for (const std::string_view line : Lines(file.text)) {
      ++number;
      const std::optional<std::string> target = QuotedInclude(line);
      if (!target) continue;
      const std::string problem = IncludeProblem(tree, file, *target);
      if (!problem.empty()) findings.push_back(At(file, number, problem));
    }
  }
  return findings;
}

Findings CheckRooms(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (IsCode(file.path) && RoomOf(file.path) == nullptr) {
      findings.push_back(At(file, 1, "is in no room of the table"));
    }
  }
  return findings;
}

Findings CheckLicenceLines(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!NeedsLicenceLine(file)) continue;
    const std::vector<std::string_view> lines = Lines(file.text);
    const auto end =
        lines.begin() + static_cast<std::ptrdiff_t>(std::min(kLicenceWithinLines, lines.size()));
    const bool found = std::any_of(lines.begin(), end, [](std::string_view line) {
      return line.find("SPDX-License-Identifier: GPL-2.0-only") != std::string_view::npos;
    });
    if (!found) findings.push_back(At(file, 1, "has no SPDX line in its first 5 lines"));
  }
  return findings;
}

Findings CheckMachinePaths(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    std::size_t number = 0;
    for (const std::string_view line : Lines(file.text)) {
      ++number;
      for (const std::string_view path : kMachinePaths) {
        if (line.find(path) != std::string_view::npos) {
          findings.push_back(At(file, number, "names " + std::string(path)));
        }
      }
    }
  }
  return findings;
}

Findings CheckFileSizes(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const std::string_view end = Extension(file.path);
    const bool header = end == ".h";
    if (!header && end != ".cc" && end != ".c") continue;
    const std::size_t most = header ? kMostHeaderLines : kMostSourceLines;
    const std::size_t lines = Lines(file.text).size();
    if (lines > most)
      findings.push_back(At(file, lines, "is longer than " + std::to_string(most) + " lines"));
  }
  return findings;
}

Findings CheckSilence(const SourceTree& tree) {
  static const std::regex kLoud(
      R"(\b(v?printf|puts|putchar|perror|exit|quick_exit|abort)\s*\(|\b(stdout|stderr)\b|\bstd::(cout|cerr|clog|terminate)\b|\bfmt::print\b)");
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const Room* room = RoomOf(file.path);
    if (!IsCode(file.path) || room == nullptr || room->may_print) continue;
    const std::string code = CodeOnly(file.text);
    std::size_t number = 0;
    for (const std::string_view line : Lines(code)) {
      ++number;
      std::match_results<std::string_view::const_iterator> match;
      if (std::regex_search(line.begin(), line.end(), match, kLoud)) {
        findings.push_back(
            At(file, number, "a library neither prints nor exits: " + match[0].str()));
      }
    }
  }
  return findings;
}

}  // namespace ioflux::layout
