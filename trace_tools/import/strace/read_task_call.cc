// SPDX-License-Identifier: GPL-2.0-only
//
// Calls about processes, threads and their working directory, as strace prints them.
#include "trace_tools/import/model/path_name.h"
#include "trace_tools/import/strace/call_reader.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {

using namespace constant;

CloneSharing CallReader::SharingOf(const SyscallInfo& info, const Arguments& arguments) {
  // fork() and vfork() copy; vfork shares the memory only.
  if (info.reader == SyscallReader::kFork) return {};
  std::string_view flags = arguments.Named("flags");
  if (flags.empty()) flags = FieldOf(arguments[0], "flags");
  const std::uint64_t bits = ParseFlags(flags);
  return {.descriptors = (bits & k_CLONE_FILES) != 0,
          .directory = (bits & k_CLONE_FS) != 0,
          .group = (bits & k_CLONE_THREAD) != 0};
}

Reason CallReader::OnClone(const CallSite& site) {
  const std::int64_t child = ChildOf(site.info, site.call.result);
  const bool begun = site.pending != nullptr && site.pending->child == child;
  // In a PID namespace of its own a child may be shown under the number of its parent.
  if (child != kNoTid && child != site.task.tid && !begun) {
    tasks_.Begin(site.task, child, SharingOf(site.info, site.call.arguments), site.origin);
  }
  return Reason::kProcess;
}

Reason CallReader::OnFork(const CallSite& site) { return OnClone(site); }

Reason CallReader::OnExec(const CallSite& site) {
  tasks_.Exec(site.task, site.origin);
  return Reason::kProcess;
}

Reason CallReader::OnExit(const CallSite& site) {
  tasks_.Leave(site.task, site.origin);
  return Reason::kProcess;
}

Reason CallReader::OnExitGroup(const CallSite& site) {
  tasks_.LeaveGroup(site.task, site.origin);
  return Reason::kProcess;
}

Reason CallReader::OnUnshare(const CallSite& site) {
  const std::uint64_t bits = ParseFlags(site.call.arguments[0]);
  tasks_.Unshare(site.task, (bits & k_CLONE_FILES) != 0, (bits & k_CLONE_FS) != 0);
  return Reason::kProcess;
}

Reason CallReader::OnChDir(const CallSite& site) {
  const std::optional<std::string> path = PathAt(site, 0);
  if (!path) return Reason::kUnparsed;
  paths_.IsDirectory(*path);
  tasks_.ChangeDirectory(site.task, *path);
  return Reason::kState;
}

Reason CallReader::OnFChDir(const CallSite& site) {
  const OpenFilePtr file = keeper_.Resolve(site.task, Use(site, 0), site.origin);
  if (file == nullptr || file->node == nullptr) return Reason::kUnresolvedDirfd;
  file->node->kind = FileKind::kDirectory;
  tasks_.ChangeDirectory(site.task, OpenFileKeeper::CurrentPath(*file->node));
  return Reason::kState;
}

Reason CallReader::OnGetCwd(const CallSite& site) {
  const std::optional<std::string> path = ParseString(site.call.arguments[0]);
  if (path) LearnDirectory(model_, site.task, CleanPath(*path));
  return Reason::kQuery;
}

}  // namespace ioflux::strace
