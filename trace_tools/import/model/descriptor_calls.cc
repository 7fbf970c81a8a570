// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/descriptor_calls.h"

#include <memory>
#include <utility>

namespace ioflux {
namespace {

// Whether the file did not exist before.
bool MakesTheFile(const OpenRequest& request, bool was_absent) {
  return (request.flags & kOpenCreate) != 0 && (request.exclusive || was_absent);
}

}  // namespace

void DescriptorCalls::Install(Task& task, const OpOrigin& origin, std::int64_t number,
                              const OpenFilePtr& file, bool close_on_exec, bool expects_free) {
  const OpenFilePtr replaced = task.files->Install(number, file, close_on_exec);
  if (replaced == nullptr) return;
  if (expects_free && !replaced->standard_stream) model_.account.Add(Note::kImplicitClose);
  keeper_.Release(replaced, origin, task.stream, CloseCause::kReplaced);
}

Reason DescriptorCalls::Open(Task& task, const OpOrigin& origin, const OpenRequest& request) {
  ShownName shown = request.shown.empty() ? ShownName{} : model_.read_shown(request.shown);
  // A name may end in what strace used to write after removed files.
  if (shown.deleted && request.path.ends_with(" (deleted)")) shown.path = request.path;
  const bool is_new = MakesTheFile(request, model_.names.IsAbsent(request.path));
  auto file = std::make_shared<OpenFile>();
  if (request.unnamed) {
    file->node = &model_.names.AddUnnamed(shown.path.empty() ? request.path : shown.path);
    file->node->size.OnEmptied();
  } else {
    file->node = &model_.names.FindOrAdd(request.path, shown.path);
    if (is_new || (request.flags & kOpenTruncate) != 0) file->node->size.OnEmptied();
    const bool may_be_new = (request.flags & kOpenCreate) != 0 && !file->node->known_to_exist;
    file->may_be_new = may_be_new;
  }
  file->node->known_to_exist = true;
  if (request.directory) file->node->kind = FileKind::kDirectory;
  if (shown.kind != FileKind::kUnknown) file->node->kind = shown.kind;
  file->kind = file->node->kind;
  file->path_only = request.path_only;
  file->append = (request.flags & kOpenAppend) != 0;
  file->mode = request.mode;
  file->flags = request.flags;
  // What a file holds in the end may be there when a replay begins; the source found none.
  if (is_new) file->flags = static_cast<OpenFlags>(file->flags | kOpenTruncate);
  file->shown_name = request.shown;
  Install(task, origin, request.number, file, request.close_on_exec, /*expects_free=*/true);

  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  keeper_.EmitOpen(*file, task.stream, origin);
  if (is_new && (request.flags & kOpenTruncate) == 0) model_.account.Add(Note::kMadeFiles);
  return Reason::kOp;
}

void DescriptorCalls::Forget(Task& task, const OpOrigin& origin, std::int64_t number) {
  const OpenFilePtr replaced = task.files->Remove(number);
  if (replaced != nullptr) {
    keeper_.Release(replaced, origin, task.stream, CloseCause::kReplaced);
  }
}

OpenFilePtr DescriptorCalls::Detach(Task& task, const DescriptorUse& use, const OpOrigin& origin) {
  keeper_.Resolve(task, use, origin);  // what the source shows of it may be news
  return task.files->Remove(use.number);
}

Reason DescriptorCalls::Close(Task& task, const OpOrigin& origin, const OpenFilePtr& detached) {
  if (detached == nullptr) return Reason::kNeverUsed;
  const auto no_file = keeper_.NoFileReason(*detached);
  OpOrigin close = origin;
  if (no_file) close.lines = 0;  // counted for that reason, whatever is known of it later
  const CloseOutcome outcome = keeper_.Release(detached, close, task.stream, CloseCause::kCall);
  if (no_file) return *no_file;
  switch (outcome) {
    case CloseOutcome::kStillOpen:
      return Reason::kStillOpen;
    case CloseOutcome::kNeverUsed:
      return Reason::kNeverUsed;
    case CloseOutcome::kClosed:
      break;
  }
  return Reason::kOp;
}

Reason DescriptorCalls::CloseRange(Task& task, const OpOrigin& origin, std::int64_t first,
                                   std::int64_t last, bool on_exec) {
  bool closed_a_file = false;
  OpOrigin next = origin;
  for (const std::int64_t number : task.files->Numbers(first, last)) {
    if (on_exec) {
      task.files->SetCloseOnExec(number, true);
      continue;
    }
    // The call's lines and duration go to the first CLOSE.
    if (Close(task, next, task.files->Remove(number)) != Reason::kOp) continue;
    closed_a_file = true;
    next.lines = 0;
    next.duration_ns = kNoDuration;
  }
  return closed_a_file ? Reason::kOp : Reason::kState;
}

Reason DescriptorCalls::Duplicate(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                                  std::int64_t number, bool close_on_exec) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) {
    Forget(task, origin, number);
    return Reason::kFdUnknown;
  }
  if (number != use.number) {
    Install(task, origin, number, file, close_on_exec, /*expects_free=*/false);
  }
  return keeper_.NoFileReason(*file).value_or(Reason::kState);
}

Reason DescriptorCalls::Touch(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                              Reason if_file) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  return keeper_.NoFileReason(*file).value_or(if_file);
}

Reason DescriptorCalls::SetCloseOnExec(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                                       bool on) {
  const Reason reason = Touch(task, origin, use, Reason::kState);
  task.files->SetCloseOnExec(use.number, on);
  return reason == Reason::kFdUnknown ? Reason::kState : reason;
}

Reason DescriptorCalls::SetStatusFlags(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                                       bool append, bool direct) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kState;
  const bool was_direct = (file->flags & kOpenDirect) != 0;
  const bool changed = file->append != append || was_direct != direct;
  if (changed && !file->handles.empty()) model_.account.Add(Note::kFlagsChanged);
  file->append = append;
  constexpr int kBoth = kOpenAppend | kOpenDirect;
  file->flags = static_cast<OpenFlags>((file->flags & ~kBoth) | (append ? kOpenAppend : 0) |
                                       (direct ? kOpenDirect : 0));
  return keeper_.NoFileReason(*file).value_or(Reason::kState);
}

Reason DescriptorCalls::AddNonFile(Task& task, const OpOrigin& origin, std::int64_t number,
                                   FileKind kind, bool close_on_exec) {
  auto file = std::make_shared<OpenFile>();
  file->kind = kind;
  file->cursor.reset();
  Install(task, origin, number, file, close_on_exec, /*expects_free=*/true);
  return NonFileReason(kind);
}

void DescriptorCalls::AddForeign(Task& task, const OpOrigin& origin, const DescriptorUse& use) {
  if (!use.shown.empty()) {
    keeper_.Resolve(task, use, origin);
    return;
  }
  auto file = std::make_shared<OpenFile>();
  file->foreign = true;
  file->cursor.reset();
  Install(task, origin, use.number, file, /*close_on_exec=*/false, /*expects_free=*/true);
}

}  // namespace ioflux
