// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/path_calls.h"

#include "trace_tools/import/model/path_name.h"
#include "trace_tools/import/model/task_calls.h"

namespace ioflux {

std::optional<std::string> PathCalls::ResolvePath(Task& task, const OpOrigin& origin,
                                                  const DirectoryUse& directory,
                                                  std::string_view path) {
  if (directory.current && !directory.descriptor.shown.empty()) {
    LearnDirectory(model_, task, model_.read_shown(directory.descriptor.shown).path);
  }
  if (IsAbsolute(path)) return CleanPath(path);
  if (directory.current) return JoinPath(task.directory->path, path);
  const OpenFilePtr file = keeper_.Resolve(task, directory.descriptor, origin);
  if (file == nullptr || file->node == nullptr) return std::nullopt;
  return JoinPath(OpenFileKeeper::CurrentPath(*file->node), path);
}

// --- attributes --------------------------------------------------------------------------------

Reason PathCalls::StatNode(Task& task, const OpOrigin& origin, FileNode& node,
                           const Attributes& attributes) {
  node.known_to_exist = true;
  if (attributes.kind) node.kind = *attributes.kind;
  if (node.kind == FileKind::kDirectory) return Reason::kStatDirectory;
  if (!IsFile(node.kind)) return Reason::kStatOther;
  if (attributes.size) node.size.OnReported(*attributes.size);
  if (node.exclusion != nullptr) {
    model_.excluded_by = node.exclusion;
    return Reason::kExcluded;
  }
  model_.builder.Stat(origin, task.stream, keeper_.TargetOf(node));
  return Reason::kOp;
}

Reason PathCalls::StatPath(Task& task, const OpOrigin& origin, const std::string& path,
                           const Attributes& attributes) {
  // lstat() of a link is about the link, which is no file of the trace.
  if (attributes.kind == FileKind::kSymlink) return Reason::kStatOther;
  return StatNode(task, origin, model_.names.FindOrAdd(path), attributes);
}

Reason PathCalls::StatDescriptor(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                                 const Attributes& attributes) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (file->node != nullptr) return StatNode(task, origin, *file->node, attributes);
  if (attributes.kind && !IsFile(*attributes.kind)) file->kind = *attributes.kind;
  return keeper_.NoFileReason(*file).value_or(Reason::kFdUnknown);
}

// --- names -------------------------------------------------------------------------------------

Reason PathCalls::Rename(const std::string& from, const std::string& to, bool exchange) {
  model_.account.Add(Note::kRenames);
  if (exchange) {
    model_.names.Exchange(from, to);
  } else {
    model_.names.Rename(from, to);
  }
  return Reason::kNameChange;
}

Reason PathCalls::Remove(const std::string& path) {
  model_.account.Add(Note::kRemovals);
  model_.names.Remove(path);
  return Reason::kNameChange;
}

Reason PathCalls::Link(const std::string& existing, const std::string& path) {
  model_.names.Link(existing, path);
  return Reason::kNameChange;
}

Reason PathCalls::Name(FileNode& node, const std::string& path) {
  model_.names.Name(node, path);
  return Reason::kNameChange;
}

Reason PathCalls::Symlink(std::string_view text, const std::string& path) {
  model_.names.Symlink(text, path);
  return Reason::kNameChange;
}

Reason PathCalls::IsDirectory(const std::string& path) {
  model_.names.MarkPresent(path);
  FileNode& node = model_.names.FindOrAdd(path);
  node.kind = FileKind::kDirectory;
  node.known_to_exist = true;
  return Reason::kNameChange;
}

// --- sizes -------------------------------------------------------------------------------------

Reason PathCalls::ResizePath(const std::string& path, std::uint64_t size) {
  model_.account.Add(Note::kSizeChanges);
  model_.names.FindOrAdd(path).size.OnResized(size);
  return Reason::kSizeChange;
}

Reason PathCalls::ResizeDescriptor(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                                   std::uint64_t size) {
  return ChangeSize(task, origin, use, [&](FileSize& file) { file.OnResized(size); });
}

Reason PathCalls::Extend(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                         std::uint64_t end) {
  return ChangeSize(task, origin, use, [&](FileSize& file) { file.OnExtended(end); });
}

Reason PathCalls::ChangeSize(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                             const std::function<void(FileSize&)>& change) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  model_.account.Add(Note::kSizeChanges);
  change(file->node->size);
  return Reason::kSizeChange;
}

}  // namespace ioflux
