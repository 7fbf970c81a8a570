// SPDX-License-Identifier: GPL-2.0-only
//
// FileNamespace: which file a path means at this point of the source.
//
// Paths are clean (path_name.h). A relative one is relative to where the source started, until
// LearnStart() tells where that was; from then on it is absolute. Names come and go with rename,
// unlink and link; files stay. When the source also tells the kernel's own name of an open file
// (strace -y), both names lead to the same file. A name that is used again after its file was
// opened and then removed or renamed is a new file, called NAME#2, NAME#3 …
//
// Threading: one thread. References stay valid for the life of the namespace.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "trace_tools/import/model/file_node.h"
#include "trace_tools/import/model/unique_names.h"
#include "trace_tools/import/path_filter.h"

namespace ioflux {

class FileNamespace {
 public:
  explicit FileNamespace(PathFilter filter) : filter_(std::move(filter)) {}

  /// The file that `path` names, or null when it was never seen.
  FileNode* Find(std::string_view path);
  FileNode& FindOrAdd(std::string_view path) { return FindOrAdd(path, {}); }
  /// `resolved` is the kernel's name, or empty.
  FileNode& FindOrAdd(std::string_view path, std::string_view resolved);
  /// A file without a name of its own (O_TMPFILE).
  FileNode& AddUnnamed(std::string_view name);

  /// A call proved that nothing is there.
  void MarkAbsent(std::string_view path);
  /// Whether the last thing known of `path` is that nothing is there.
  bool IsAbsent(std::string_view path) const;
  /// Something is there now.
  void MarkPresent(std::string_view path);

  void Rename(std::string_view from, std::string_view to);
  void Exchange(std::string_view a, std::string_view b);
  void Remove(std::string_view path);
  void Link(std::string_view existing, std::string_view path);
  /// `node`, which has no name or had one, is called `path` from now on too.
  void Name(FileNode& node, std::string_view path);
  /// `text` is what the link holds.
  void Symlink(std::string_view text, std::string_view path);

  /// The directory where the source started; relative names become absolute.
  void LearnStart(std::string_view directory);

  /// What `path` is called now: absolute if it can be.
  std::string Absolute(std::string_view path) const;

  std::deque<FileNode>& nodes() { return nodes_; }

 private:
  using Bindings = std::map<std::string, FileNode*, std::less<>>;

  FileNode& Add(std::string_view path, std::string_view resolved);
  void Bind(std::string path, FileNode& node);
  void Unbind(Bindings::iterator binding);
  void UnbindAll(FileNode& node);
  void MoveChildren(const std::string& from, const std::string& to);
  std::string FollowLinks(std::string path) const;

  PathFilter filter_;
  std::string start_;
  std::deque<FileNode> nodes_;
  Bindings bindings_;
  std::set<std::string, std::less<>> absent_;
  UniqueNames names_;
  std::map<std::string, std::string, std::less<>> symlinks_;
};

}  // namespace ioflux
