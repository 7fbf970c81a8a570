// SPDX-License-Identifier: GPL-2.0-only
//
// Path names as bytes: joined and cleaned lexically, without looking at any file system.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ioflux {

/// `path` without `.`, `..` and repeated or trailing slashes. `..` at the root is the root; a
/// relative path keeps the `..` that lead out of it. The empty path and `.` become "".
std::string CleanPath(std::string_view path);

/// `path` as seen from `directory` (which is clean, possibly relative or ""), clean.
std::string JoinPath(std::string_view directory, std::string_view path);

inline bool IsAbsolute(std::string_view path) { return !path.empty() && path.front() == '/'; }

/// The directory that holds `path` (clean): "/a" -> "/", "a" -> "".
std::string_view ParentOf(std::string_view path);

/// What follows the last slash.
inline std::string_view LastComponent(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace ioflux
