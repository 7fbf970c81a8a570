// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>

namespace ioflux {
namespace {

bool Updating() {
  const char* update = std::getenv("IOFLUX_UPDATE_GOLDEN");
  return update != nullptr && std::string_view(update) == "1";
}

std::optional<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void WriteText(const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  ASSERT_TRUE(file.good()) << "cannot write " << path;
}

/// The first line that differs, as `LINE: expected … / actual …`.
std::string FirstDifference(const std::string& expected, const std::string& actual) {
  std::istringstream expected_lines(expected);
  std::istringstream actual_lines(actual);
  for (int line = 1;; ++line) {
    std::string wanted;
    std::string got;
    const bool more_wanted = static_cast<bool>(std::getline(expected_lines, wanted));
    const bool more_got = static_cast<bool>(std::getline(actual_lines, got));
    if (!more_wanted && !more_got) return "only the last line end differs";
    if (more_wanted && more_got && wanted == got) continue;
    return "line " + std::to_string(line) + "\n  golden: " + (more_wanted ? wanted : "(ended)") +
           "\n  actual: " + (more_got ? got : "(ended)");
  }
}

}  // namespace

void ExpectGolden(const std::string& name, std::string_view actual) {
  const std::string path = std::string(IOFLUX_TEST_DATA) + "/" + name;
  if (Updating()) {
    WriteText(path, actual);
    return;
  }
  const std::optional<std::string> expected = ReadText(path);
  ASSERT_TRUE(expected.has_value())
      << "there is no golden file " << path << " (IOFLUX_UPDATE_GOLDEN=1 writes it)";
  const std::string text(actual);
  if (text == *expected) return;
  ADD_FAILURE() << name << " differs at " << FirstDifference(*expected, text)
                << "\n(IOFLUX_UPDATE_GOLDEN=1 rewrites it)";
}

}  // namespace ioflux
