// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temp_dir.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ioflux {

namespace fs = std::filesystem;

TempDir::TempDir(const std::string& parent)
    : path_(((parent.empty() ? fs::temp_directory_path() : fs::path(parent)) / "ioflux-test-XXXXXX")
                .string()) {
  if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot create " << path_;
}

TempDir::~TempDir() {
  std::error_code ignored;
  // A test may have taken its own right to delete away.
  fs::permissions(path_, fs::perms::owner_all, fs::perm_options::add, ignored);
  fs::remove_all(path_, ignored);
}

std::string TempDir::operator/(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

std::string TempDir::Write(std::string_view name, std::string_view content) const {
  const fs::path file = *this / name;
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  stream.close();
  EXPECT_TRUE(stream.good()) << file;
  return file.string();
}

std::string TempDir::Read(std::string_view name) const { return ReadFileForTest(*this / name); }

bool TempDir::Exists(std::string_view name) const { return fs::exists(*this / name); }

std::vector<std::string> TempDir::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string ReadFileForTest(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.good()) << "cannot read " << path;
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

}  // namespace ioflux
