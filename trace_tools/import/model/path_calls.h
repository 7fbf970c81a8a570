// SPDX-License-Identifier: GPL-2.0-only
//
// PathCalls: calls that name files: attributes, names, sizes.
//
// Each takes a call that succeeded (Missing() excepted) and says where its lines belong. Paths are
// clean (ResolvePath()).
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "trace_tools/import/model/open_file_keeper.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux {

/// The directory that a relative path starts from.
struct DirectoryUse {
  bool current = true;  ///< the working directory (AT_FDCWD); else `descriptor`
  DescriptorUse descriptor;
};

/// What a stat call told.
struct Attributes {
  std::optional<FileKind> kind;
  std::optional<std::uint64_t> size;
};

class PathCalls {
 public:
  PathCalls(SourceModel& model, OpenFileKeeper& keeper) : model_(model), keeper_(keeper) {}

  /// Nothing when the source does not name the directory.
  std::optional<std::string> ResolvePath(Task& task, const OpOrigin& origin,
                                         const DirectoryUse& directory, std::string_view path);

  Reason StatPath(Task& task, const OpOrigin& origin, const std::string& path,
                  const Attributes& attributes);
  Reason StatDescriptor(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                        const Attributes& attributes);
  void Missing(const std::string& path) { model_.names.MarkAbsent(path); }

  Reason Rename(const std::string& from, const std::string& to, bool exchange);
  Reason Remove(const std::string& path);
  Reason Link(const std::string& existing, const std::string& path);
  /// `node`, which had no name of its own, is called `path` from now on.
  Reason Name(FileNode& node, const std::string& path);
  Reason Symlink(std::string_view text, const std::string& path);
  Reason IsDirectory(const std::string& path);

  Reason ResizePath(const std::string& path, std::uint64_t size);
  Reason ResizeDescriptor(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                          std::uint64_t size);
  /// Space was made sure of up to `end`; the file grew to it if it was shorter.
  Reason Extend(Task& task, const OpOrigin& origin, const DescriptorUse& use, std::uint64_t end);

 private:
  Reason ChangeSize(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                    const std::function<void(FileSize&)>& change);
  Reason StatNode(Task& task, const OpOrigin& origin, FileNode& node, const Attributes& attributes);

  SourceModel& model_;
  OpenFileKeeper& keeper_;
};

}  // namespace ioflux
