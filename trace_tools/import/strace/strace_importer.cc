// SPDX-License-Identifier: GPL-2.0-only
//
// Kinds of lines.
#include "trace_tools/import/strace/strace_importer.h"

#include <algorithm>
#include <utility>

#include "trace_tools/import/model/model_finish.h"
#include "trace_tools/import/strace/capture_facts.h"
#include "trace_tools/import/strace/text_value.h"

namespace ioflux::strace {
namespace {

// A file of which less than one line in this many reads like strace's is something else, even if a
// line happens to fit.
constexpr std::uint64_t kMostAlienPerLine = 9;

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

// ` | 00010  66 6c …` and ` * 100 bytes in buffer 0` (-e read=, -e write=).
bool IsHexDump(std::string_view text) {
  if (text.starts_with(" * ")) return text.find(" in buffer ") != std::string_view::npos;
  return text.starts_with(" | ") && text.size() > 8 && text[3] >= '0' && text[3] <= '9';
}

// ` > /usr/lib/libc.so.6(read+0x10) [0xf6680]` (-k).
bool IsStackTrace(std::string_view text) { return text.starts_with(" > "); }

bool IsMessage(std::string_view body) {
  return body.starts_with("strace: ") || body.starts_with("[ Process PID=") ||
         (body.starts_with("Process ") &&
          (body.ends_with(" attached") || body.ends_with(" detached") ||
           body.ends_with(" resumed") || body.ends_with(" suspended")));
}

}  // namespace

StraceImporter::StraceImporter(ModelOptions options)
    : model_(std::move(options), ParseShownName),
      reader_(model_),
      call_counts_(AllSyscalls().size()) {}

// --- the whole ---------------------------------------------------------------------------------

Result<void> StraceImporter::Import(CaptureLines& lines) {
  inputs_.resize(lines.input_count());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i].name = lines.name_of(i);
    inputs_[i].first_tid = lines.tid_of(i);
    inputs_[i].first_tid_known = inputs_[i].first_tid != kNoTid;
  }
  CaptureLine line;
  while (true) {
    IOFLUX_ASSIGN_OR_RETURN(const bool more, lines.Next(line));
    if (!more) break;
    OnLine(line);
  }
  for (InputState& input : inputs_) DropTorn(input);
  while (!held_back_.empty()) {
    const std::int64_t tid = held_back_.begin()->first;
    reader_.tasks().BeginUnknown(tid, {});
    model_.account.Add(Note::kUnknownParent);
    OnChild(tid);
  }
  std::vector<std::int64_t> tids;
  for (const auto& [tid, pending] : pending_) tids.push_back(tid);
  std::ranges::sort(tids);
  for (const std::int64_t tid : tids) {
    GiveUp(tid, Reason::kUnfinished, pending_.at(tid).t_ns);
  }
  reader_.tasks().EndAll();
  return JudgeForm(lines);
}

Result<void> StraceImporter::JudgeForm(const CaptureLines& lines) const {
  const ImportAccount& account = model_.account;
  const std::uint64_t alien = account.lines(Bucket::kAlien);
  const std::uint64_t recognised = account.total_lines() - alien - account.lines(Reason::kBlank);
  const Where where{
      .path = lines.input_count() == 0 ? "" : lines.name_of(0), .line = 0, .item = {}};
  if (timed_calls_ == 0 && account.lines(Reason::kNoTime) > 0) {
    return Error{.kind = ErrorKind::kInput,
                 .what = "the capture has no times, so nothing can be replayed in step with it",
                 .where = where,
                 .mend = "capture again with `strace -f -ttt -T -y -s 0 -v -o FILE`"};
  }
  if (timed_calls_ == 0 && account.lines(Reason::kSummaryTable) > 0) {
    return Error{.kind = ErrorKind::kInput,
                 .what = "the file holds a table of counts and no calls",
                 .where = where,
                 .mend = "capture without -c, with `strace -f -ttt -T -y -s 0 -v -o FILE`"};
  }
  if (alien > 0 && alien > recognised * kMostAlienPerLine) {
    const std::uint64_t lines_seen = recognised + alien;
    return Error{.kind = ErrorKind::kInput,
                 .what = "this is no capture of strace: " + std::to_string(recognised) + " of " +
                         std::to_string(lines_seen) +
                         (lines_seen == 1 ? " line looks like one" : " lines look like one"),
                 .where = where,
                 .mend = "give the file that `strace -f -ttt -T -y -s 0 -v -o FILE` wrote"};
  }
  return {};
}

Result<BuiltTrace> StraceImporter::Finish() {
  FinishTargets(model_, [this](const OpRecord& record, Reason to) {
    CallCounts& counts = call_counts_[record.call];
    counts[static_cast<std::size_t>(Bucket::kImported)] -= record.lines;
    counts[static_cast<std::size_t>(InfoOf(to).bucket)] += record.lines;
  });
  for (std::size_t i = 0; i < call_counts_.size(); ++i) {
    if (call_counts_[i] != CallCounts{}) {
      model_.account.CountCall(AllSyscalls()[i].name, call_counts_[i]);
    }
  }
  for (const auto& [name, counts] : other_counts_) model_.account.CountCall(name, counts);
  return model_.builder.Finish(HeaderOf(model_));
}

// --- one line ----------------------------------------------------------------------------------

void StraceImporter::OnLine(const CaptureLine& line) {
  InputState& input = inputs_[line.input];
  if (input.has_torn) {
    if (ContinueTorn(line, input)) return;
    DropTorn(input);
  }
  place_ = {line.input, line.number};
  if (line.is_overlong) {
    CountLines(Reason::kOverlong, 1);
    return;
  }
  if (OnRemark(line, input)) return;
  const Body body{.tid = TidOf(line, input), .t_ns = line.t_ns, .lines = 1, .text = line.head.body};
  if (body.text.starts_with("+++")) {
    OnNotice(body);
    return;
  }
  if (body.text.starts_with("---")) {
    model_.account.CountLines(Reason::kSignal, 1);
    return;
  }
  if (line.has_time()) {
    OnCall(body, input);
    return;
  }
  CallResult result;
  const bool is_call = ParseResultOnly(body.text, result) == CallForm::kComplete ||
                       body.text.ends_with("<unfinished ...>") || body.text.starts_with("<... ");
  CountLines(is_call ? Reason::kNoTime : Reason::kAlien, 1);
}

// Everything that is neither a call nor a notice about a thread.
bool StraceImporter::OnRemark(const CaptureLine& line, InputState& input) {
  if (line.has_time()) {
    input.in_table = false;
    return false;
  }
  const std::string_view text = line.text;
  std::optional<Reason> reason;
  if (IsBlank(text)) {
    reason = Reason::kBlank;
  } else if (text.starts_with("% ") || text.starts_with("------ ") || input.in_table) {
    input.in_table = true;
    reason = Reason::kSummaryTable;
  } else if (IsHexDump(text)) {
    reason = Reason::kHexDump;
  } else if (IsStackTrace(text)) {
    reason = Reason::kStackTrace;
  } else if (IsMessage(line.head.body)) {
    OnMessage(line.head.body, input);
    reason = Reason::kNotice;
  }
  if (reason) model_.account.CountLines(*reason, 1);
  return reason.has_value();
}

// `strace: Process 2304 attached`: a task that is no longer unheard of.
void StraceImporter::OnMessage(std::string_view body, InputState& input) {
  constexpr std::string_view kProcess = "Process ";
  const std::size_t at = body.find(kProcess);
  if (at == std::string_view::npos || body.find(" attached") == std::string_view::npos) return;
  const std::size_t start = at + kProcess.size();
  const auto tid = ParseNumber(body.substr(start, body.find(' ', start) - start));
  if (!tid || *tid <= 0) return;
  // Attached before any call: the lines without a number are its.
  if (!any_task_ && input.first_tid == kNoTid) {
    input.first_tid = *tid;
    input.first_tid_known = true;
  }
  announced_.insert(*tid);
}

// --- torn lines --------------------------------------------------------------------------------

void StraceImporter::DropTorn(InputState& input) {
  if (!std::exchange(input.has_torn, false)) return;
  const std::string_view name = NameOfCall(input.torn.text);
  place_ = input.torn.place;
  OnOtherCall({.lines = input.torn.lines, .text = {}}, name, Reason::kTorn);
}

// On a terminal, messages of strace and output of the program come between the parts of a line:
// `vfork(strace: Process 2305 attached`, and the rest on the next line.
bool StraceImporter::ContinueTorn(const CaptureLine& line, InputState& input) {
  const bool can_continue = !line.has_time() && line.head.tid == kNoTid &&
                            !line.head.body.empty() && !IsMessage(line.head.body) &&
                            !line.head.body.starts_with("+++") &&
                            !line.head.body.starts_with("---");
  if (!can_continue) return false;
  std::string text = input.torn.text;
  const std::size_t message = text.rfind("strace: Process ");
  const bool cut_by_message = message != std::string::npos && text.ends_with(" attached");
  if (cut_by_message) {
    OnMessage(std::string_view(text).substr(message), input);
    text.resize(message);
  }
  if (line.head.body.starts_with("<unfinished")) text += ' ';
  text += line.head.body;

  CallText call;
  const bool whole =
      ParseCall(text, call) == CallForm::kComplete || text.ends_with("<unfinished ...>");
  if (!whole) return false;
  input.has_torn = false;
  place_ = input.torn.place;
  model_.account.Add(Note::kHealedLines);
  const auto lines = static_cast<std::uint8_t>(input.torn.lines + 1);
  OnCall({.tid = input.torn.tid, .t_ns = input.torn.t_ns, .lines = lines, .text = text}, input);
  return true;
}

// --- notices -----------------------------------------------------------------------------------

// `+++ exited with 0 +++`, `+++ killed by SIGKILL +++`, `+++ superseded by execve in pid 7 +++`.
void StraceImporter::OnNotice(const Body& body) {
  model_.account.CountLines(Reason::kNotice, body.lines);
  constexpr std::string_view kSuperseded = "+++ superseded by execve in pid ";
  if (body.text.starts_with(kSuperseded)) {
    const std::string_view rest = body.text.substr(kSuperseded.size());
    const auto by = ParseNumber(rest.substr(0, rest.find(' ')));
    if (by && *by > 0 && *by != body.tid) TakeOver(*by, body.tid);
    return;
  }
  if (pending_.contains(body.tid)) GiveUp(body.tid, Reason::kInterrupted, body.t_ns);
  if (const auto held = held_back_.find(body.tid); held != held_back_.end()) {
    held->second.push_back({body.tid, body.t_ns, 0, std::string(body.text), place_});
    return;
  }
  OpOrigin origin{.t_ns = body.t_ns};
  if (origin.t_ns == 0) {
    // A notice without a time, in a capture that has them otherwise.
    const Task* task = model_.tasks.Find(body.tid);
    if (task != nullptr && task->exiting) origin.t_ns = task->exit_t_ns;
  }
  reader_.tasks().End(body.tid, origin);
  announced_.erase(body.tid);
}

}  // namespace ioflux::strace
