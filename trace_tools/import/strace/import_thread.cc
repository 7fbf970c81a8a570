// SPDX-License-Identifier: GPL-2.0-only
//
// Whose line is it, and who made that thread?
#include <algorithm>
#include <utility>

#include "trace_tools/import/strace/strace_importer.h"

namespace ioflux::strace {

// On a terminal strace names the thread only while there are several. A line without a number
// belongs to the only one that lives, else to the one the capture began with; its number comes to
// light when a number turns up that no clone has made.
std::int64_t StraceImporter::TidOf(const CaptureLine& line, InputState& input) {
  const std::int64_t tid = line.head.tid;
  if (tid == kNoTid) {
    if (input.first_tid == kNoTid) {
      // One of our own, below kNoTid, that no line can write.
      input.first_tid = kNoTid - 1 - static_cast<std::int64_t>(line.input);
    }
    if (inputs_.size() > 1) return input.first_tid;
    const Task* only = model_.tasks.Only();
    return only != nullptr && held_back_.empty() ? only->tid : input.first_tid;
  }
  const bool stand_in = input.first_tid != kNoTid && !input.first_tid_known;
  if (!stand_in || model_.tasks.Find(tid) != nullptr || announced_.contains(tid) ||
      held_back_.contains(tid)) {
    return tid;
  }
  const bool resumes = line.head.body.starts_with("<... ");
  if (!expecting_child_.empty() && !resumes) return tid;  // a child that was not announced
  LearnNumber(TakeOver(input.first_tid, tid), tid);
  input.first_tid = tid;
  input.first_tid_known = true;
  return tid;
}

// The task `from` goes on under the number `to`; both numbers differ.
Task& StraceImporter::TakeOver(std::int64_t from, std::int64_t to) {
  reader_.tasks().End(to, {});
  GiveUp(to, Reason::kInterrupted, 0);
  if (auto call = pending_.extract(from); !call.empty()) {
    call.key() = to;
    pending_.insert(std::move(call));
  }
  std::ranges::replace(expecting_child_, from, to);
  if (auto stream = streams_.extract(from); !stream.empty() && !streams_.contains(to)) {
    stream.key() = to;
    streams_.insert(std::move(stream));
  }
  if (model_.tasks.Find(from) == nullptr) return reader_.tasks().BeginUnknown(to, {});
  model_.tasks.Renumber(from, to);
  return *model_.tasks.Find(to);
}

// The task of a line that is not held back.
Task* StraceImporter::TaskOf(const Body& body) {
  Task* task = model_.tasks.Find(body.tid);
  const OpOrigin origin{.t_ns = body.t_ns};
  if (task != nullptr && !task->left) return task;
  if (task != nullptr && body.text.starts_with("<... ")) return task;
  // HoldBack() has seen to it that at most one clone can have made it.
  if (task == nullptr && !expecting_child_.empty()) {
    PendingCall& clone = pending_.at(expecting_child_.front());
    const Task* parent = model_.tasks.Find(expecting_child_.front());
    if (parent != nullptr) {
      clone.child = body.tid;
      expecting_child_.erase(expecting_child_.begin());
      return &reader_.tasks().Begin(*parent, body.tid, clone.sharing, origin);
    }
  }
  if (std::exchange(any_task_, true)) model_.account.Add(Note::kUnknownParent);
  return &reader_.tasks().BeginUnknown(body.tid, origin);
}

// A thread that shows up while several clones are pending waits until one of them names it, unless
// any of them would give it the same tables.
bool StraceImporter::HoldBack(const Body& body) {
  const auto held = held_back_.find(body.tid);
  if (held != held_back_.end()) {
    held->second.push_back({body.tid, body.t_ns, body.lines, std::string(body.text), place_});
    return true;
  }
  if (expecting_child_.size() < 2 || model_.tasks.Find(body.tid) != nullptr) return false;
  const Task* first = model_.tasks.Find(expecting_child_.front());
  const auto alike = [&](std::int64_t tid) {
    const Task* parent = model_.tasks.Find(tid);
    const CloneSharing& sharing = pending_.at(tid).sharing;
    return parent != nullptr && first != nullptr && parent->group == first->group &&
           parent->files == first->files && sharing.descriptors && sharing.directory &&
           sharing.group;
  };
  if (std::ranges::all_of(expecting_child_, alike)) return false;
  model_.account.Add(Note::kHeldBack);
  held_back_[body.tid].push_back({body.tid, body.t_ns, body.lines, std::string(body.text), place_});
  return true;
}

// A clone has returned `child`: what the child did meanwhile can be read now.
void StraceImporter::OnChild(std::int64_t child) {
  auto held = held_back_.extract(child);
  if (!held.empty()) ReplayHeldBack(std::move(held.mapped()));
}

void StraceImporter::ReplayHeldBack(std::vector<KeptBody> bodies) {
  InputState scratch;
  for (const KeptBody& kept : bodies) {
    const Body body{kept.tid, kept.t_ns, kept.lines, kept.text};
    place_ = kept.place;
    if (body.text.starts_with("+++")) {
      OnNotice(body);
    } else {
      OnCall(body, scratch);
    }
    DropTorn(scratch);
  }
}

StreamId StraceImporter::StreamOf(std::int64_t tid) {
  const auto [stream, added] = streams_.try_emplace(tid, kNoId);
  if (added) {
    stream->second =
        model_.builder.AddStream("pid " + std::to_string(std::max<std::int64_t>(tid, 0)));
  }
  return stream->second;
}

// gettid() and the like tell the number of a thread that goes by one of our own.
void StraceImporter::LearnNumber(const Task& task, std::int64_t number) {
  if (task.tid > 0 && task.tid != number) return;
  if (task.stream != kNoId && number > 0) {
    model_.builder.SetStreamLabel(task.stream, "pid " + std::to_string(number));
  }
}

}  // namespace ioflux::strace
