// SPDX-License-Identifier: GPL-2.0-only
//
// Calls, told in one line or in two.
#include <utility>

#include "trace_tools/import/strace/character.h"
#include "trace_tools/import/strace/strace_importer.h"

namespace ioflux::strace {
namespace {

constexpr std::string_view kUnfinished = "<unfinished ...>";

bool NeedsArguments(const SyscallInfo& info) {
  return info.reader != SyscallReader::kNotAFile && info.reader != SyscallReader::kSocketUse &&
         info.reader != SyscallReader::kNoOperation;
}

}  // namespace

void StraceImporter::Count(std::uint16_t syscall, std::string_view name, Reason reason,
                           std::uint64_t lines) {
  CountLines(reason, lines);
  if (reason == Reason::kExcluded && model_.excluded_by != nullptr) {
    model_.account.CountExclusion(*model_.excluded_by, lines);
  }
  const auto bucket = static_cast<std::size_t>(InfoOf(reason).bucket);
  if (syscall < call_counts_.size()) {
    call_counts_[syscall][bucket] += lines;
  } else if (!name.empty()) {
    other_counts_[std::string(name)][bucket] += lines;
  }
}

void StraceImporter::CountLines(Reason reason, std::uint64_t lines) {
  model_.account.CountLines(reason, lines);
  if (IsDamage(reason)) model_.account.AddPlace(reason, inputs_[place_.input].name, place_.line);
}

// A call that goes no further than its name.
void StraceImporter::OnOtherCall(const Body& body, std::string_view name, Reason reason) {
  Count(FindSyscall(name), name, reason, body.lines);
}

void StraceImporter::OnCall(const Body& body, InputState& input) {
  if (HoldBack(body)) return;
  if (body.text.ends_with(kUnfinished) && !body.text.starts_with("<... ")) {
    OnUnfinished(body);
    return;
  }
  if (body.text.starts_with("<... ")) {
    OnResumed(body);
    return;
  }
  const std::string_view name = NameOfCall(body.text);
  if (name.empty()) {
    CountLines(Reason::kUnparsed, body.lines);
    return;
  }
  CallText call;
  const std::uint16_t syscall = FindSyscall(name);
  const bool brief = syscall < AllSyscalls().size() && !NeedsArguments(AllSyscalls()[syscall]);
  CallForm form = CallForm::kComplete;
  if (brief) {
    call.name = name;
    form = ParseResultOnly(body.text, call.result);
  } else {
    form = ParseCall(body.text, call);
  }
  if (form == CallForm::kComplete) {
    OnFinished(body, call, nullptr);
    return;
  }
  // The rest may be on the next line.
  input.has_torn = true;
  input.torn = {body.tid, body.t_ns, body.lines, std::string(body.text), place_};
}

void StraceImporter::OnUnfinished(const Body& body) {
  const std::string_view text = TrimEnd(body.text.substr(0, body.text.size() - kUnfinished.size()));
  CallText call;
  call.name = NameOfCall(text);
  if (call.name.empty()) {
    CountLines(Reason::kUnparsed, body.lines);
    return;
  }
  Task* task = TaskOf(body);
  if (task == nullptr) return;
  GiveUp(body.tid, Reason::kUnfinished, body.t_ns);
  ++timed_calls_;
  PendingCall pending;
  pending.syscall = FindSyscall(call.name);
  pending.name = call.name;
  pending.t_ns = body.t_ns;
  pending.lines = body.lines;
  const bool known = pending.syscall < AllSyscalls().size();
  if (known && NeedsArguments(AllSyscalls()[pending.syscall])) {
    ParseCutCall(text, call);
    reader_.Begin(*task, AllSyscalls()[pending.syscall], call, pending);
    pending.text = text;
  }
  if (pending.makes_task) expecting_child_.push_back(body.tid);
  pending_.insert_or_assign(body.tid, std::move(pending));
}

// `<... read resumed>"x", 1) = 1`; before strace 6 with a blank behind the bracket.
void StraceImporter::OnResumed(const Body& body) {
  constexpr std::string_view kResumed = " resumed>";
  const std::string_view after = body.text.substr(5);
  const std::size_t end = after.find(kResumed);
  const auto found = pending_.find(body.tid);
  if (end == std::string_view::npos) {
    CountLines(Reason::kUnparsed, body.lines);
    return;
  }
  const std::string_view name = after.substr(0, end);
  if (found == pending_.end() || found->second.name != name) {
    GiveUp(body.tid, Reason::kUnfinished, body.t_ns);
    OnOtherCall(body, name, Reason::kNoFirstHalf);
    return;
  }
  const std::string text = found->second.text + std::string(after.substr(end + kResumed.size()));
  Body whole = body;
  whole.t_ns = found->second.t_ns;
  whole.lines = static_cast<std::uint8_t>(found->second.lines + body.lines);
  CallText call;
  const bool brief = found->second.text.empty();  // nobody will look further than the name
  if (brief) {
    call.result.unknown = true;
  } else if (ParseCall(text, call) != CallForm::kComplete) {
    found->second.lines = whole.lines;
    GiveUp(body.tid, Reason::kTorn, body.t_ns);
    return;
  }
  // Out of the table first: a call may begin and end other tasks.
  PendingCall pending = std::move(found->second);
  pending_.erase(found);
  std::erase(expecting_child_, body.tid);
  if (brief) call.name = pending.name;
  OnFinished(whole, call, &pending);
}

void StraceImporter::OnFinished(const Body& body, const CallText& call, PendingCall* pending) {
  Task* task = TaskOf(body);
  if (task == nullptr) return;
  ++timed_calls_;
  if (task->stream == kNoId) task->stream = StreamOf(body.tid);
  const std::uint16_t syscall = FindSyscall(call.name);
  if (syscall >= AllSyscalls().size()) {
    Count(syscall, call.name, Reason::kUnknownCall, body.lines);
    return;
  }
  const SyscallInfo& info = AllSyscalls()[syscall];
  const OpOrigin origin{.t_ns = body.t_ns,
                        .duration_ns = call.result.duration_ns,
                        .call = syscall,
                        .lines = body.lines};
  const Reason reason = reader_.Apply({*task, origin, info, call, pending});
  Count(syscall, call.name, reason, body.lines);
  if (pending != nullptr) {
    reader_.End(model_.tasks.Find(body.tid), *pending, origin, /*given_up=*/true);
  }
  if (info.reader == SyscallReader::kOwnNumber && call.result.value) {
    LearnNumber(*task, *call.result.value);
  }
  const std::int64_t child = CallReader::ChildOf(info, call.result);
  if (child != kNoTid) OnChild(child);
}

// The pending call of a thread will not return.
void StraceImporter::GiveUp(std::int64_t tid, Reason reason, std::int64_t t_ns) {
  const auto found = pending_.find(tid);
  if (found == pending_.end()) return;
  PendingCall pending = std::move(found->second);
  pending_.erase(found);
  std::erase(expecting_child_, tid);
  reader_.End(model_.tasks.Find(tid), pending, {.t_ns = t_ns}, /*given_up=*/true);
  Count(pending.syscall, pending.name, reason, pending.lines);
}

}  // namespace ioflux::strace
