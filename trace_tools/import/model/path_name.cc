// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/path_name.h"

namespace ioflux {
namespace {

// Removes the last component of `clean`, which has `root_bytes` that must stay.
void PopComponent(std::string& clean, std::size_t root_bytes) {
  const std::size_t slash = clean.rfind('/');
  clean.resize(slash == std::string::npos || slash < root_bytes ? root_bytes : slash);
}

bool EndsWithParent(const std::string& clean) { return clean == ".." || clean.ends_with("/.."); }

// Appends the components of `path` to `clean`.
void AppendClean(std::string& clean, std::string_view path) {
  const bool absolute = IsAbsolute(clean);
  const std::size_t root_bytes = absolute ? 1 : 0;
  std::size_t at = 0;
  while (at < path.size()) {
    std::size_t end = path.find('/', at);
    if (end == std::string_view::npos) end = path.size();
    const std::string_view component = path.substr(at, end - at);
    at = end + 1;
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      const bool can_pop = clean.size() > root_bytes && !EndsWithParent(clean);
      if (can_pop) {
        PopComponent(clean, root_bytes);
        continue;
      }
      if (absolute) continue;
    }
    if (clean.size() > root_bytes) clean += '/';
    clean += component;
  }
}

}  // namespace

std::string CleanPath(std::string_view path) { return JoinPath("", path); }

std::string JoinPath(std::string_view directory, std::string_view path) {
  std::string clean(IsAbsolute(path) ? std::string_view("/") : directory);
  clean.reserve(clean.size() + path.size() + 1);
  AppendClean(clean, path);
  return clean;
}

std::string_view ParentOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return path.substr(0, slash == 0 ? 1 : slash);
}

}  // namespace ioflux
