// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/trace_reader.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "trace_tools/format/canonical_op_scanner.h"
#include "trace_tools/format/header_json.h"
#include "trace_tools/format/line_buffer.h"
#include "trace_tools/format/op_json.h"

namespace ioflux {
namespace {

static_assert(LineBuffer::kPaddingBytes >= kScannerPaddingBytes);

// Unicode's White_Space.
bool IsWhiteSpace(std::string_view character) {
  if (character.size() == 1)
    return character == " " || (character[0] >= '\t' && character[0] <= '\r');
  if (character.size() == 2) return character == "\u0085" || character == "\u00A0";
  if (character >= "\u2000" && character <= "\u200A") return true;
  constexpr std::string_view kOthers[] = {"\u1680", "\u2028", "\u2029",
                                          "\u202F", "\u205F", "\u3000"};
  return std::find(std::begin(kOthers), std::end(kOthers), character) != std::end(kOthers);
}

bool IsBlank(std::string_view line) {
  while (!line.empty()) {
    const std::string_view character = line.substr(0, Utf8SequenceBytes(line));
    if (character.empty() || !IsWhiteSpace(character)) return false;
    line.remove_prefix(character.size());
  }
  return true;
}

}  // namespace

struct TraceReader::State {
  State(ByteSource source, Options reader_options)
      : lines(std::move(source), reader_options.buffer_bytes), options(reader_options) {}

  LineBuffer lines;
  Options options;
  TraceHeader header;
  HeaderPresence presence;
  std::uint64_t line_number = 0;
  std::uint64_t line_offset = 0;

  Error Fatal(std::string what, std::string mend = "") const {
    return Error{.kind = ErrorKind::kInput,
                 .what = std::move(what),
                 .where = {.path = lines.source().name(), .line = line_number},
                 .mend = std::move(mend)};
  }

  Error TooLong() const {
    return Fatal("the line is longer than " + std::to_string(kMaxLineBytes) + " bytes");
  }

  void StartLine() {
    ++line_number;
    line_offset = lines.offset();
  }

  Result<void> ReadHeader();
  Result<bool> NextBySearching(Op& op);
  Result<bool> ParseOp(std::string_view line, Op& op);
};

Result<void> TraceReader::State::ReadHeader() {
  LineBuffer::Line line;
  do {
    IOFLUX_ASSIGN_OR_RETURN(line, lines.FindLine());
  } while (line.outcome == LineBuffer::Outcome::kRefilled);
  StartLine();
  if (line.outcome == LineBuffer::Outcome::kEnd) {
    return Fatal("the input is empty, so there is no header", "write the trace again");
  }
  if (line.outcome == LineBuffer::Outcome::kTooLong) return TooLong();
  if (IsBlank(line.text)) {
    return Fatal("the first line is blank; it must be the header", "remove the blank lines");
  }
  if (line.text.starts_with("\xEF\xBB\xBF")) {
    return Fatal("the file starts with a byte order mark", "save it as UTF-8 without one");
  }
  const std::string problem = ParseHeaderJson(line.text, header, presence);
  if (!problem.empty()) {
    return Fatal("the header cannot be read: " + problem, "is this an .ioflux trace?");
  }
  lines.Consume(line.next);
  return {};
}

// The way of every line the scanner did not take, and of the end of each buffer.
Result<bool> TraceReader::State::NextBySearching(Op& op) {
  for (;;) {
    IOFLUX_ASSIGN_OR_RETURN(const LineBuffer::Line line, lines.FindLine());
    switch (line.outcome) {
      case LineBuffer::Outcome::kEnd:
        return false;
      case LineBuffer::Outcome::kTooLong:
        StartLine();
        return TooLong();
      case LineBuffer::Outcome::kRefilled:
        if (options.use_canonical_scanner) {
          if (const char* const next = ScanCanonicalOp(lines.unread(), op); next != nullptr) {
            StartLine();
            lines.Consume(next);
            return true;
          }
        }
        break;
      case LineBuffer::Outcome::kLine:
        StartLine();
        lines.Consume(line.next);
        if (!IsBlank(line.text)) return ParseOp(line.text, op);
        break;
    }
  }
}

Result<bool> TraceReader::State::ParseOp(std::string_view line, Op& op) {
  const std::string problem = ParseOpJson(line, op);
  if (problem.empty()) return true;
  return Fatal("the line cannot be read: " + problem,
               "everything behind it is unread; repair the line or cut the file before it");
}

TraceReader::TraceReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

Result<TraceReader> TraceReader::FromSource(ByteSource source, Options options) {
  auto state = std::make_unique<State>(std::move(source), options);
  IOFLUX_RETURN_IF_ERROR(state->ReadHeader());
  return TraceReader(std::move(state));
}

Result<TraceReader> TraceReader::Open(const std::string& path_or_dash, Options options) {
  IOFLUX_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(path_or_dash));
  return FromSource(std::move(source), options);
}

Result<TraceReader> TraceReader::FromBytes(std::string_view bytes, const std::string& name,
                                           Options options) {
  return FromSource(ByteSource::FromBytes(bytes, name), options);
}

const TraceHeader& TraceReader::header() const { return state_->header; }
const TraceReader::HeaderPresence& TraceReader::header_presence() const { return state_->presence; }

Result<bool> TraceReader::Next(Op& op) {
  State& state = *state_;
  if (state.options.use_canonical_scanner) [[likely]] {
    const char* const next = ScanCanonicalOp(state.lines.unread(), op);
    if (next != nullptr) [[likely]] {
      state.StartLine();
      state.lines.Consume(next);
      return true;
    }
  }
  return state.NextBySearching(op);
}

std::uint64_t TraceReader::line_number() const { return state_->line_number; }
std::uint64_t TraceReader::line_offset() const { return state_->line_offset; }
const std::string& TraceReader::path() const { return state_->lines.source().name(); }

}  // namespace ioflux
