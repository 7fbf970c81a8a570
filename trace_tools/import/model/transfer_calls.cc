// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/transfer_calls.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ioflux {
namespace {

// What Linux moves at most in one call (MAX_RW_COUNT); a larger request is the same request.
constexpr std::uint64_t kMostBytesPerCall = 0x7ffff000;

constexpr auto kLastOffset = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// Whether a call can have moved `bytes` there. What no kernel returns is damage of the source, and
// would give the whole trace sums that nobody can read.
bool CanBe(std::uint64_t offset, std::uint64_t bytes) {
  return bytes <= kMostBytesPerCall && offset <= kLastOffset && bytes <= kLastOffset - offset;
}

}  // namespace

TransferCalls::Placed TransferCalls::Place(OpenFile& file, bool append,
                                           std::optional<std::uint64_t> offset) {
  if (append) {
    std::optional<std::uint64_t> end = file.node->size.end();
    if (!end && file.may_be_new && !model_.options.strict) {
      model_.account.Add(Note::kAppendAssumedNew);
      file.node->size.OnEmptied();
      end = 0;
    }
    if (!end) {
      if (!offset) file.cursor.reset();
      return {.refused = Reason::kAppendOffsetUnknown};
    }
    return {.offset = *end, .moves_cursor = !offset.has_value(), .refused = {}};
  }
  if (offset) return {.offset = *offset, .moves_cursor = false, .refused = {}};
  if (!file.cursor) {
    if (model_.options.strict) return {.refused = Reason::kCursorUnknown};
    file.cursor = 0;
    file.cursor_assumed = true;
  }
  if (file.cursor_assumed) model_.account.Add(Note::kCursorAssumed);
  return {.offset = *file.cursor, .moves_cursor = true, .refused = {}};
}

void TransferCalls::EmitRead(OpenFile& file, Task& task, const OpOrigin& origin, const Placed& at,
                             std::uint64_t requested, std::uint64_t moved) {
  file.node->size.OnRead(at.offset, requested, moved);
  if (at.moves_cursor) file.cursor = at.offset + moved;
  const HandleId handle = keeper_.HandleIn(file, task.stream, origin, OpenMode::kRead);
  model_.builder.Read(origin, handle, at.offset, requested, moved);
}

void TransferCalls::EmitWrite(OpenFile& file, Task& task, const OpOrigin& origin, const Placed& at,
                              std::uint64_t moved) {
  file.node->size.OnWritten(at.offset, moved);
  if (at.moves_cursor) file.cursor = at.offset + moved;
  const HandleId handle = keeper_.HandleIn(file, task.stream, origin, OpenMode::kWrite);
  model_.builder.Write(origin, handle, at.offset, moved);
}

Reason TransferCalls::Transfer(Task& task, const OpOrigin& origin, const TransferRequest& request) {
  const OpenFilePtr file = keeper_.Resolve(task, request.descriptor, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;

  const bool writes = request.direction == DataDirection::kWrite;
  const bool is_end = request.moved == 0 && !writes;
  if (is_end && model_.options.drop_eof_reads) return Reason::kEofRead;
  const bool append = writes && (file->append || request.append);
  const Placed at = Place(*file, append, request.offset);
  if (at.refused) return *at.refused;
  if (!CanBe(at.offset, request.moved)) return Reason::kUnparsed;

  if (writes) {
    if (request.requested && *request.requested > request.moved) {
      model_.account.Add(Note::kShortWrite);
    }
    EmitWrite(*file, task, origin, at, request.moved);
    return Reason::kOp;
  }
  std::uint64_t requested = request.moved;
  if (!request.requested) {
    model_.account.Add(Note::kRequestUnobservable);
  } else if (*request.requested > kMostBytesPerCall) {
    model_.account.Add(Note::kRequestClamped);
    requested = std::max(requested, kMostBytesPerCall);
  } else {
    requested = std::max(requested, *request.requested);
  }
  requested = std::min(requested, kLastOffset - at.offset);
  EmitRead(*file, task, origin, at, requested, request.moved);
  return Reason::kOp;
}

Reason TransferCalls::Copy(Task& task, const OpOrigin& origin, const CopyRequest& request) {
  const OpenFilePtr in = keeper_.Resolve(task, request.in, origin);
  const OpenFilePtr out = keeper_.Resolve(task, request.out, origin);
  const auto no_source = in == nullptr ? Reason::kFdUnknown : keeper_.NoFileReason(*in);
  const auto no_sink = out == nullptr ? Reason::kFdUnknown : keeper_.NoFileReason(*out);
  if (no_source && no_sink) return *no_source;
  if (request.moved == 0) return Reason::kNothingMoved;

  // The request of a kernel copy is no buffer anyone has: coreutils ask for 2^63 bytes and more.
  // So what moved is what is read.
  OpOrigin next = origin;
  Reason reason = Reason::kOp;
  bool emitted = false;
  if (!no_source) {
    const Placed at = Place(*in, /*append=*/false, request.in_offset);
    if (at.refused || !CanBe(at.offset, request.moved)) {
      reason = at.refused.value_or(Reason::kUnparsed);
    } else {
      EmitRead(*in, task, next, at, request.moved, request.moved);
      emitted = true;
      next.lines = 0;
      next.duration_ns = kNoDuration;
    }
  }
  if (!no_sink) {
    const Placed at = Place(*out, out->append, request.out_offset);
    if (at.refused || !CanBe(at.offset, request.moved)) {
      reason = at.refused.value_or(Reason::kUnparsed);
    } else {
      EmitWrite(*out, task, next, at, request.moved);
      emitted = true;
    }
  }
  if (!emitted) return reason;
  model_.account.Add(Note::kKernelCopy);
  return Reason::kOp;
}

Reason TransferCalls::Seek(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                           std::uint64_t position, std::optional<std::int64_t> from_end) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  file->cursor = position;
  file->cursor_assumed = false;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  if (from_end) {
    std::int64_t end = 0;
    const bool runs_over =
        __builtin_sub_overflow(static_cast<std::int64_t>(position), *from_end, &end);
    if (!runs_over && end >= 0) file->node->size.OnReported(static_cast<std::uint64_t>(end));
  }
  return Reason::kState;
}

Reason TransferCalls::Sync(Task& task, const OpOrigin& origin, const DescriptorUse& use) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  model_.builder.Sync(origin, keeper_.HandleIn(*file, task.stream, origin, OpenMode::kNone));
  return Reason::kOp;
}

Reason TransferCalls::Advise(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                             OpenFlags advice) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  file->advice = advice;
  // An OPEN can only say how the file will be used.
  for (const StreamHandle& handle : file->handles) {
    if (!model_.builder.has_moved_data(handle.handle)) {
      model_.builder.SetAdvice(handle.handle, advice);
    }
  }
  return Reason::kAdvice;
}

Reason TransferCalls::Map(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                          std::uint64_t bytes, bool as_code) {
  const OpenFilePtr file = keeper_.Resolve(task, use, origin);
  if (file == nullptr) return Reason::kFdUnknown;
  if (const auto reason = keeper_.NoFileReason(*file)) return *reason;
  ++file->node->mappings;
  file->node->mapped_bytes += bytes;
  file->node->mapped_as_code |= as_code;
  return Reason::kMmapUnseen;
}

}  // namespace ioflux
