// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/strace/capture_lines.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

#include "trace_tools/import/strace/call_text.h"

namespace ioflux::strace {
namespace {

bool MakesATask(std::string_view body) {
  const std::string_view name = NameOfCall(body);
  return name.starts_with("clone") || name == "fork" || name == "vfork";
}

// When the call of a line took effect.
std::int64_t EffectOf(const CaptureLine& line) {
  const std::string_view body = line.head.body;
  if (body.starts_with("<...") || MakesATask(body)) return line.t_ns;
  if (body.empty() || body.back() != '>') return line.t_ns;
  const std::size_t open = body.rfind('<');
  if (open == std::string_view::npos) return line.t_ns;
  const auto duration = ParseSeconds(body.substr(open + 1, body.size() - open - 2));
  std::int64_t effect_ns = line.t_ns;
  if (duration && __builtin_add_overflow(line.t_ns, *duration, &effect_ns)) return line.t_ns;
  return effect_ns;
}

}  // namespace

std::int64_t TidOfFileName(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return kNoTid;
  const std::string_view suffix = name.substr(dot + 1);
  std::uint32_t tid = 0;
  const auto [end, error] = std::from_chars(suffix.data(), suffix.data() + suffix.size(), tid);
  const bool whole = error == std::errc() && end == suffix.data() + suffix.size();
  return whole && tid > 0 ? std::int64_t{tid} : kNoTid;
}

CaptureLines::CaptureLines(std::vector<ByteSource> sources) {
  for (ByteSource& source : sources) {
    const std::int64_t tid = TidOfFileName(source.name());
    inputs_.push_back(Input{.reader = LineReader(std::move(source)),
                            .tid = tid,
                            .clock = {},
                            .line = {},
                            .order_ns = 0,
                            .started = false,
                            .content_hash = 0});
  }
  // A parent, which has the lower number, comes first among lines of the same time.
  std::ranges::stable_sort(inputs_, {}, &Input::tid);
}

// Reads the next line of an input and queues it.
Result<void> CaptureLines::Advance(std::size_t index) {
  Input& input = inputs_[index];
  CaptureLine& line = input.line;
  IOFLUX_ASSIGN_OR_RETURN(const bool more, input.reader.Next(line.text));
  if (!more) return {};
  if (inputs_.size() > 1) {
    constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;  // so that the order of lines matters
    input.content_hash = input.content_hash * kOdd + std::hash<std::string_view>()(line.text);
  }
  line.head = ReadHead(line.text);
  line.input = index;
  line.number = input.reader.line_number();
  line.is_overlong = input.reader.is_overlong();
  if (line.has_time()) {
    if (!input.started && reference_ns_) input.clock.StartNear(*reference_ns_);
    line.t_ns = input.clock.Resolve(line.head.time);
    if (!reference_ns_) reference_ns_ = line.t_ns;
    input.started = true;
    if (inputs_.size() > 1) input.order_ns = EffectOf(line);
  }
  if (inputs_.size() > 1 && input.clock.is_relative()) {
    return Error{.kind = ErrorKind::kInput,
                 .what = "the times of several files that were captured with -r cannot be ordered",
                 .where = {.path = input.reader.name(), .line = 0, .item = {}},
                 .mend = "capture with -ttt in place of -r"};
  }
  queue_.emplace_back(input.order_ns, index);
  std::ranges::push_heap(queue_, std::greater<>());
  return {};
}

// Each line has its time, so two threads never have the same ones.
Result<void> CaptureLines::CheckAllDiffer() const {
  std::map<std::pair<std::uint64_t, std::size_t>, const Input*> seen;
  for (const Input& input : inputs_) {
    const std::uint64_t lines = input.reader.line_number();
    if (lines == 0) continue;
    const auto [same, added] = seen.try_emplace({lines, input.content_hash}, &input);
    if (added) continue;
    return Error{.kind = ErrorKind::kUsage,
                 .what = "this file and " + same->second->reader.name() +
                         " hold the same lines, which would count twice",
                 .where = {.path = input.reader.name(), .line = 0, .item = {}},
                 .mend = "give each file of the capture once"};
  }
  return {};
}

Result<bool> CaptureLines::Next(CaptureLine& line) {
  if (taken_) IOFLUX_RETURN_IF_ERROR(Advance(*taken_));
  if (!std::exchange(started_, true)) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) IOFLUX_RETURN_IF_ERROR(Advance(i));
  }
  taken_.reset();
  if (queue_.empty()) {
    IOFLUX_RETURN_IF_ERROR(CheckAllDiffer());
    return false;
  }
  std::ranges::pop_heap(queue_, std::greater<>());
  taken_ = queue_.back().second;
  queue_.pop_back();
  line = inputs_[*taken_].line;
  return true;
}

}  // namespace ioflux::strace
