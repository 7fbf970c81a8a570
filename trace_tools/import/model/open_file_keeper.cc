// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/open_file_keeper.h"

#include <algorithm>
#include <utility>

#include "trace_tools/import/model/path_name.h"

namespace ioflux {
namespace {

constexpr std::int64_t kStandardStreams = 3;

OpOrigin SyntheticAt(const OpOrigin& origin) {
  return {.t_ns = origin.t_ns,
          .duration_ns = kNoDuration,
          .call = origin.call,
          .lines = 0,
          .synthetic = true};
}

auto FindHandle(OpenFile& file, StreamId stream) {
  return std::ranges::lower_bound(file.handles, stream, {}, &StreamHandle::stream);
}

FileKind KindOf(const OpenFile& file) {
  return file.node != nullptr && file.node->kind != FileKind::kUnknown ? file.node->kind
                                                                       : file.kind;
}

}  // namespace

Reason NonFileReason(FileKind kind) {
  switch (kind) {
    case FileKind::kDirectory:
      return Reason::kDirectoryOpen;
    case FileKind::kPipe:
      return Reason::kPipe;
    case FileKind::kSocket:
      return Reason::kSocket;
    case FileKind::kDevice:
      return Reason::kDevice;
    case FileKind::kUnknown:
    case FileKind::kRegular:
    case FileKind::kSymlink:
    case FileKind::kAnonymous:
      break;
  }
  return Reason::kAnonymous;
}

// --- which open file ---------------------------------------------------------------------------

const std::string& OpenFileKeeper::CurrentPath(const FileNode& node) {
  const bool keeps_name =
      node.paths.empty() || std::ranges::find(node.paths, node.name) != node.paths.end();
  return keeps_name ? node.name : node.paths.front();
}

bool OpenFileKeeper::IsAsShown(const OpenFile& file, const ShownName& shown) {
  if (shown.path.empty()) return KindOf(file) == shown.kind;
  if (file.node == nullptr) return false;
  const FileNode& node = *file.node;
  if (node.resolved == shown.path || node.name == shown.path) return true;
  if (model_.names.Find(shown.path) == &node) return true;
  // A removed file goes on under the name it had.
  if (shown.deleted && node.removed) return true;
  // Renamed under a name that the kernel spells differently.
  const auto same_end = [&](const std::string& path) {
    return LastComponent(path) == LastComponent(shown.path);
  };
  return node.resolved.empty() && std::ranges::any_of(node.paths, same_end);
}

OpenFilePtr OpenFileKeeper::AddInherited(const ShownName& shown) {
  auto file = std::make_shared<OpenFile>();
  file->kind = shown.kind;
  file->inherited = true;
  file->cursor.reset();
  if (!shown.path.empty()) {
    file->node = &model_.names.FindOrAdd(shown.path, shown.path);
    if (shown.kind != FileKind::kUnknown) file->node->kind = shown.kind;
  }
  return file;
}

OpenFilePtr OpenFileKeeper::Resolve(Task& task, const DescriptorUse& use, const OpOrigin& origin) {
  OpenFilePtr file = use.pinned;
  if (file == nullptr) {
    const DescriptorTable::Slot* slot = task.files->Find(use.number);
    if (slot != nullptr) file = slot->file;
  }
  if (use.shown.empty()) {
    if (file != nullptr || use.number < 0 || use.number >= kStandardStreams) return file;
    file = AddInherited({});
    file->standard_stream = true;
    task.files->Install(use.number, file, false);
    return file;
  }
  if (file != nullptr && (file->shown_name == use.shown || use.pinned != nullptr)) return file;
  const ShownName shown = model_.read_shown(use.shown);
  if (file == nullptr || !IsAsShown(*file, shown)) {
    if (use.number < 0) return nullptr;
    const OpenFilePtr real = AddInherited(shown);
    const OpenFilePtr replaced = task.files->Install(use.number, real, false);
    if (replaced != nullptr) {
      if (!replaced->standard_stream) model_.account.Add(Note::kImplicitClose);
      Release(replaced, origin, task.stream, CloseCause::kReplaced);
    }
    file = real;
  } else if (file->node != nullptr && file->node->resolved.empty() && !shown.path.empty()) {
    file->node->resolved = shown.path;
  }
  file->shown_name = use.shown;
  return file;
}

std::optional<Reason> OpenFileKeeper::NoFileReason(const OpenFile& file) {
  if (file.foreign) return Reason::kReceivedDescriptor;
  if (file.standard_stream) return Reason::kStandardStream;
  const FileKind kind = KindOf(file);
  if (kind == FileKind::kDirectory) return Reason::kDirectoryOpen;
  if (file.path_only) return Reason::kPathOnly;
  if (!IsFile(kind)) return NonFileReason(kind);
  if (file.node == nullptr) return Reason::kFdUnknown;
  if (file.node->exclusion != nullptr) {
    model_.excluded_by = file.node->exclusion;
    return Reason::kExcluded;
  }
  return std::nullopt;
}

// --- handles -----------------------------------------------------------------------------------

TargetId OpenFileKeeper::TargetOf(FileNode& node) {
  if (node.target == kNoId) node.target = model_.builder.AddTarget();
  return node.target;
}

void OpenFileKeeper::EmitOpen(OpenFile& file, StreamId stream, const OpOrigin& origin) {
  const HandleId handle =
      model_.builder.Open(origin, stream, TargetOf(*file.node), file.mode, file.flags);
  ++file.node->opens;
  file.handles.insert(FindHandle(file, stream), {stream, handle});
}

HandleId OpenFileKeeper::HandleIn(OpenFile& file, StreamId stream, const OpOrigin& use,
                                  OpenMode mode) {
  const auto found = FindHandle(file, stream);
  if (found != file.handles.end() && found->stream == stream) {
    if (file.inherited) model_.builder.WidenMode(found->handle, mode);
    return found->handle;
  }
  if (!file.handles.empty() && !file.shared) {
    file.shared = true;
    model_.account.Add(Note::kSharedFiles);
  }
  OpenMode opened_as = file.mode;
  if (file.inherited) {
    opened_as = mode == OpenMode::kNone ? OpenMode::kRead : mode;
    model_.account.Add(Note::kModeAssumed);
  }
  constexpr int kOnlyOnce = kOpenCreate | kOpenTruncate;
  const auto flags = static_cast<OpenFlags>((file.flags & ~kOnlyOnce) | file.advice);
  const HandleId handle =
      model_.builder.Open(SyntheticAt(use), stream, TargetOf(*file.node), opened_as, flags);
  model_.account.Add(Note::kSyntheticOpen);
  ++file.node->opens;
  file.handles.insert(found, {stream, handle});
  return handle;
}

// --- the end -----------------------------------------------------------------------------------

void OpenFileKeeper::CloseHandles(OpenFile& file, const OpOrigin& origin, StreamId stream,
                                  CloseCause cause) {
  const auto own = FindHandle(file, stream);
  const bool closed_by_user =
      cause == CloseCause::kCall && own != file.handles.end() && own->stream == stream;
  bool lines_given = closed_by_user;
  for (const StreamHandle& handle : file.handles) {
    if (closed_by_user && handle.stream == stream) {
      model_.builder.Close(origin, handle.handle);
      continue;
    }
    OpOrigin synthetic = SyntheticAt(origin);
    if (!std::exchange(lines_given, true)) synthetic.lines = origin.lines;
    model_.builder.Close(synthetic, handle.handle);
    model_.account.Add(cause == CloseCause::kExit ? Note::kCloseAtExit : Note::kSyntheticClose);
  }
  file.handles.clear();
}

CloseOutcome OpenFileKeeper::Release(const OpenFilePtr& file, const OpOrigin& origin,
                                     StreamId stream, CloseCause cause) {
  if (file->descriptors > 0) return CloseOutcome::kStillOpen;
  const bool used = !file->handles.empty();
  OpOrigin close = origin;
  if (cause != CloseCause::kCall || !used) close.lines = 0;
  if (file->in_flight > 0) {
    close.synthetic = true;  // it is told late, and must not push what came meanwhile
    file->close_pending = true;
    file->close_origin = close;
    file->close_stream = stream;
    file->close_cause = cause;
  } else {
    CloseHandles(*file, close, stream, cause);
  }
  return used ? CloseOutcome::kClosed : CloseOutcome::kNeverUsed;
}

void OpenFileKeeper::Unpin(const OpenFilePtr& file) {
  --file->in_flight;
  if (file->in_flight > 0 || !std::exchange(file->close_pending, false)) return;
  if (file->descriptors > 0) return;  // duplicated by the call that was in flight
  CloseHandles(*file, file->close_origin, file->close_stream, file->close_cause);
}

}  // namespace ioflux
