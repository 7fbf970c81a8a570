// SPDX-License-Identifier: GPL-2.0-only
//
// PathFilter: which paths an import keeps.
//
// A pattern is a path with `?` (one character), `*` (any, within one component) and `**` (any,
// across components). It matches a path or any directory above it, so `/data` keeps all of /data.
// Without a slash in front it matches anywhere: `*.so`, `cache/tmp`.
// A path is excluded when an --exclude pattern matches it; when --include patterns are given and
// none matches; or, unless an --include pattern matches, when it is below /proc, /sys or /dev.
//
// Threading: immutable after construction. Exclusions() pointers live as long as any copy.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ioflux {

/// Whether `pattern` matches `path` or a directory above it.
bool MatchesPath(std::string_view pattern, std::string_view path);

class PathFilter {
 public:
  PathFilter() : PathFilter({}, {}) {}
  PathFilter(std::vector<std::string> include, std::vector<std::string> exclude);

  /// The pattern that excludes `path` (for the account), or null when it is kept.
  const std::string* ExclusionOf(std::string_view path) const;

 private:
  struct Patterns {
    std::vector<std::string> include, exclude, standard;
    std::string not_included;
  };
  std::shared_ptr<const Patterns> patterns_;
};

}  // namespace ioflux
