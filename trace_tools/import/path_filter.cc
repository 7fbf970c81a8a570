// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/path_filter.h"

#include <algorithm>
#include <utility>

namespace ioflux {
namespace {

// Whether `pattern` matches a prefix of `path` that ends at a component. `path` starts with the
// part that is still to be matched. A star remembers where it stood, so the cost is the product of
// the lengths at worst, never exponential.
bool MatchesComponents(std::string_view pattern, std::string_view path) {
  struct Star {
    std::size_t pattern_at, path_at;
    bool crosses;
  };
  Star single{std::string_view::npos, 0, false};
  Star across{std::string_view::npos, 0, true};
  std::size_t p = 0;
  std::size_t s = 0;
  while (true) {
    const bool at_component_end = s == path.size() || path[s] == '/';
    if (p == pattern.size() && at_component_end) return true;
    if (p < pattern.size() && pattern[p] == '*') {
      const bool crosses = pattern.substr(p).starts_with("**");
      p += crosses ? 2 : 1;
      (crosses ? across : single) = Star{p, s, crosses};
      if (crosses) single.pattern_at = std::string_view::npos;
      continue;
    }
    const bool one = p < pattern.size() && s < path.size() &&
                     (pattern[p] == path[s] || (pattern[p] == '?' && path[s] != '/'));
    if (one) {
      ++p;
      ++s;
      continue;
    }
    // Let the innermost star that can, take one more character.
    if (single.pattern_at != std::string_view::npos && single.path_at < path.size() &&
        path[single.path_at] != '/') {
      p = single.pattern_at;
      s = ++single.path_at;
      continue;
    }
    if (across.pattern_at == std::string_view::npos || across.path_at >= path.size()) return false;
    single.pattern_at = std::string_view::npos;
    p = across.pattern_at;
    s = ++across.path_at;
  }
}

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view path,
                const std::string** which) {
  const auto found = std::ranges::find_if(
      patterns, [&](const std::string& pattern) { return MatchesPath(pattern, path); });
  if (found == patterns.end()) return false;
  *which = &*found;
  return true;
}

}  // namespace

bool MatchesPath(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && pattern.back() == '/') pattern.remove_suffix(1);
  if (pattern.empty()) return path.starts_with('/');
  if (pattern.front() == '/') return MatchesComponents(pattern, path);
  // `*.so` means a name wherever it is.
  std::size_t at = path.starts_with('/') ? 1 : 0;
  while (at < path.size()) {
    if (MatchesComponents(pattern, path.substr(at))) return true;
    const std::size_t slash = path.find('/', at);
    if (slash == std::string_view::npos) return false;
    at = slash + 1;
  }
  return false;
}

PathFilter::PathFilter(std::vector<std::string> include, std::vector<std::string> exclude) {
  patterns_ = std::make_shared<const Patterns>(Patterns{.include = std::move(include),
                                                        .exclude = std::move(exclude),
                                                        .standard = {"/proc", "/sys", "/dev"},
                                                        .not_included = "(no --include)"});
}

const std::string* PathFilter::ExclusionOf(std::string_view path) const {
  const std::string* which = nullptr;
  if (MatchesAny(patterns_->exclude, path, &which)) return which;
  if (MatchesAny(patterns_->include, path, &which)) return nullptr;
  if (!patterns_->include.empty()) return &patterns_->not_included;
  return MatchesAny(patterns_->standard, path, &which) ? which : nullptr;
}

}  // namespace ioflux
