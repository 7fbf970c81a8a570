// SPDX-License-Identifier: GPL-2.0-only
//
// SourceTree: the files of a checkout as text, for tests that check how the house is laid out.
//
// Build trees, git's own folder and what the quick start leaves behind are not part of it. A test
// makes a small tree of its own by filling `files`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ioflux::layout {

struct SourceFile {
  std::string path;  // from the root, with forward slashes: "base/error.h"
  std::string text;
};

struct SourceTree {
  std::vector<SourceFile> files;  // ordered by path

  const SourceFile* Find(std::string_view path) const;
};

/// Reads every regular file under `root`. Files larger than 1 MiB are data and are left out.
SourceTree ReadSourceTree(const std::filesystem::path& root);

/// The lines of `text` without their ends.
std::vector<std::string_view> Lines(std::string_view text);

/// `text` with comments and the insides of string and character literals blanked out, line by line
/// as before.
std::string CodeOnly(std::string_view text);

}  // namespace ioflux::layout
