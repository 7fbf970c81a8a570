// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/trace_loader.h"

#include <algorithm>
#include <unordered_map>

#include "base/saturating_math.h"
#include "trace_tools/format/trace_reader.h"
#include "trace_tools/format/trace_validator.h"

namespace ioflux {
namespace {

constexpr std::uint64_t kShownFindings = 3;
constexpr std::uint64_t kOpsBetweenQuestions = 4096;

/// Handles of one trace: which slot of which stream, on which target. Only open handles are kept.
class OpenHandles {
 public:
  struct Entry {
    std::uint32_t slot = 0;
    std::uint32_t target = 0;
  };

  void Insert(std::int64_t handle, Entry entry) {
    if (handle >= 0 && static_cast<std::uint64_t>(handle) < window_.size()) {
      window_[static_cast<std::size_t>(handle)] = entry;
    } else {
      others_[handle] = entry;
    }
  }
  Entry Find(std::int64_t handle) const {
    if (handle >= 0 && static_cast<std::uint64_t>(handle) < window_.size()) {
      return window_[static_cast<std::size_t>(handle)];
    }
    const auto found = others_.find(handle);
    return found == others_.end() ? Entry{} : found->second;
  }
  void Erase(std::int64_t handle) {
    if (handle < 0 || static_cast<std::uint64_t>(handle) >= window_.size()) others_.erase(handle);
  }

 private:
  // Small numbers are looked up without hashing; the validator has checked that each is opened
  // before use.
  std::vector<Entry> window_ = std::vector<Entry>(4096);
  std::unordered_map<std::int64_t, Entry> others_;
};

/// 0 for a word that no replay knows.
std::uint32_t BitOf(std::string_view flag_word) {
  // In the order of kOpenFlagWords.
  constexpr std::array<std::uint32_t, kOpenFlagWords.size()> kBits = {
      kOpenDirect, kOpenCreate,     kOpenTruncate, kOpenAppend,
      kOpenSync,   kOpenSequential, kOpenRandom};
  const auto* const found = std::find(kOpenFlagWords.begin(), kOpenFlagWords.end(), flag_word);
  return found == kOpenFlagWords.end()
             ? 0
             : kBits[static_cast<std::size_t>(found - kOpenFlagWords.begin())];
}

/// A stream while it is being filled.
struct StreamBuilder {
  StreamOps ops;
  std::vector<std::uint32_t> free_slots;
  bool last_has_duration = false;
};

class TraceBuilder {
 public:
  explicit TraceBuilder(LoadedTrace& trace) : trace_(trace) {
    trace_.targets.resize(trace_.header.targets.size());
  }

  void Add(const Op& op, std::uint64_t line) {
    StreamBuilder& stream = StreamOf(op.stream);
    ReplayOp out;
    out.t_ns = op.t_ns;
    out.op_id = op.op_id;
    out.kind = op.kind;
    out.duration_ns = op.Has(OpField::kDuration) ? op.duration_ns : -1;
    NoteTime(op, stream);
    trace_.grouped_ops += op.group != 0 ? 1 : 0;
    ++trace_.op_counts[static_cast<std::size_t>(op.kind)];
    stream.ops.kinds |= 1U << static_cast<unsigned>(op.kind);
    const OpKindInfo& info = InfoOf(op.kind);
    if (info.offset == Presence::kRequired) out.offset = op.offset;
    if (info.data != DataDirection::kNone) {
      out.length_bytes = op.length_bytes;
      out.expected_bytes = op.MovedBytes();
      requested_bytes_ = SaturatingAdd(requested_bytes_, out.length_bytes);
      if (requested_bytes_ > kMaxTraceBytes && line_beyond_ == 0) line_beyond_ = line;
      stream.ops.bytes = SaturatingAdd(stream.ops.bytes, out.expected_bytes);
      stream.ops.requested_bytes = SaturatingAdd(stream.ops.requested_bytes, out.length_bytes);
      stream.ops.largest_op_bytes = std::max(stream.ops.largest_op_bytes, out.length_bytes);
    }
    const std::uint32_t target = ResolveTarget(op, stream, out);
    NoteUse(op, out, trace_.targets[target]);
    stream.ops.ops.Append(out);
  }

  /// The first line with which the data ops ask for more than kMaxTraceBytes; 0 when none does.
  std::uint64_t line_beyond() const { return line_beyond_; }

  void Finish() {
    for (auto& [number, index] : stream_index_) builders_[index].ops.ops.Finish();
    std::sort(
        builders_.begin(), builders_.end(),
        [](const StreamBuilder& a, const StreamBuilder& b) { return a.ops.stream < b.ops.stream; });
    for (StreamBuilder& builder : builders_) {
      builder.ops.place = static_cast<std::uint32_t>(trace_.streams.size());
      trace_.streams.push_back(std::move(builder.ops));
    }
  }

 private:
  StreamBuilder& StreamOf(std::int64_t number) {
    if (!builders_.empty() && builders_[last_].ops.stream == number) return builders_[last_];
    const auto [entry, is_new] = stream_index_.try_emplace(number, builders_.size());
    if (is_new) {
      builders_.emplace_back();
      builders_.back().ops.stream = number;
    }
    last_ = entry->second;
    return builders_[last_];
  }

  void NoteTime(const Op& op, StreamBuilder& stream) {
    const bool has_duration = op.Has(OpField::kDuration);
    trace_.ops_with_duration += has_duration ? 1 : 0;
    if (stream.ops.ops.size() > 0) {
      ++trace_.gaps;
      trace_.known_gaps += stream.last_has_duration ? 1 : 0;
    }
    stream.last_has_duration = has_duration;
    std::int64_t end_ns = op.t_ns;
    if (has_duration && __builtin_add_overflow(op.t_ns, op.duration_ns, &end_ns))
      end_ns = INT64_MAX;
    trace_.end_ns = std::max(trace_.end_ns, end_ns);
  }

  std::uint32_t ResolveTarget(const Op& op, StreamBuilder& stream, ReplayOp& out) {
    if (op.kind == OpKind::kOPEN) {
      out.target = static_cast<std::uint32_t>(op.target);
      out.slot = TakeSlot(stream);
      out.open_bits = BitsOf(op);
      handles_.Insert(op.handle, {out.slot, out.target});
      return out.target;
    }
    if (InfoOf(op.kind).handle == Presence::kRequired) {
      const OpenHandles::Entry entry = handles_.Find(op.handle);
      out.slot = entry.slot;
      if (op.kind == OpKind::kCLOSE) {
        handles_.Erase(op.handle);
        stream.free_slots.push_back(entry.slot);
      }
      return entry.target;
    }
    out.target = static_cast<std::uint32_t>(op.target);
    return out.target;
  }

  static std::uint32_t TakeSlot(StreamBuilder& stream) {
    if (stream.free_slots.empty()) return stream.ops.slots++;
    const std::uint32_t slot = stream.free_slots.back();
    stream.free_slots.pop_back();
    return slot;
  }

  std::uint32_t BitsOf(const Op& op) {
    std::uint32_t bits = 0;
    if (op.mode == OpenMode::kRead || op.mode == OpenMode::kReadWrite) bits |= kOpenRead;
    if (op.mode == OpenMode::kWrite || op.mode == OpenMode::kReadWrite) bits |= kOpenWrite;
    for (const std::string& word : op.flags) {
      ++trace_.open_flag_words[word];
      bits |= BitOf(word);
    }
    return bits;
  }

  static void NoteUse(const Op& op, const ReplayOp& out, TargetUse& use) {
    const bool opens = op.kind == OpKind::kOPEN;
    const bool creates = op.kind == OpKind::kPUT || (opens && (out.open_bits & kOpenCreate) != 0);
    const DataDirection data = InfoOf(op.kind).data;
    if (!use.used) use.created_by_trace = creates;
    use.by_many_streams |= use.used && use.stream != op.stream;
    use.stream = op.stream;
    use.used = true;
    use.deleted |= op.kind == OpKind::kDELETE;
    use.filled |=
        creates || data == DataDirection::kWrite || (opens && (out.open_bits & kOpenTruncate) != 0);
    use.written = use.filled || use.deleted;
    if (data == DataDirection::kNone || out.expected_bytes == 0) return;
    const std::int64_t end = SaturatingAdd(out.offset, out.expected_bytes);
    if (data == DataDirection::kWrite) {
      use.written_extent_bytes = std::max(use.written_extent_bytes, end);
      use.written_bytes = SaturatingAdd(use.written_bytes, out.expected_bytes);
      return;
    }
    use.read_bytes = SaturatingAdd(use.read_bytes, out.expected_bytes);
    use.read_extent_bytes = std::max(use.read_extent_bytes, end);
    // Opened with `create` but read beyond what the trace has written: it was there before.
    if (end > use.written_extent_bytes) use.created_by_trace = false;
  }

  LoadedTrace& trace_;
  std::vector<StreamBuilder> builders_;
  std::unordered_map<std::int64_t, std::size_t> stream_index_;
  std::size_t last_ = 0;
  OpenHandles handles_;
  std::int64_t requested_bytes_ = 0;
  std::uint64_t line_beyond_ = 0;
};

Error TooManyBytes(const std::string& path, std::uint64_t line) {
  return Error{.kind = ErrorKind::kRefused,
               .what =
                   "with this operation the trace asks for more than 1 EiB in all, which no run "
                   "can move",
               .where = {.path = path, .line = line, .item = {}},
               .mend = "look for a wrong `len`"};
}

Error InvalidTrace(const ValidationReport& report, const std::string& path) {
  Error error{.kind = ErrorKind::kInput,
              .what = "the trace is not valid, " + std::to_string(report.errors) + " error(s)",
              .where = {.path = path, .line = 0, .item = {}},
              .mend = "run `ioflux validate " + path + "` for the whole list"};
  std::uint64_t shown = 0;
  for (const Finding& finding : report.findings) {
    if (finding.severity != Severity::kError) continue;
    if (shown == 0) error.where.line = finding.line;
    if (shown++ == kShownFindings) break;
    error.what +=
        "; line " + std::to_string(finding.line) + " [" + finding.field + "] " + finding.text;
  }
  return error;
}

}  // namespace

bool LoadedTrace::writes() const {
  return std::any_of(targets.begin(), targets.end(),
                     [](const TargetUse& use) { return use.written; });
}

std::uint64_t LoadedTrace::resident_bytes() const {
  std::uint64_t bytes = 0;
  for (const StreamOps& stream : streams) bytes += stream.ops.resident_bytes();
  return bytes;
}

Result<LoadedTrace> LoadTrace(const std::string& path, const Stopping& stopping) {
  LoadedTrace trace;
  IOFLUX_ASSIGN_OR_RETURN(trace.identity, IdentifyFile(path, "the trace"));
  IOFLUX_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(path));
  trace.header = reader.header();
  TraceValidator validator(ValidatorOptions{});
  validator.OnHeader(reader.header(), reader.header_presence());
  TraceBuilder builder(trace);
  Op op;
  for (std::uint64_t ops = 0;; ++ops) {
    if (stopping && ops % kOpsBetweenQuestions == 0 && stopping()) {
      return StoppedWhile("loading the trace");
    }
    IOFLUX_ASSIGN_OR_RETURN(const bool more, reader.Next(op));
    if (!more) break;
    validator.OnOp(op, reader.line_number());
    // An invalid op may name what does not exist, so nothing is built once there is an error; the
    // rest of the file is still read for the count.
    if (validator.error_count() == 0) builder.Add(op, reader.line_number());
  }
  const ValidationReport report = validator.Finish();
  if (!report.valid()) return InvalidTrace(report, path);
  if (builder.line_beyond() != 0) return TooManyBytes(path, builder.line_beyond());
  builder.Finish();
  return trace;
}

}  // namespace ioflux
