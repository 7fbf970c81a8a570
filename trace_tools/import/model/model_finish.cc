// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/model_finish.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "trace_tools/import/model/path_name.h"
#include "trace_tools/import/model/unique_names.h"

namespace ioflux {
namespace {

// A name with a name below it is a directory, whatever nobody said about it.
void MarkDirectories(FileNamespace& names) {
  std::unordered_set<std::string> done;
  for (FileNode& node : names.nodes()) {
    if (!node.known_to_exist) continue;
    std::string_view path = node.name;
    while (path.size() > 1) {
      path = ParentOf(path);
      if (path.empty() || !done.emplace(path).second) break;
      FileNode* parent = names.Find(path);
      if (parent != nullptr && parent->kind == FileKind::kUnknown && parent->opens == 0) {
        parent->kind = FileKind::kDirectory;
      }
    }
  }
}

// The root, the directory where the source started, and any directory above it.
bool IsDirectoryByName(std::string_view name) {
  return name.empty() || name == "/" || LastComponent(name) == "..";
}

std::optional<Reason> ReasonToLeave(const FileNode& node, OpKind kind) {
  if (node.kind == FileKind::kDirectory || IsDirectoryByName(node.name)) {
    return kind == OpKind::kSTAT ? Reason::kStatDirectory : Reason::kDirectoryOpen;
  }
  if (!IsFile(node.kind)) {
    return kind == OpKind::kSTAT ? Reason::kStatOther : NonFileReason(node.kind);
  }
  if (node.exclusion != nullptr) return Reason::kExcluded;
  return std::nullopt;
}

// Files that came after each other may have had one name to the kernel, and a relative name may
// turn out to be that of another file.
std::string TargetName(const FileNode& node, bool resolved_names, UniqueNames& given) {
  return given.Take(resolved_names && !node.resolved.empty() ? node.resolved : node.name);
}

// Programs and libraries are mapped by every source; what else is mapped is missed data.
void CountMapping(ImportAccount& account, const FileNode& node) {
  if (node.mapped_as_code) {
    account.Add(Note::kMappedCode);
    return;
  }
  account.Add(Note::kMappedFiles);
  account.Add(Note::kMappedBytes, node.mapped_bytes);
  account.CountMapping(node.name, node.mappings, node.mapped_bytes);
}

}  // namespace

void FinishTargets(SourceModel& model,
                   const std::function<void(const OpRecord& record, Reason to)>& on_moved) {
  MarkDirectories(model.names);
  UniqueNames given;
  std::vector<const FileNode*> node_of;
  for (const FileNode& node : model.names.nodes()) {
    if (node.mappings > 0) CountMapping(model.account, node);
    if (node.target == kNoId) continue;
    node_of.resize(std::max<std::size_t>(node_of.size(), node.target + 1));
    node_of[node.target] = &node;
    if (ReasonToLeave(node, OpKind::kOPEN)) continue;
    if (node.kind == FileKind::kUnknown && node.opens == 0) {
      model.account.Add(Note::kKindUnknown);
    }
    if (!IsAbsolute(node.name)) model.account.Add(Note::kCwdUnknown);
    if (node.size.TargetSize() == 0) model.account.Add(Note::kUnknownSize);
    constexpr auto kLargest = static_cast<std::uint64_t>(INT64_MAX);
    model.builder.SetTarget(node.target, TargetName(node, model.options.resolved_names, given),
                            static_cast<std::int64_t>(std::min(node.size.TargetSize(), kLargest)));
  }
  model.builder.DropTargets(
      [&](TargetId target) { return ReasonToLeave(*node_of[target], OpKind::kOPEN).has_value(); },
      [&](TargetId target, const OpRecord& record) {
        const FileNode& node = *node_of[target];
        const Reason to = *ReasonToLeave(node, record.kind);
        model.account.MoveLines(Reason::kOp, to, record.lines);
        if (to == Reason::kExcluded) model.account.CountExclusion(*node.exclusion, record.lines);
        if (record.lines > 0) on_moved(record, to);
      });
}

}  // namespace ioflux
