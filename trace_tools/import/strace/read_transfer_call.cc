// SPDX-License-Identifier: GPL-2.0-only
//
// Calls that move data, as strace prints them.
#include "trace_tools/import/strace/call_reader.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

using namespace constant;

// An offset by pointer: `NULL` is the file position, `[5000] => [15000]` a number.
struct PointedOffset {
  bool sound = false;
  std::optional<std::uint64_t> offset;
};

PointedOffset ParseOffset(std::string_view text) {
  if (text == "NULL") return {.sound = true, .offset = std::nullopt};
  const std::optional<std::uint64_t> offset = ParsePointedNumber(text);
  return {.sound = offset.has_value(), .offset = offset};
}

std::uint64_t ResultOf(const CallSite& site) {
  return static_cast<std::uint64_t>(*site.call.result.value);
}

}  // namespace

Reason CallReader::FinishTransfer(const CallSite& site, DataDirection direction,
                                  std::optional<std::uint64_t> offset,
                                  std::optional<std::uint64_t> requested, std::uint64_t rwf) {
  TransferRequest request;
  request.descriptor = Use(site, 0);
  if (request.descriptor.number < 0) return Reason::kUnparsed;
  request.direction = direction;
  request.offset = offset;
  request.requested = requested;
  request.moved = ResultOf(site);
  request.append = (rwf & k_RWF_APPEND) != 0;
  const Reason reason = transfers_.Transfer(site.task, site.origin, request);
  if (reason == Reason::kOp) {
    if ((rwf & (k_RWF_DSYNC | k_RWF_SYNC)) != 0) model_.account.Add(Note::kSyncWrite);
    if ((rwf & k_RWF_NOWAIT) != 0) model_.account.Add(Note::kNoWait);
  }
  return reason;
}

Reason CallReader::OnRead(const CallSite& site) {
  return FinishTransfer(site, DataDirection::kRead, std::nullopt,
                        ParseCount(site.call.arguments[2]), 0);
}

Reason CallReader::OnWrite(const CallSite& site) {
  return FinishTransfer(site, DataDirection::kWrite, std::nullopt,
                        ParseCount(site.call.arguments[2]), 0);
}

Reason CallReader::OnPRead(const CallSite& site) {
  const std::optional<std::uint64_t> offset = ParseCount(site.call.arguments[3]);
  if (!offset) return Reason::kUnparsed;
  return FinishTransfer(site, DataDirection::kRead, offset, ParseCount(site.call.arguments[2]), 0);
}

Reason CallReader::OnPWrite(const CallSite& site) {
  const std::optional<std::uint64_t> offset = ParseCount(site.call.arguments[3]);
  if (!offset) return Reason::kUnparsed;
  return FinishTransfer(site, DataDirection::kWrite, offset, ParseCount(site.call.arguments[2]), 0);
}

Reason CallReader::Vector(const CallSite& site, DataDirection direction, bool positional) {
  const Arguments& arguments = site.call.arguments;
  const std::optional<std::uint64_t> count = ParseCount(arguments[2]);
  const std::optional<std::uint64_t> requested =
      count ? SumOfVector(arguments[1], *count) : std::nullopt;
  std::optional<std::uint64_t> offset;
  if (positional) {
    const std::optional<std::int64_t> number = ParseNumber(arguments[3]);
    // preadv2 and pwritev2 take -1 for the file position.
    const bool at_cursor = number == -1 && arguments.size() > 4;
    if (!number || (*number < 0 && !at_cursor)) return Reason::kUnparsed;
    if (!at_cursor) offset = static_cast<std::uint64_t>(*number);
  }
  return FinishTransfer(site, direction, offset, requested, ParseFlags(arguments[4]));
}

Reason CallReader::OnReadV(const CallSite& site) {
  return Vector(site, DataDirection::kRead, /*positional=*/false);
}
Reason CallReader::OnWriteV(const CallSite& site) {
  return Vector(site, DataDirection::kWrite, /*positional=*/false);
}
Reason CallReader::OnPReadV(const CallSite& site) {
  return Vector(site, DataDirection::kRead, /*positional=*/true);
}
Reason CallReader::OnPWriteV(const CallSite& site) {
  return Vector(site, DataDirection::kWrite, /*positional=*/true);
}

// --- copies inside the kernel ------------------------------------------------------------------

Reason CallReader::CopyBetween(const CallSite& site, std::size_t in, std::size_t in_offset,
                               std::size_t out, std::size_t out_offset) {
  constexpr std::size_t kNone = Arguments::kMostArguments;
  CopyRequest request;
  request.in = Use(site, in);
  request.out = Use(site, out);
  if (request.in.number < 0 || request.out.number < 0) return Reason::kUnparsed;
  const PointedOffset from = ParseOffset(site.call.arguments[in_offset]);
  const PointedOffset to = out_offset == kNone ? PointedOffset{.sound = true, .offset = {}}
                                               : ParseOffset(site.call.arguments[out_offset]);
  if (!from.sound || !to.sound) return Reason::kUnparsed;
  request.in_offset = from.offset;
  request.out_offset = to.offset;
  request.moved = ResultOf(site);
  return transfers_.Copy(site.task, site.origin, request);
}

Reason CallReader::OnCopyFileRange(const CallSite& site) { return CopyBetween(site, 0, 1, 2, 3); }
Reason CallReader::OnSplice(const CallSite& site) { return CopyBetween(site, 0, 1, 2, 3); }
Reason CallReader::OnSendFile(const CallSite& site) {
  return CopyBetween(site, 1, 2, 0, Arguments::kMostArguments);
}

// --- position, syncs, advice -------------------------------------------------------------------

Reason CallReader::OnSeek(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0) return Reason::kUnparsed;
  std::optional<std::int64_t> from_end;
  if (ParseConstant(site.call.arguments[2]) == k_SEEK_END) {
    from_end = ParseNumber(site.call.arguments[1]);
  }
  return transfers_.Seek(site.task, site.origin, use, ResultOf(site), from_end);
}

// _llseek(3, 0, [500], SEEK_CUR) = 0: the position is in the brackets.
Reason CallReader::OnLongSeek(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  const std::optional<std::uint64_t> position = ParsePointedNumber(site.call.arguments[2]);
  if (use.number < 0 || !position) return Reason::kUnparsed;
  std::optional<std::int64_t> from_end;
  if (ParseConstant(site.call.arguments[3]) == k_SEEK_END) {
    from_end = ParseNumber(site.call.arguments[1]);
  }
  return transfers_.Seek(site.task, site.origin, use, *position, from_end);
}

Reason CallReader::OnSync(const CallSite& site) {
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0) return Reason::kUnparsed;
  return transfers_.Sync(site.task, site.origin, use);
}

Reason CallReader::OnSyncRange(const CallSite& site) {
  const Reason reason = OnSync(site);
  if (reason == Reason::kOp) model_.account.Add(Note::kRangeLost);
  return reason;
}

Reason CallReader::OnAdvise(const CallSite& site) {
  const Arguments& arguments = site.call.arguments;
  const DescriptorUse use = Use(site, 0);
  if (use.number < 0 || arguments.size() < 4) return Reason::kUnparsed;
  const std::optional<std::uint64_t> advice = ParseConstant(arguments[arguments.size() - 1]);
  if (advice == k_POSIX_FADV_RANDOM) {
    return transfers_.Advise(site.task, site.origin, use, kOpenRandom);
  }
  if (advice == k_POSIX_FADV_SEQUENTIAL) {
    return transfers_.Advise(site.task, site.origin, use, kOpenSequential);
  }
  if (advice == k_POSIX_FADV_NORMAL) return transfers_.Advise(site.task, site.origin, use, 0);
  return descriptors_.Touch(site.task, site.origin, use, Reason::kAdvice);
}

}  // namespace ioflux::strace
