// SPDX-License-Identifier: GPL-2.0-only
//
// Calls that name files, as strace prints them.
#include "trace_tools/import/strace/call_reader.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

using namespace constant;

// Of `{st_mode=…, st_size=…}` or `{stx_mode=…, stx_size=…}`; nothing of a bare pointer.
Attributes AttributesOf(std::string_view structure) {
  if (!structure.starts_with('{')) return {};
  std::string_view mode = FieldOf(structure, "st_mode");
  std::string_view size = FieldOf(structure, "st_size");
  if (mode.empty()) mode = FieldOf(structure, "stx_mode");
  if (size.empty()) size = FieldOf(structure, "stx_size");
  return {.kind = ParseFileKind(mode), .size = ParseCount(size)};
}

}  // namespace

// --- attributes --------------------------------------------------------------------------------

Reason CallReader::FinishStat(const CallSite& site, const DirectoryUse& directory,
                              std::string_view path_text, std::string_view structure) {
  const Attributes attributes = AttributesOf(structure);
  const std::optional<std::string> path =
      path_text == "NULL" ? std::string() : ParseString(path_text);
  if (!path) return Reason::kUnparsed;
  if (path->empty() && !directory.current) {
    DescriptorUse use = directory.descriptor;
    if (site.pending != nullptr) use.pinned = site.pending->pins[0];
    return paths_.StatDescriptor(site.task, site.origin, use, attributes);
  }
  const std::optional<std::string> resolved =
      paths_.ResolvePath(site.task, site.origin, directory, *path);
  if (!resolved) return Reason::kUnresolvedDirfd;
  return paths_.StatPath(site.task, site.origin, *resolved, attributes);
}

Reason CallReader::OnStatPath(const CallSite& site) {
  return FinishStat(site, {}, site.call.arguments[0], site.call.arguments[1]);
}

Reason CallReader::OnStatDescriptor(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0) return Reason::kUnparsed;
  return paths_.StatDescriptor(site.task, site.origin, use, AttributesOf(site.call.arguments[1]));
}

Reason CallReader::OnStatAt(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  return FinishStat(site, ParseDirectory(arguments[0]), arguments[1], arguments[2]);
}

Reason CallReader::OnStatx(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  return FinishStat(site, ParseDirectory(arguments[0]), arguments[1], arguments[4]);
}

Reason CallReader::OnAccess(const CallSite& site) {
  return FinishStat(site, {}, site.call.arguments[0], {});
}

Reason CallReader::OnAccessAt(const CallSite& site) {
  return FinishStat(site, ParseDirectory(site.call.arguments[0]), site.call.arguments[1], {});
}

Reason CallReader::OnGetDents(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  const OpenFilePtr file = keeper_.Resolve(site.task, use, site.origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (file->node != nullptr) file->node->kind = FileKind::kDirectory;
  file->kind = FileKind::kDirectory;
  return Reason::kDirectoryOpen;
}

// --- sizes -------------------------------------------------------------------------------------

Reason CallReader::OnTruncate(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, 0);
  const std::optional<std::uint64_t> size = ParseCount(site.call.arguments[1]);
  if (!path || !size) return Reason::kUnparsed;
  return paths_.ResizePath(*path, *size);
}

Reason CallReader::OnFTruncate(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  const std::optional<std::uint64_t> size = ParseCount(site.call.arguments[1]);
  if (use.number < 0 || !size) return Reason::kUnparsed;
  return paths_.ResizeDescriptor(site.task, site.origin, use, *size);
}

Reason CallReader::OnFAllocate(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  const DescriptorUse use = Use(site, 0);
  const std::optional<std::uint64_t> offset = ParseCount(arguments[2]);
  const std::optional<std::uint64_t> bytes = ParseCount(arguments[3]);
  if (use.number < 0 || !offset || !bytes) return Reason::kUnparsed;
  constexpr std::uint64_t kKeepsSize = k_FALLOC_FL_KEEP_SIZE | k_FALLOC_FL_PUNCH_HOLE |
                                       k_FALLOC_FL_COLLAPSE_RANGE | k_FALLOC_FL_INSERT_RANGE;
  const bool extends = (ParseFlags(arguments[1]) & kKeepsSize) == 0;
  return paths_.Extend(site.task, site.origin, use, extends ? *offset + *bytes : 0);
}

// --- names -------------------------------------------------------------------------------------

Reason CallReader::FinishRename(const CallSite&, const std::optional<std::string>& from,
                                const std::optional<std::string>& to, std::uint64_t flags) {
  if (!from || !to) return Reason::kUnresolvedDirfd;
  return paths_.Rename(*from, *to, (flags & k_RENAME_EXCHANGE) != 0);
}

Reason CallReader::OnRename(const CallSite& site) {
  return FinishRename(site, PathAt(site, 0), PathAt(site, 1), 0);
}

Reason CallReader::OnRenameAt(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  return FinishRename(site, PathAt(site, ParseDirectory(arguments[0]), 1),
                      PathAt(site, ParseDirectory(arguments[2]), 3), ParseFlags(arguments[4]));
}

Reason CallReader::OnUnlink(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, 0);
  return path ? paths_.Remove(*path) : Reason::kUnparsed;
}

Reason CallReader::OnUnlinkAt(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, ParseDirectory(site.call.arguments[0]), 1);
  return path ? paths_.Remove(*path) : Reason::kUnresolvedDirfd;
}

Reason CallReader::FinishLink(const CallSite& site, const std::optional<std::string>& existing,
                              const std::optional<std::string>& path) {
  if (!existing || !path) return Reason::kUnresolvedDirfd;
  // The way to name what O_TMPFILE opened.
  constexpr std::string_view kDescriptors = "/proc/self/fd/";
  if (existing->starts_with(kDescriptors)) {
    const DescriptorUse use = ParseDescriptor(existing->substr(kDescriptors.size()));
    const OpenFilePtr file = keeper_.Resolve(site.task, use, site.origin);
    if (file != nullptr && file->node != nullptr) return paths_.Name(*file->node, *path);
    return Reason::kFdUnknown;
  }
  return paths_.Link(*existing, *path);
}

Reason CallReader::OnLink(const CallSite& site) {
  return FinishLink(site, PathAt(site, 0), PathAt(site, 1));
}

Reason CallReader::OnLinkAt(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  return FinishLink(site, PathAt(site, ParseDirectory(arguments[0]), 1),
                    PathAt(site, ParseDirectory(arguments[2]), 3));
}

Reason CallReader::OnSymlink(const CallSite& site) {
  const std::optional<std::string> text = ParseString(site.call.arguments[0]);
  const std::optional<std::string> path = PathAt(site, 1);
  return text && path ? paths_.Symlink(*text, *path) : Reason::kUnparsed;
}

Reason CallReader::OnSymlinkAt(const CallSite& site) {
  const std::optional<std::string> text = ParseString(site.call.arguments[0]);
  const std::optional<std::string> path = PathAt(site, ParseDirectory(site.call.arguments[1]), 2);
  return text && path ? paths_.Symlink(*text, *path) : Reason::kUnresolvedDirfd;
}

Reason CallReader::OnMkDir(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, 0);
  return path ? paths_.IsDirectory(*path) : Reason::kUnparsed;
}

Reason CallReader::OnMkDirAt(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, ParseDirectory(site.call.arguments[0]), 1);
  return path ? paths_.IsDirectory(*path) : Reason::kUnresolvedDirfd;
}

}  // namespace ioflux::strace
