// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/confinement.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "base/regular_file.h"
#include "ioengine/replay/file_look.h"

namespace ioflux {
namespace {

/// Components of an absolute form of `name`, without empty ones and `.`; nothing when one is `..`.
std::optional<std::vector<std::string>> Components(const std::string& name) {
  std::error_code ignored;
  const std::string absolute = !name.empty() && name[0] == '/'
                                   ? name
                                   : std::filesystem::current_path(ignored).string() + "/" + name;
  std::vector<std::string> components;
  std::size_t start = 0;
  while (start <= absolute.size()) {
    const std::size_t slash = std::min(absolute.find('/', start), absolute.size());
    const std::string component = absolute.substr(start, slash - start);
    if (component == "..") return std::nullopt;
    if (!component.empty() && component != ".") components.push_back(component);
    start = slash + 1;
  }
  return components;
}

/// What is left of `components` below `root`; nothing when it is not inside.
std::optional<std::string> Below(const std::vector<std::string>& components,
                                 const std::vector<std::string>& root) {
  if (components.size() < root.size() ||
      !std::equal(root.begin(), root.end(), components.begin())) {
    return std::nullopt;
  }
  std::string path;
  for (std::size_t i = root.size(); i < components.size(); ++i)
    path += (path.empty() ? "" : "/") + components[i];
  return path.empty() ? "." : path;
}

Error Refused(const std::string& name, const std::string& why, std::string mend) {
  return Error{.kind = ErrorKind::kRefused,
               .what = "target '" + name + "' " + why,
               .where = {},
               .mend = std::move(mend)};
}

}  // namespace

Result<void> CheckTargetName(const std::string& source, const std::string& name) {
  if (name.empty()) {
    return Refused(source, "has an empty name after the target map", "mend the rule for it");
  }
  if (name.find('\0') == std::string::npos) return {};
  return Refused(name, "has a zero byte in its name, which no file can have",
                 "send it elsewhere with a target map");
}

Result<std::string> PathBelowRoot(const std::string& name, const std::string& root_path) {
  const auto components = Components(name);
  if (!components) return Refused(name, "has a '..' in its path", "map it to a path without '..'");
  // The root may be given through '..' or a symbolic link; targets may be written either way.
  std::error_code ignored;
  const std::string real_root = std::filesystem::weakly_canonical(root_path, ignored).string();
  for (const std::string& spelling : {root_path, real_root}) {
    const auto root = Components(spelling);
    if (!root) continue;
    if (auto path = Below(*components, *root)) return *path;
  }
  return Refused(
      name, "is outside the target root '" + root_path + "'",
      "map it below the root in a target map, e.g. from: \"\" to: \"" + root_path + "/\"");
}

Result<void> CheckTargets(const FileRoot& root, const std::string& root_path,
                          const std::vector<BackendTarget>& targets) {
  for (const BackendTarget& target : targets) {
    const FileLook look = LookAt(root, target.path);
    const bool waits = look.kind == FileKindText(S_IFIFO) || look.kind == FileKindText(S_IFSOCK);
    if (waits || (root.confined() && look.exists && !look.regular && !look.folder)) {
      return Refused(target.name, "is " + std::string(look.kind) + ", not a file",
                     "remove it, or map the target elsewhere");
    }
    if (look.exists || look.error == ENOENT || !root.confined()) continue;
    if (look.error == EXDEV) {
      return Refused(target.name,
                     "leads outside the target root '" + root_path + "' through a symbolic link",
                     "remove the link, or map the target elsewhere");
    }
    Error error = SystemError("target '" + target.name +
                                  "' cannot be looked at below the target root '" + root_path + "'",
                              look.error, {},
                              "mend the path or its permissions, or map the target elsewhere");
    error.kind = ErrorKind::kRefused;
    return error;
  }
  return {};
}

}  // namespace ioflux
