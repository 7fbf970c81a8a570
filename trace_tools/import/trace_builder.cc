// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/trace_builder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "trace_tools/format/trace_validator.h"
#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

// Longest list of findings an importer's error quotes.
constexpr std::uint64_t kQuotedFindings = 5;

constexpr auto kFlagWords = std::to_array<std::pair<OpenFlags, const char*>>({
    {kOpenDirect, "direct"},
    {kOpenCreate, "create"},
    {kOpenTruncate, "trunc"},
    {kOpenAppend, "append"},
    {kOpenSync, "sync"},
    {kOpenSequential, "seq"},
    {kOpenRandom, "rand"},
});

OpenMode Union(OpenMode a, OpenMode b) {
  if (a == OpenMode::kNone) return b;
  return a == b || b == OpenMode::kNone ? a : OpenMode::kReadWrite;
}

bool HasTarget(const OpRecord& record) {
  return record.kind == OpKind::kOPEN || record.kind == OpKind::kSTAT;
}

}  // namespace

// --- building ----------------------------------------------------------------------------------

StreamId TraceBuilder::AddStream(std::string label) {
  stream_labels_.push_back(std::move(label));
  return static_cast<StreamId>(stream_labels_.size() - 1);
}

TargetId TraceBuilder::AddTarget() {
  targets_.emplace_back();
  return static_cast<TargetId>(targets_.size() - 1);
}

void TraceBuilder::SetTarget(TargetId target, std::string name, std::int64_t size_bytes) {
  targets_[target].name = std::move(name);
  targets_[target].size_bytes = size_bytes;
}

OpRecord& TraceBuilder::Append(OpKind kind, const OpOrigin& origin, StreamId stream,
                               std::uint32_t subject) {
  OpRecord record{};
  record.t_ns = origin.t_ns;
  record.duration_ns = origin.duration_ns;
  record.stream = stream;
  record.subject = subject;
  record.kind = kind;
  record.lines = origin.lines;
  record.call = origin.call;
  record.synthetic = origin.synthetic;
  return records_.emplace_back(record);
}

OpRecord& TraceBuilder::AppendOnHandle(OpKind kind, const OpOrigin& origin, HandleId handle) {
  // A handle that was never opened is the validator's to refuse.
  if (handle >= handles_.size()) return Append(kind, origin, 0, handle);
  handles_[handle].last_record = static_cast<std::uint32_t>(records_.size());
  return Append(kind, origin, handles_[handle].stream, handle);
}

HandleId TraceBuilder::Open(const OpOrigin& origin, StreamId stream, TargetId target, OpenMode mode,
                            OpenFlags flags) {
  const auto handle = static_cast<HandleId>(handles_.size());
  const auto record_number = static_cast<std::uint32_t>(records_.size());
  handles_.push_back({.stream = stream,
                      .target = target,
                      .open_record = record_number,
                      .last_record = record_number,
                      .moved_data = false});
  OpRecord& record = Append(OpKind::kOPEN, origin, stream, target);
  record.handle = handle;
  record.mode = mode;
  record.flags = flags;
  return handle;
}

void TraceBuilder::Read(const OpOrigin& origin, HandleId handle, std::uint64_t offset,
                        std::uint64_t length, std::uint64_t returned) {
  OpRecord& record = AppendOnHandle(OpKind::kREAD, origin, handle);
  record.offset = offset;
  record.length_bytes = length;
  record.returned_bytes = returned;
  if (handle < handles_.size()) handles_[handle].moved_data = true;
}

void TraceBuilder::Write(const OpOrigin& origin, HandleId handle, std::uint64_t offset,
                         std::uint64_t length) {
  OpRecord& record = AppendOnHandle(OpKind::kWRITE, origin, handle);
  record.offset = offset;
  record.length_bytes = length;
  record.returned_bytes = length;
  if (handle < handles_.size()) handles_[handle].moved_data = true;
}

void TraceBuilder::Sync(const OpOrigin& origin, HandleId handle) {
  AppendOnHandle(OpKind::kFSYNC, origin, handle);
}

void TraceBuilder::Close(const OpOrigin& origin, HandleId handle) {
  AppendOnHandle(OpKind::kCLOSE, origin, handle);
}

void TraceBuilder::Stat(const OpOrigin& origin, StreamId stream, TargetId target) {
  Append(OpKind::kSTAT, origin, stream, target);
}

void TraceBuilder::WidenMode(HandleId handle, OpenMode mode) {
  OpRecord& record = records_[handles_[handle].open_record];
  record.mode = Union(record.mode, mode);
}

void TraceBuilder::SetAdvice(HandleId handle, OpenFlags advice) {
  OpRecord& record = records_[handles_[handle].open_record];
  constexpr int kAdvice = kOpenSequential | kOpenRandom;
  record.flags = static_cast<OpenFlags>((record.flags & ~kAdvice) | (advice & kAdvice));
}

void TraceBuilder::DropTargets(const std::function<bool(TargetId)>& is_dropped,
                               const std::function<void(TargetId, const OpRecord&)>& on_dropped) {
  for (OpRecord& record : records_) {
    const bool known = HasTarget(record) || record.subject < handles_.size();
    if (record.dropped || !known) continue;
    const TargetId target = HasTarget(record) ? record.subject : handles_[record.subject].target;
    if (!is_dropped(target)) continue;
    record.dropped = true;
    on_dropped(target, record);
  }
}

// --- finishing ---------------------------------------------------------------------------------

// A call's operation may not be earlier than its predecessor in the stream. A synthetic one yields:
// an OPEN stands directly before the operation it is for, a CLOSE not before its handle's last use.
std::uint64_t TraceBuilder::FixTimes() {
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
  for (const OpRecord& record : records_) {
    if (!record.dropped && !record.synthetic) start_ns = std::min(start_ns, record.t_ns);
  }
  std::vector<std::int64_t> latest_ns(stream_labels_.size(), 0);
  std::uint64_t clamped = 0;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    OpRecord& record = records_[i];
    if (record.dropped) continue;
    record.t_ns -= start_ns;
    std::int64_t& latest = latest_ns[record.stream];
    if (record.synthetic && record.kind == OpKind::kCLOSE) {
      record.t_ns = std::max(record.t_ns, latest_use_ns_[record.subject]);
      continue;
    }
    if (record.t_ns < latest) {
      record.t_ns = latest;
      if (!record.synthetic) ++clamped;
    }
    latest = record.t_ns;
    if (record.kind == OpKind::kOPEN) {
      latest_use_ns_[record.handle] = record.t_ns;
    } else if (record.kind != OpKind::kSTAT && record.subject < handles_.size()) {
      latest_use_ns_[record.subject] = record.t_ns;
    }
  }
  return clamped;
}

void TraceBuilder::SortByTime(BuiltTrace& trace) const {
  std::vector<std::uint32_t>& order = trace.order_;
  order.reserve(records_.size());
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (!records_[i].dropped) order.push_back(i);
  }
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) {
    const OpRecord& x = records_[a];
    const OpRecord& y = records_[b];
    if (x.t_ns != y.t_ns) return x.t_ns < y.t_ns;
    return x.stream < y.stream;
  };
  std::stable_sort(order.begin(), order.end(), earlier);
}

void TraceBuilder::NumberTargets(BuiltTrace& trace) {
  std::vector<std::uint32_t>& number = trace.target_of_;
  number.assign(targets_.size(), kNoId);
  std::vector<Target>& used = trace.header_.targets;
  for (const OpRecord& record : records_) {
    if (record.dropped || !HasTarget(record) || number[record.subject] != kNoId) continue;
    number[record.subject] = static_cast<std::uint32_t>(used.size());
    Target& target = used.emplace_back(std::move(targets_[record.subject]));
    target.id = number[record.subject];
  }
}

void TraceBuilder::Summarise(BuiltTrace& trace) {
  TraceSummary& summary = trace.header_.summary;
  summary = {};
  std::vector<bool> seen;
  for (const std::uint32_t i : trace.order_) {
    const OpRecord& record = trace.records_[i];
    if (record.stream >= seen.size()) seen.resize(record.stream + 1);
    if (!seen[record.stream]) ++summary.num_streams;
    seen[record.stream] = true;
    if (record.kind == OpKind::kREAD || record.kind == OpKind::kWRITE) {
      summary.total_bytes += static_cast<std::int64_t>(record.returned_bytes);
      if (record.returned_bytes != record.length_bytes) ++summary.num_partial_reads;
    }
    summary.duration_ns = record.t_ns;
  }
  summary.num_ops = static_cast<std::int64_t>(trace.order_.size());
}

Result<BuiltTrace> TraceBuilder::Finish(TraceHeader header) {
  latest_use_ns_.assign(handles_.size(), 0);
  BuiltTrace trace;
  trace.header_ = std::move(header);
  trace.header_.targets.clear();
  trace.clamped_ = FixTimes();
  SortByTime(trace);
  NumberTargets(trace);
  trace.records_ = std::exchange(records_, {});
  Summarise(trace);
  trace.header_.version = NeededVersion(trace.header_);
  IOFLUX_RETURN_IF_ERROR(trace.Validate());
  return trace;
}

// --- the trace ---------------------------------------------------------------------------------

void BuiltTrace::Load(std::size_t position, Op& op) const {
  const OpRecord& record = records_[order_[position]];
  op.present = 0;
  op.flags.clear();
  op.mode = OpenMode::kNone;
  op.t_ns = record.t_ns;
  op.stream = record.stream;
  op.kind = record.kind;
  op.SetOpId(static_cast<std::int64_t>(position));
  if (HasTarget(record)) {
    op.SetTarget(target_of_[record.subject]);
  } else {
    op.SetHandle(record.subject);
  }
  if (record.kind == OpKind::kOPEN) {
    op.SetHandle(record.handle);
    op.mode = record.mode;
    for (const auto& [bit, word] : kFlagWords) {
      if ((record.flags & bit) != 0) op.flags.emplace_back(word);
    }
  } else if (record.kind == OpKind::kREAD || record.kind == OpKind::kWRITE) {
    op.SetOffset(static_cast<std::int64_t>(record.offset));
    op.SetLength(static_cast<std::int64_t>(record.length_bytes));
    if (record.returned_bytes != record.length_bytes) {
      op.SetReturned(static_cast<std::int64_t>(record.returned_bytes));
    }
  }
  if (record.duration_ns != kNoDuration) op.SetDuration(record.duration_ns);
}

Result<void> BuiltTrace::Write(ByteSink& sink) const {
  TraceWriter writer(sink);
  IOFLUX_RETURN_IF_ERROR(writer.WriteHeader(header_));
  Op op;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Load(i, op);
    IOFLUX_RETURN_IF_ERROR(writer.WriteOp(op));
  }
  return writer.Flush();
}

// The header goes through its text, so that what a reader would see is judged.
Result<void> BuiltTrace::Validate() const {
  std::string header_line;
  AppendHeaderLine(header_line, header_);
  IOFLUX_ASSIGN_OR_RETURN(const TraceReader reader,
                          TraceReader::FromBytes(header_line, "imported trace", {}));
  TraceValidator validator({.strict = false, .max_findings = kQuotedFindings});
  validator.OnHeader(reader.header(), reader.header_presence());
  Op op;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Load(i, op);
    validator.OnOp(op, i + 2);
  }
  const ValidationReport report = validator.Finish();
  if (report.valid()) return {};
  std::string what = "the imported trace breaks the format, nothing was written";
  for (const Finding& finding : report.findings) {
    if (finding.severity != Severity::kError) continue;
    what += "; line " + std::to_string(finding.line) + " [" + finding.field + "] " + finding.text;
  }
  return Error{.kind = ErrorKind::kInput, .what = what, .where = {}, .mend = ""};
}

}  // namespace ioflux
