// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/file_namespace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace_tools/import/model/path_name.h"

namespace ioflux {
namespace {

// As many links as Linux follows in one lookup.
constexpr int kMostLinks = 40;

// Whether `path`, which leads to `node`, is the name of a symbolic link to it. A link somewhere
// further up changes the kernel's name too, but not its last component.
bool NamesALink(std::string_view path, const FileNode& node) {
  return !node.resolved.empty() && path != node.resolved &&
         LastComponent(path) != LastComponent(node.resolved);
}

}  // namespace

// --- bindings ----------------------------------------------------------------------------------

std::string FileNamespace::Absolute(std::string_view path) const {
  return IsAbsolute(path) || start_.empty() ? std::string(path) : JoinPath(start_, path);
}

std::string FileNamespace::FollowLinks(std::string path) const {
  for (int i = 0; i < kMostLinks && !symlinks_.empty(); ++i) {
    const auto link = symlinks_.find(path);
    if (link == symlinks_.end()) break;
    path = link->second;
  }
  return path;
}

void FileNamespace::Bind(std::string path, FileNode& node) {
  absent_.erase(path);
  auto [binding, added] = bindings_.try_emplace(path, &node);
  if (!added) {
    if (binding->second == &node) return;
    std::erase(binding->second->paths, path);
    binding->second = &node;
  }
  node.paths.push_back(std::move(path));
  node.removed = false;
}

void FileNamespace::Unbind(Bindings::iterator binding) {
  std::erase(binding->second->paths, binding->first);
  bindings_.erase(binding);
}

void FileNamespace::UnbindAll(FileNode& node) {
  for (const std::string& path : node.paths) bindings_.erase(path);
  node.paths.clear();
}

FileNode& FileNamespace::Add(std::string_view path, std::string_view resolved) {
  FileNode& node = nodes_.emplace_back();
  node.name = names_.Take(path);
  node.resolved = resolved;
  node.exclusion = filter_.ExclusionOf(path);
  return node;
}

FileNode* FileNamespace::Find(std::string_view path) {
  const auto binding = bindings_.find(FollowLinks(Absolute(path)));
  return binding == bindings_.end() ? nullptr : binding->second;
}

FileNode& FileNamespace::FindOrAdd(std::string_view path, std::string_view resolved) {
  std::string name = FollowLinks(Absolute(path));
  // A way through /proc/self/fd and the like names the file behind it.
  if (!resolved.empty() && filter_.ExclusionOf(name) != nullptr) name = resolved;

  const auto by_name = bindings_.find(name);
  if (resolved.empty()) {
    if (by_name != bindings_.end()) return *by_name->second;
    FileNode& node = Add(name, resolved);
    Bind(std::move(name), node);
    return node;
  }
  const auto by_resolved = bindings_.find(resolved);
  if (by_resolved != bindings_.end()) {
    FileNode& node = *by_resolved->second;
    node.resolved = resolved;
    Bind(std::move(name), node);
    return node;
  }
  const bool same_name = by_name != bindings_.end() && by_name->second->resolved.empty();
  const bool moved_on = by_name != bindings_.end() && !same_name;
  FileNode& node =
      same_name ? *by_name->second : Add(moved_on ? resolved : std::string_view(name), resolved);
  node.resolved = resolved;
  Bind(std::string(resolved), node);
  Bind(std::move(name), node);
  return node;
}

FileNode& FileNamespace::AddUnnamed(std::string_view name) {
  FileNode& node = nodes_.emplace_back();
  node.name = names_.Take(name);
  node.exclusion = filter_.ExclusionOf(node.name);
  return node;
}

// --- presence ----------------------------------------------------------------------------------

void FileNamespace::MarkAbsent(std::string_view path) {
  std::string name = Absolute(path);
  if (!bindings_.contains(name)) absent_.insert(std::move(name));
}

bool FileNamespace::IsAbsent(std::string_view path) const {
  return absent_.contains(Absolute(path));
}

void FileNamespace::MarkPresent(std::string_view path) { absent_.erase(Absolute(path)); }

// --- changes -----------------------------------------------------------------------------------

void FileNamespace::Remove(std::string_view path) {
  const std::string name = Absolute(path);
  symlinks_.erase(name);
  const auto binding = bindings_.find(name);
  if (binding != bindings_.end()) {
    FileNode& node = *binding->second;
    if (node.links > 1) {
      --node.links;
      Unbind(binding);
    } else if (NamesALink(name, node)) {
      Unbind(binding);
    } else {
      node.removed = true;
      // A file that was only asked about can carry what is made under its name next.
      if (node.opens > 0) UnbindAll(node);
    }
  }
  absent_.insert(name);
}

void FileNamespace::MoveChildren(const std::string& from, const std::string& to) {
  const std::string prefix = from + "/";
  std::vector<std::pair<std::string, FileNode*>> moved;
  for (auto it = bindings_.lower_bound(prefix);
       it != bindings_.end() && it->first.starts_with(prefix); ++it) {
    moved.emplace_back(it->first, it->second);
  }
  for (const auto& [path, node] : moved) {
    Unbind(bindings_.find(path));
    node->resolved.clear();
    Bind(to + path.substr(from.size()), *node);
  }
}

void FileNamespace::Rename(std::string_view from, std::string_view to) {
  const std::string source = Absolute(from);
  const std::string destination = Absolute(to);
  if (source == destination) return;
  Remove(destination);
  const auto link = symlinks_.find(source);
  if (link != symlinks_.end()) {
    symlinks_[destination] = std::move(link->second);
    symlinks_.erase(source);
  }
  const auto binding = bindings_.find(source);
  if (binding != bindings_.end()) {
    FileNode& node = *binding->second;
    const bool one_of_many = node.links > 1 || NamesALink(source, node);
    if (one_of_many) {
      Unbind(binding);
    } else {
      UnbindAll(node);
      node.resolved.clear();
    }
    Bind(destination, node);
  }
  MoveChildren(source, destination);
  absent_.erase(destination);
  absent_.insert(source);
}

void FileNamespace::Exchange(std::string_view a, std::string_view b) {
  const std::string first = Absolute(a);
  const std::string second = Absolute(b);
  const std::string aside = first + "\nexchanged";  // no other path has it
  const auto move = [this](const std::string& from, const std::string& to) {
    const auto binding = bindings_.find(from);
    if (binding == bindings_.end()) return;
    FileNode& node = *binding->second;
    UnbindAll(node);
    node.resolved.clear();
    Bind(to, node);
  };
  move(first, aside);
  move(second, first);
  move(aside, second);
}

void FileNamespace::Link(std::string_view existing, std::string_view path) {
  FileNode& node = FindOrAdd(existing);
  ++node.links;
  Bind(Absolute(path), node);
}

void FileNamespace::Name(FileNode& node, std::string_view path) {
  const std::string name = Absolute(path);
  if (node.paths.empty()) {
    node.name = names_.Take(name);
    node.resolved.clear();
    node.exclusion = filter_.ExclusionOf(name);
    node.links = 1;
  } else {
    ++node.links;
  }
  Bind(name, node);
}

void FileNamespace::Symlink(std::string_view text, std::string_view path) {
  std::string name = Absolute(path);
  absent_.erase(name);
  std::string target = JoinPath(ParentOf(name), text);
  symlinks_[std::move(name)] = std::move(target);
}

void FileNamespace::LearnStart(std::string_view directory) {
  if (!start_.empty() || !IsAbsolute(directory)) return;
  start_ = directory;
  std::vector<std::pair<std::string, FileNode*>> relative;
  for (const auto& [path, node] : bindings_) {
    if (!IsAbsolute(path)) relative.emplace_back(path, node);
  }
  for (const auto& [path, node] : relative) {
    Unbind(bindings_.find(path));
    const std::string name = Absolute(path);
    if (!bindings_.contains(name)) Bind(name, *node);
  }
  for (FileNode& node : nodes_) {
    if (IsAbsolute(node.name)) continue;
    node.name = names_.Take(Absolute(node.name));
    node.exclusion = filter_.ExclusionOf(node.name);
  }
  std::set<std::string, std::less<>> absent;
  for (const std::string& path : absent_) absent.insert(Absolute(path));
  absent_ = std::move(absent);
}

}  // namespace ioflux
