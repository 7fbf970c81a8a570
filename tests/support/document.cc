// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/document.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kIndent = "    ";

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<FencedBlock> FencedBlocks(std::string_view markdown) {
  std::vector<FencedBlock> blocks;
  bool inside = false;
  for (const std::string& line : Lines(markdown)) {
    if (line.starts_with(kFence)) {
      inside = !inside;
      if (inside) blocks.push_back({.word = line.substr(kFence.size()), .text = ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::string IndentedCommand(std::string_view markdown, std::string_view words) {
  std::string command;
  for (const std::string& line : Lines(markdown)) {
    const bool begins =
        command.empty() && line.starts_with(std::string(kIndent) + std::string(words));
    if (!begins && command.empty()) continue;
    command += line.substr(kIndent.size()) + "\n";
    if (!line.ends_with('\\')) return command;
  }
  ADD_FAILURE() << "no command '" << words << "' in the document";
  return command;
}

std::string SourceFile(std::string_view path) {
  return ReadFileForTest(std::string(IOFLUX_SOURCE_DIR) + "/" + std::string(path));
}

}  // namespace ioflux
