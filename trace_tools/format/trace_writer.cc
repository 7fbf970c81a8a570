// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_writer.h"

#include <array>
#include <cstring>

#include "base/json_text.h"
#include "base/utf8.h"
#include "trace_tools/format/base64.h"

namespace ioflux {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;

// --- header ------------------------------------------------------------------------------------

// Members of one JSON object, in the order of the calls.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }

  std::string& Key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    AppendJsonString(out_, name);
    out_ += ':';
    return out_;
  }
  void Int(std::string_view name, std::int64_t value) {
    std::array<char, kMaxDecimalBytes> digits;
    Key(name).append(digits.data(), AppendDecimal(digits.data(), value));
  }
  void Bool(std::string_view name, bool value) { Key(name) += value ? "true" : "false"; }
  void String(std::string_view name, std::string_view value) { AppendJsonString(Key(name), value); }
  void StringUnlessEmpty(std::string_view name, std::string_view value) {
    if (!value.empty()) String(name, value);
  }
  void Close() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

void AppendTarget(std::string& out, const Target& target) {
  ObjectText object(out);
  object.Int("id", target.id);
  object.String("name", target.name);
  object.String("kind", target.kind);
  object.Int("size", target.size_bytes);
  if (!IsValidUtf8(target.name)) object.String("name_raw", EncodeBase64(target.name));
  object.Close();
}

void AppendSummary(std::string& out, const TraceSummary& summary) {
  ObjectText object(out);
  object.Int("num_ops", summary.num_ops);
  object.Int("num_streams", summary.num_streams);
  object.Int("num_groups", summary.num_groups);
  object.Int("total_bytes", summary.total_bytes);
  object.Int("duration_ns", summary.duration_ns);
  if (summary.num_partial_reads != 0) object.Int("num_partial_reads", summary.num_partial_reads);
  object.Close();
}

void AppendLedgerEntry(std::string& out, const LedgerEntry& entry) {
  ObjectText object(out);
  object.String("kind", entry.kind);
  if (!entry.params.empty()) {
    ObjectText params(object.Key("params"));
    for (const auto& [key, value] : entry.params) params.String(key, value);
    params.Close();
  }
  object.StringUnlessEmpty("source_digest", entry.source_digest);
  object.StringUnlessEmpty("applied_utc", entry.applied_utc);
  object.StringUnlessEmpty("note", entry.note);
  object.Close();
}

template <typename Item>
void AppendArray(std::string& out, const std::vector<Item>& items,
                 void (*append)(std::string&, const Item&)) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out += ',';
    append(out, items[i]);
  }
  out += ']';
}

// --- op ----------------------------------------------------------------------------------------

// Room for the members of an op that have a bounded length; kind, mode and flags can be any text.
constexpr std::size_t kBoundedOpBytes = 512;

template <std::size_t kBytes>
char* AppendLiteral(char* out, const char (&text)[kBytes]) {
  std::memcpy(out, text, kBytes - 1);
  return out + kBytes - 1;
}

template <std::size_t kBytes>
char* AppendMember(char* out, const char (&key)[kBytes], std::int64_t value) {
  return AppendDecimal(AppendLiteral(out, key), value);
}

// Everything between op kind and mode.
char* AppendReferences(char* at, const Op& op) {
  if (op.Has(OpField::kGroup)) at = AppendMember(at, ",\"group\":", op.group);
  if (op.Has(OpField::kTarget)) at = AppendMember(at, ",\"tgt\":", op.target);
  if (op.Has(OpField::kHandle)) at = AppendMember(at, ",\"h\":", op.handle);
  return at;
}

void AppendModeAndFlags(std::string& out, const Op& op) {
  if (op.mode != OpenMode::kNone) {
    out += ",\"mode\":";
    AppendJsonString(out, op.mode == OpenMode::kUnknown ? op.mode_text : TextOf(op.mode));
  }
  if (op.flags.empty()) return;
  char separator = '[';
  out += ",\"flags\":";
  for (const std::string& flag : op.flags) {
    out += separator;
    AppendJsonString(out, flag);
    separator = ',';
  }
  out += ']';
}

}  // namespace

void AppendHeaderLine(std::string& out, const TraceHeader& header) {
  ObjectText object(out);
  object.Int("ioflux_trace_version", header.version);
  object.String("kind", header.kind);
  object.StringUnlessEmpty("profile", header.profile);
  object.StringUnlessEmpty("generated_by", header.generated_by);
  object.StringUnlessEmpty("created_utc", header.created_utc);
  object.String("time_unit", header.time_unit);
  object.StringUnlessEmpty("capture_method", header.capture_method);
  object.StringUnlessEmpty("capture_limitations", header.capture_limitations);
  object.Bool("scrubbed", header.scrubbed);
  AppendArray(object.Key("targets"), header.targets, AppendTarget);
  AppendSummary(object.Key("summary"), header.summary);
  object.StringUnlessEmpty("notes", header.notes);
  if (!header.transformations.empty()) {
    AppendArray(object.Key("transformations"), header.transformations, AppendLedgerEntry);
  }
  object.Close();
  out += '\n';
}

void AppendOpLine(std::string& out, const Op& op) {
  std::array<char, kBoundedOpBytes> bounded;
  char* at = AppendMember(bounded.data(), "{\"t\":", op.t_ns);
  if (op.Has(OpField::kOpId)) at = AppendMember(at, ",\"op_id\":", op.op_id);
  at = AppendMember(at, ",\"s\":", op.stream);
  at = AppendLiteral(at, ",\"op\":");
  if (op.kind == OpKind::kUnknown) {
    out.append(bounded.data(), at);
    AppendJsonString(out, op.kind_text);
    at = bounded.data();
  } else {
    const std::string_view name = InfoOf(op.kind).name;
    *at++ = '"';
    std::memcpy(at, name.data(), name.size());
    at += name.size();
    *at++ = '"';
  }
  at = AppendReferences(at, op);
  if (op.mode != OpenMode::kNone || !op.flags.empty()) {
    out.append(bounded.data(), at);
    AppendModeAndFlags(out, op);
    at = bounded.data();
  }
  if (op.Has(OpField::kOffset)) at = AppendMember(at, ",\"off\":", op.offset);
  if (op.Has(OpField::kLength)) at = AppendMember(at, ",\"len\":", op.length_bytes);
  if (op.Has(OpField::kReturned)) at = AppendMember(at, ",\"ret\":", op.returned_bytes);
  if (op.Has(OpField::kDuration)) at = AppendMember(at, ",\"dur\":", op.duration_ns);
  at = AppendLiteral(at, "}\n");
  out.append(bounded.data(), at);
}

Result<void> TraceWriter::WriteHeader(const TraceHeader& header) {
  if (header_written_) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = "a trace has one header, and it is written already",
                 .where = {},
                 .mend = ""};
  }
  AppendHeaderLine(buffer_, header);
  header_written_ = true;
  return CheckLineAndFlush(0, "use fewer targets or shorter names");
}

Result<void> TraceWriter::WriteOp(const Op& op) {
  if (!header_written_) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = "an op was written before the header",
                 .where = {},
                 .mend = "write the header first"};
  }
  const std::size_t start = buffer_.size();
  AppendOpLine(buffer_, op);
  return CheckLineAndFlush(start, "use fewer or shorter flags");
}

Result<void> TraceWriter::CheckLineAndFlush(std::size_t line_start, const char* mend) {
  const std::size_t line_bytes = buffer_.size() - line_start - 1;
  if (line_bytes > kMaxLineBytes) {
    buffer_.resize(line_start);
    return Error{.kind = ErrorKind::kRefused,
                 .what = "a line of " + std::to_string(line_bytes) + " bytes is longer than the " +
                         std::to_string(kMaxLineBytes) + " bytes a reader accepts",
                 .where = {},
                 .mend = mend};
  }
  if (buffer_.size() < kBufferBytes) return {};
  return Flush();
}

Result<void> TraceWriter::Flush() {
  IOFLUX_RETURN_IF_ERROR(sink_.Write(buffer_));
  buffer_.clear();
  return {};
}

}  // namespace ioflux
