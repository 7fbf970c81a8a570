// SPDX-License-Identifier: GPL-2.0-only
//
// The frame of CallReader: dispatch, failures, calls told in two lines, and the calls about which
// there is little to say. The rest is in read_*.cc.
#include "trace_tools/import/strace/call_reader.h"

#include <utility>

#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

using Function = Reason (CallReader::*)(const CallSite&);

// `5 /* 12345 in strace's PID NS */`: the number by which strace knows the task.
std::optional<std::int64_t> TranslatedNumber(std::string_view result) {
  constexpr std::string_view kOpen = "/* ";
  constexpr std::string_view kClose = " in strace's PID NS */";
  const std::size_t open = result.find(kOpen);
  const std::size_t close = result.find(kClose);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const std::size_t start = open + kOpen.size();
  return ParseNumber(result.substr(start, close - start));
}

bool OpensAFile(SyscallReader reader) {
  return reader == SyscallReader::kOpen || reader == SyscallReader::kCreat ||
         reader == SyscallReader::kOpenAt || reader == SyscallReader::kOpenAt2;
}

bool MakesATask(SyscallReader reader) {
  return reader == SyscallReader::kClone || reader == SyscallReader::kFork;
}

// A call without a number as its result is over nevertheless.
bool MayLackAResult(SyscallReader reader) {
  return reader == SyscallReader::kExit || reader == SyscallReader::kExitGroup ||
         reader == SyscallReader::kNotAFile || reader == SyscallReader::kSocketUse;
}

// Results that are addresses look negative or huge.
bool ReturnsAnAddress(SyscallReader reader) {
  return reader == SyscallReader::kMap || reader == SyscallReader::kNotAFile;
}

}  // namespace

CallReader::CallReader(SourceModel& model)
    : model_(model),
      keeper_(model),
      descriptors_(model, keeper_),
      transfers_(model, keeper_),
      paths_(model, keeper_),
      tasks_(model, keeper_) {}

Reason CallReader::Apply(const CallSite& site) {
  static constexpr auto kFunctions = std::to_array<Function>({
#define IOFLUX_READER(name) &CallReader::On##name,
#include "trace_tools/import/strace/syscall_reader.def"
#undef IOFLUX_READER
  });
  const CallResult& result = site.call.result;
  const SyscallReader reader = site.info.reader;
  if (!MayLackAResult(reader)) {
    if (result.unknown) return Reason::kInterrupted;
    if (!result.value) return Reason::kUnparsed;
    const bool failed = *result.value < 0 && !ReturnsAnAddress(reader);
    if (failed || !result.error.empty()) {
      const bool ends_anyway = reader == SyscallReader::kClose && result.error != "EBADF";
      if (!ends_anyway) return Fail(site);
    }
  }
  return (this->*kFunctions[static_cast<std::size_t>(reader)])(site);
}

// --- failures ----------------------------------------------------------------------------------

Reason CallReader::Fail(const CallSite& site) {
  const std::string_view error =
      site.call.result.error.empty() ? std::string_view("?") : site.call.result.error;
  model_.account.CountFailure(site.info.name, error);
  FailedPath(site);
  return OpensAFile(site.info.reader) ? Reason::kFailedOpen : Reason::kFailedCall;
}

// A failed call on a file is worth counting by file, a missing path worth knowing.
void CallReader::FailedPath(const CallSite& site) {
  const std::string_view error = site.call.result.error;
  const bool missing = error == "ENOENT";
  const bool present = error == "EEXIST";
  std::optional<std::string> path;
  switch (site.info.reader) {
    case SyscallReader::kOpen:
    case SyscallReader::kCreat:
    case SyscallReader::kStatPath:
    case SyscallReader::kAccess:
    case SyscallReader::kUnlink:
      if (missing || present) path = PathAt(site, 0);
      break;
    case SyscallReader::kOpenAt:
    case SyscallReader::kOpenAt2:
    case SyscallReader::kStatAt:
    case SyscallReader::kStatx:
    case SyscallReader::kAccessAt:
    case SyscallReader::kUnlinkAt:
      if (missing || present) path = PathAt(site, ParseDirectory(site.call.arguments[0]), 1);
      break;
    case SyscallReader::kRead:
    case SyscallReader::kPRead:
    case SyscallReader::kReadV:
    case SyscallReader::kPReadV:
    case SyscallReader::kWrite:
    case SyscallReader::kPWrite:
    case SyscallReader::kWriteV:
    case SyscallReader::kPWriteV:
    case SyscallReader::kSync:
    case SyscallReader::kSyncRange: {
      const OpenFilePtr file = keeper_.Resolve(site.task, Use(site, 0), site.origin);
      if (file != nullptr && file->node != nullptr && !keeper_.NoFileReason(*file)) {
        model_.account.CountTargetFailure(file->node->name, error);
      }
      break;
    }
    default:
      break;
  }
  if (path && missing) paths_.Missing(*path);
  if (path && present) model_.names.MarkPresent(*path);
}

// --- calls told in two lines -------------------------------------------------------------------

void CallReader::Begin(Task& task, const SyscallInfo& info, const CallText& call,
                       PendingCall& pending) {
  const OpOrigin origin{.t_ns = pending.t_ns};
  if (MakesATask(info.reader)) {
    pending.makes_task = true;
    pending.sharing = SharingOf(info, call.arguments);
  }
  if (info.reader == SyscallReader::kClose) {
    // The kernel frees the number first; another thread may have it before this call returns.
    const DescriptorUse use = ParseDescriptor(call.arguments[0]);
    if (use.number >= 0) pending.detached = descriptors_.Detach(task, use, origin);
    return;
  }
  for (std::size_t i = 0; i < PendingCall::kPins; ++i) {
    if ((info.descriptors >> i & 1) == 0) continue;
    const DescriptorUse use = ParseDescriptor(call.arguments[i]);
    if (use.number < 0) continue;
    pending.pins[i] = keeper_.Resolve(task, use, origin);
    if (pending.pins[i] != nullptr) keeper_.Pin(pending.pins[i]);
  }
}

void CallReader::End(Task* task, PendingCall& pending, const OpOrigin& origin, bool given_up) {
  for (OpenFilePtr& pin : pending.pins) {
    if (const OpenFilePtr file = std::exchange(pin, nullptr)) keeper_.Unpin(file);
  }
  if (given_up && pending.detached != nullptr) {
    OpOrigin close = origin;
    close.lines = 0;
    const StreamId stream = task == nullptr ? kNoId : task->stream;
    keeper_.Release(pending.detached, close, stream, CloseCause::kReplaced);
  }
}

std::int64_t CallReader::ChildOf(const SyscallInfo& info, const CallResult& result) {
  if (!MakesATask(info.reader) || !result.value || *result.value <= 0) return kNoTid;
  const std::int64_t child = TranslatedNumber(result.text).value_or(*result.value);
  return child > 0 ? child : kNoTid;
}

// --- arguments ---------------------------------------------------------------------------------

DescriptorUse CallReader::Use(const CallSite& site, std::size_t index) {
  DescriptorUse use = ParseDescriptor(site.call.arguments[index]);
  if (site.pending != nullptr && index < PendingCall::kPins) {
    use.pinned = site.pending->pins[index];
  }
  return use;
}

std::optional<std::string> CallReader::PathAt(const CallSite& site, const DirectoryUse& directory,
                                              std::size_t index) {
  const std::optional<std::string> path = ParseString(site.call.arguments[index]);
  if (!path) return std::nullopt;
  return paths_.ResolvePath(site.task, site.origin, directory, *path);
}

// --- not seen, not read, not about files -------------------------------------------------------

Reason CallReader::OnMap(const CallSite& site) {
  const DescriptorUse use = Use(site, 4);
  if (use.number < 0) return Reason::kNotAFileCall;
  const std::uint64_t bytes = ParseCount(site.call.arguments[1]).value_or(0);
  const bool as_code = (ParseFlags(site.call.arguments[2]) & constant::k_PROT_EXEC) != 0;
  return transfers_.Map(site.task, site.origin, use, bytes, as_code);
}

Reason CallReader::OnMapUse(const CallSite&) { return Reason::kMmapUnseen; }

Reason CallReader::OnIoUringEnter(const CallSite& site) {
  model_.account.Add(Note::kUringRequests, static_cast<std::uint64_t>(*site.call.result.value));
  return Reason::kIoUringUnseen;
}

Reason CallReader::OnAioSubmit(const CallSite& site) {
  model_.account.Add(Note::kAioRequests, static_cast<std::uint64_t>(*site.call.result.value));
  return Reason::kAioUnseen;
}

Reason CallReader::OnAioUse(const CallSite&) { return Reason::kAioUnseen; }
Reason CallReader::OnNoOperation(const CallSite&) { return Reason::kNoOperation; }
Reason CallReader::OnSocketUse(const CallSite&) { return Reason::kSocket; }
Reason CallReader::OnNotAFile(const CallSite&) { return Reason::kNotAFileCall; }
Reason CallReader::OnOwnNumber(const CallSite&) { return Reason::kNotAFileCall; }

}  // namespace ioflux::strace
