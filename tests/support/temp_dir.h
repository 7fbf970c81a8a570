// SPDX-License-Identifier: GPL-2.0-only
//
// TempDir: a folder of its own for one test, removed with everything in it at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ioflux {

class TempDir {
 public:
  /// Below `parent`, or where the system keeps temporary files, which may be memory.
  explicit TempDir(const std::string& parent = "");
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  const std::string& path() const { return path_; }

  /// Absolute path of `name` inside.
  std::string operator/(std::string_view name) const;

  /// Writes a file (and the folders above it), returns its path.
  std::string Write(std::string_view name, std::string_view content) const;

  /// Content of a file; a failure is a test failure and "".
  std::string Read(std::string_view name) const;

  bool Exists(std::string_view name) const;

  /// Names in the folder itself, hidden ones too, sorted.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

/// Content of any file; a failure is a test failure and "".
std::string ReadFileForTest(const std::string& path);

}  // namespace ioflux
