// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_validator.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/nearest_name.h"
#include "base/saturating_math.h"
#include "trace_tools/format/finding_log.h"
#include "trace_tools/format/header_rules.h"
#include "trace_tools/format/op_order.h"
#include "trace_tools/format/open_handles.h"
#include "trace_tools/format/seen_numbers.h"

namespace ioflux {
namespace {

// The kinds of one shape are checked alike.
bool UsesOpenHandle(const OpKindInfo& info) {
  return info.handle == Presence::kRequired && info.target == Presence::kForbidden;
}

constexpr std::uint16_t kRangeFields =
    static_cast<std::uint16_t>(OpField::kOffset) | static_cast<std::uint16_t>(OpField::kLength);

// Which of the two each kind has to have, and no other.
constexpr std::array<std::uint16_t, kOpKinds> kRangeOfKind = [] {
  std::array<std::uint16_t, kOpKinds> fields{};
  for (std::size_t kind = 0; kind < fields.size(); ++kind) {
    const OpKindInfo& info = InfoOf(static_cast<OpKind>(kind));
    const auto field_if = [](Presence presence, OpField field) {
      return presence == Presence::kRequired ? static_cast<int>(field) : 0;
    };
    fields[kind] = static_cast<std::uint16_t>(field_if(info.offset, OpField::kOffset) |
                                              field_if(info.length, OpField::kLength));
  }
  return fields;
}();

// No rule about off and len has anything to say; an absent member is 0.
bool RangeIsPlain(const Op& op) {
  return (op.present & kRangeFields) == kRangeOfKind[static_cast<std::size_t>(op.kind)] &&
         op.offset >= 0 && op.length_bytes >= 0 && op.offset <= INT64_MAX - op.length_bytes;
}

}  // namespace

struct TraceValidator::State {
  explicit State(ValidatorOptions options) : log(options) {}

  void CheckOp(const Op& op, FindingPlace place);
  void CheckOpen(const Op& op, const OpKindInfo& info, FindingPlace place);
  void CheckModeAndFlags(const Op& op, FindingPlace place);
  void CheckOpenMode(const Op& op, FindingPlace place);
  bool CheckTarget(const Op& op, const OpKindInfo& info, FindingPlace place);
  void CheckNewHandle(const Op& op, bool target_known, FindingPlace place);
  std::int64_t CheckTargetOp(const Op& op, const OpKindInfo& info, FindingPlace place);
  std::int64_t CheckUsedHandle(const Op& op, FindingPlace place);
  void ReportUnfit(const Op& op, const OpenHandle& handle, FindingPlace place);
  void ReportUnusable(const Op& op, FindingPlace place);
  void CheckRange(const Op& op, const OpKindInfo& info, FindingPlace place) {
    if (!RangeIsPlain(op)) [[unlikely]]
      CheckRangeInFull(op, info, place);
  }
  void CheckRangeInFull(const Op& op, const OpKindInfo& info, FindingPlace place);
  void CheckReturned(const Op& op, const OpKindInfo& info, std::int64_t target, FindingPlace place);
  void CheckOpenFlags(const Op& op, FindingPlace place);
  void CheckNeverClosed();
  void CheckCounts();
  void CheckFurtherCounts();
  ValidationReport Report();

  FindingLog log;

  // Of the header.
  std::int64_t version = 0;
  bool has_ledger = false;
  TraceSummary summary;
  TraceReader::HeaderPresence presence;
  std::vector<std::int64_t> target_sizes;

  OpOrder order;
  SeenNumbers made_handles;
  OpenHandles open_handles;
  std::uint64_t ops = 0;
  std::uint64_t partial_reads = 0;
  std::int64_t moved_bytes = 0;
};

void TraceValidator::State::CheckOp(const Op& op, FindingPlace place) {
  ++ops;
  order.Check(op, place, log);
  if (op.kind == OpKind::kUnknown) [[unlikely]] {
    if (op.kind_text.empty()) {
      log.Add(Rule::kOK_1, place, "op is missing");
    } else {
      log.Add(Rule::kOK_1, place, "op {} is unknown; {}", Quoted(op.kind_text),
              SuggestName(op.kind_text, OpKindNames()));
    }
    return;
  }
  const OpKindInfo& info = InfoOf(op.kind);
  std::int64_t target = -1;  // whose size a read can be held against
  if (op.kind == OpKind::kOPEN) {
    CheckOpen(op, info, place);
  } else {
    if (op.mode != OpenMode::kNone || !op.flags.empty()) [[unlikely]]
      CheckModeAndFlags(op, place);
    target = UsesOpenHandle(info) ? CheckUsedHandle(op, place) : CheckTargetOp(op, info, place);
    CheckRange(op, info, place);
  }
  if (op.Has(OpField::kReturned)) [[unlikely]]
    CheckReturned(op, info, target, place);
  if (op.duration_ns < 0) [[unlikely]]
    log.Add(Rule::kOD_1, place, "dur is {}", op.duration_ns);
  if (info.data != DataDirection::kNone) {
    moved_bytes = SaturatingAdd(moved_bytes, std::max<std::int64_t>(0, op.MovedBytes()));
  }
}

void TraceValidator::State::CheckOpen(const Op& op, const OpKindInfo& info, FindingPlace place) {
  const bool target_known = CheckTarget(op, info, place);
  CheckNewHandle(op, target_known, place);
  CheckOpenMode(op, place);
  CheckRange(op, info, place);
  if (!op.flags.empty()) CheckOpenFlags(op, place);
}

void TraceValidator::State::CheckModeAndFlags(const Op& op, FindingPlace place) {
  if (op.mode != OpenMode::kNone) {
    log.Add(Rule::kOM_1, place, "{} has a mode", InfoOf(op.kind).name);
  }
  if (!op.flags.empty()) log.Add(Rule::kOM_2, place, "{} has flags", InfoOf(op.kind).name);
}

void TraceValidator::State::CheckOpenMode(const Op& op, FindingPlace place) {
  if (op.mode == OpenMode::kNone) {
    log.Add(Rule::kOM_3, place, "OPEN has no mode");
  } else if (op.mode == OpenMode::kUnknown) {
    log.Add(Rule::kOM_4, place, "mode {} is not r, w or rw", Quoted(op.mode_text));
  }
}

void TraceValidator::State::CheckOpenFlags(const Op& op, FindingPlace place) {
  for (const std::string& flag : op.flags) {
    if (std::find(kOpenFlagWords.begin(), kOpenFlagWords.end(), flag) != kOpenFlagWords.end()) {
      continue;
    }
    log.Add(Rule::kHX_3p, place, "flag {} is unknown; {}", Quoted(flag),
            SuggestName(flag, kOpenFlagWords));
  }
}

// True when the op names a target of the table.
bool TraceValidator::State::CheckTarget(const Op& op, const OpKindInfo& info, FindingPlace place) {
  if (!op.Has(OpField::kTarget)) {
    log.Add(Rule::kOG_1, place, "{} has no tgt", info.name);
    return false;
  }
  if (op.target >= 0 && static_cast<std::uint64_t>(op.target) < target_sizes.size()) return true;
  log.Add(Rule::kOG_2, place, "tgt {} is not in the table of {} target(s)", op.target,
          target_sizes.size());
  return false;
}

void TraceValidator::State::CheckNewHandle(const Op& op, bool target_known, FindingPlace place) {
  if (!op.Has(OpField::kHandle)) {
    log.Add(Rule::kOH_1, place, "OPEN has no h");
    return;
  }
  if (op.handle < 0) log.Add(Rule::kHX_3f, place, "h is {}", op.handle);
  // An OPEN of nothing makes no handle, but a number that is taken stays taken.
  const auto earlier =
      target_known ? made_handles.Add(op.handle, place.line) : made_handles.Find(op.handle);
  if (earlier.has_value()) {
    if (earlier->line != 0) {
      log.Add(Rule::kOH_2, place, "handle {} was opened on line {} already", op.handle,
              earlier->line);
    } else {
      log.Add(Rule::kOH_2, place, "handle {} was opened further up already", op.handle);
    }
  } else if (target_known) {
    open_handles.Open(op.handle, op.stream, place.line, op.target, op.mode);
  }
}

// An op on a target that needs no handle. The target, or -1 if it is none of the table.
std::int64_t TraceValidator::State::CheckTargetOp(const Op& op, const OpKindInfo& info,
                                                  FindingPlace place) {
  const bool target_known = CheckTarget(op, info, place);
  if (op.Has(OpField::kHandle)) {
    log.Add(Rule::kOH_7, place, "{} on a target also names handle {}", info.name, op.handle);
  }
  return target_known ? op.target : -1;
}

// An op on an open handle. The handle's target, or -1 if it is not open.
std::int64_t TraceValidator::State::CheckUsedHandle(const Op& op, FindingPlace place) {
  const OpenHandle* const handle =
      op.Has(OpField::kHandle) ? open_handles.Find(op.handle) : nullptr;
  std::int64_t target = -1;
  if (handle == nullptr) [[unlikely]] {
    ReportUnusable(op, place);
  } else {
    target = static_cast<std::int64_t>(handle->target);
    const bool fits = handle->stream == op.stream && handle->Permits(op.kind);
    if (!fits) [[unlikely]]
      ReportUnfit(op, *handle, place);
    if (op.kind == OpKind::kCLOSE) open_handles.Close(op.handle);
  }
  if (op.Has(OpField::kTarget)) [[unlikely]] {
    log.Add(Rule::kOG_3, place, "{} on a handle also names target {}", InfoOf(op.kind).name,
            op.target);
  }
  return target;
}

// The handle is open, but to another stream or for another use.
void TraceValidator::State::ReportUnfit(const Op& op, const OpenHandle& handle,
                                        FindingPlace place) {
  const std::uint64_t open_line = handle.line;
  if (handle.stream != op.stream) {
    log.Add(Rule::kOH_6, place, "handle {} belongs to stream {} (opened on line {}), not to {}",
            op.handle, handle.stream, open_line, op.stream);
  }
  if (handle.Permits(op.kind)) return;
  if (op.kind == OpKind::kREAD) {
    log.Add(Rule::kHX_3j, place, "READ of handle {}, opened with mode w on line {}", op.handle,
            open_line);
  } else {
    log.Add(Rule::kHX_3k, place, "WRITE to handle {}, opened with mode r on line {}", op.handle,
            open_line);
  }
}

void TraceValidator::State::ReportUnusable(const Op& op, FindingPlace place) {
  const std::string_view name = InfoOf(op.kind).name;
  if (!op.Has(OpField::kHandle)) {
    log.Add(Rule::kOH_3, place, "{} has no h", name);
    return;
  }
  const auto opened = made_handles.Find(op.handle);
  if (!opened.has_value()) {
    log.Add(Rule::kOH_4, place, "{} of handle {}, which was never opened", name, op.handle);
  } else if (opened->line == 0) {
    log.Add(Rule::kOH_5, place, "{} of handle {}, which is closed", name, op.handle);
  } else {
    log.Add(Rule::kOH_5, place, "{} of handle {}, which is closed (it was opened on line {})", name,
            op.handle, opened->line);
  }
}

void TraceValidator::State::CheckRangeInFull(const Op& op, const OpKindInfo& info,
                                             FindingPlace place) {
  const bool has_offset = op.Has(OpField::kOffset);
  const bool has_length = op.Has(OpField::kLength);
  if (info.offset == Presence::kForbidden) {
    if (has_offset) log.Add(Rule::kOP_3, place, "{} has off", info.name);
  } else if (!has_offset) {
    log.Add(Rule::kOP_1, place, "{} has no off", info.name);
  } else if (op.offset < 0) {
    log.Add(Rule::kOP_2, place, "off is {}", op.offset);
  }
  if (info.length == Presence::kForbidden) {
    if (has_length) log.Add(Rule::kOP_6, place, "{} has len", info.name);
  } else if (!has_length) {
    log.Add(Rule::kOP_4, place, "{} has no len", info.name);
  } else if (op.length_bytes < 0) {
    log.Add(Rule::kOP_5, place, "len is {}", op.length_bytes);
  } else if (op.offset > INT64_MAX - op.length_bytes) {
    log.Add(Rule::kHX_3h, place, "off {} and len {} end beyond 2^63", op.offset, op.length_bytes);
  }
}

void TraceValidator::State::CheckReturned(const Op& op, const OpKindInfo& info, std::int64_t target,
                                          FindingPlace place) {
  ++partial_reads;
  if (info.returned == Presence::kForbidden) {
    log.Add(Rule::kOR_1, place, "{} has ret", info.name);
    return;
  }
  const bool has_length = op.Has(OpField::kLength);
  if (op.returned_bytes < 0) {
    log.Add(Rule::kOR_2, place, "ret is {}", op.returned_bytes);
  } else if (has_length && op.returned_bytes > op.length_bytes) {
    log.Add(Rule::kOR_3, place, "ret {} is more than len {}", op.returned_bytes, op.length_bytes);
  }
  if (version == 1) log.Add(Rule::kOR_4, place, "ret needs version 2, but version 1 is declared");
  if (!has_length || op.returned_bytes < 0 || op.returned_bytes > op.length_bytes) return;
  if (op.returned_bytes == op.length_bytes) {
    log.Add(Rule::kHX_3g, place, "ret equals len {}", op.length_bytes);
    return;
  }
  if (target < 0 || static_cast<std::uint64_t>(target) >= target_sizes.size()) return;
  const std::int64_t size = target_sizes[static_cast<std::size_t>(target)];
  const std::int64_t end = SaturatingAdd(op.offset, op.returned_bytes);
  if (op.offset >= 0 && end < size) {
    log.Add(Rule::kHX_3l, place, "the read stops at byte {}, but target {} has {} bytes", end,
            target, size);
  }
}

void TraceValidator::State::CheckNeverClosed() {
  for (const OpenHandles::Entry& entry : open_handles.Sorted()) {
    log.Add(Rule::kEW_1, {}, "handle {}, opened on line {}, is never closed", entry.number,
            entry.line);
  }
}

void TraceValidator::State::CheckCounts() {
  const auto compare = [this](Rule rule, std::int64_t declared, std::uint64_t found) {
    if (declared >= 0 && static_cast<std::uint64_t>(declared) == found) return;
    log.Add(rule, kHeaderPlace, "the summary says {}, the trace has {}", declared, found);
  };
  compare(Rule::kES_1, summary.num_ops, ops);
  compare(Rule::kES_2, summary.num_streams, order.streams());
  compare(Rule::kES_3, summary.num_partial_reads, partial_reads);
}

// Only of counters that are there: a missing one has a rule of its own.
void TraceValidator::State::CheckFurtherCounts() {
  const std::int64_t needed = has_ledger ? 3 : partial_reads != 0 ? 2 : 1;
  if (version > needed && version <= 3) {
    log.Add(Rule::kHX_2, kHeaderPlace, "version {} is declared, {} would do", version, needed);
  }
  const auto compare = [this](Rule rule, std::size_t counter, std::int64_t declared,
                              std::int64_t found) {
    if (!presence.summary_counters[counter] || declared == found) return;
    log.Add(rule, kHeaderPlace, "the summary says {}, the trace has {}", declared, found);
  };
  compare(Rule::kHX_3m, 3, summary.total_bytes, moved_bytes);
  compare(Rule::kHX_3n, 4, summary.duration_ns, order.last_t_ns());
  compare(Rule::kHX_3o, 2, summary.num_groups, static_cast<std::int64_t>(order.groups()));
}

ValidationReport TraceValidator::State::Report() {
  ValidationReport report;
  log.MoveInto(report);
  report.ops = ops;
  report.partial_reads = partial_reads;
  report.streams = order.streams();
  return report;
}

TraceValidator::TraceValidator(ValidatorOptions options)
    : state_(std::make_unique<State>(options)) {}
TraceValidator::~TraceValidator() = default;
TraceValidator::TraceValidator(TraceValidator&&) noexcept = default;

void TraceValidator::OnHeader(const TraceHeader& header,
                              const TraceReader::HeaderPresence& presence) {
  CheckHeader(header, presence, state_->log);
  state_->version = header.version;
  state_->has_ledger = !header.transformations.empty();
  state_->summary = header.summary;
  state_->presence = presence;
  state_->target_sizes.reserve(header.targets.size());
  for (const Target& target : header.targets) state_->target_sizes.push_back(target.size_bytes);
}

void TraceValidator::OnOp(const Op& op, std::uint64_t line, std::uint64_t byte_offset) {
  state_->CheckOp(op, {.line = line, .byte_offset = byte_offset});
}

ValidationReport TraceValidator::Finish() {
  state_->CheckNeverClosed();
  state_->CheckCounts();
  state_->CheckFurtherCounts();
  return state_->Report();
}

ValidationReport TraceValidator::FinishAtFatalLine(const Error& error, std::uint64_t byte_offset) {
  state_->log.AddFatal({.line = error.where.line, .byte_offset = byte_offset}, error.what);
  ValidationReport report = state_->Report();
  report.has_fatal_line = true;
  return report;
}

std::uint64_t TraceValidator::error_count() const { return state_->log.error_count(); }

Result<ValidationReport> ValidateTrace(TraceReader& reader, ValidatorOptions options) {
  TraceValidator validator(options);
  validator.OnHeader(reader.header(), reader.header_presence());
  Op op;
  for (;;) {
    const Result<bool> more = reader.Next(op);
    if (!more) {
      if (more.error().kind != ErrorKind::kInput) return more.error();
      return validator.FinishAtFatalLine(more.error(), reader.line_offset());
    }
    if (!more.value()) return validator.Finish();
    validator.OnOp(op, reader.line_number(), reader.line_offset());
  }
}

Result<ValidationReport> ValidateBytes(std::string_view bytes, const std::string& name,
                                       ValidatorOptions options) {
  IOFLUX_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::FromBytes(bytes, name, {}));
  return ValidateTrace(reader, options);
}

}  // namespace ioflux
