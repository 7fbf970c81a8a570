// SPDX-License-Identifier: GPL-2.0-only
//
// StraceImporter: a capture made with strace, line by line, into a SourceModel.
//
// It recognises what kind of line each is, puts calls that strace tells in two lines (or that other
// output has torn) together again, finds out which thread a line belongs to, and sees to it that
// each line is counted once. What calls mean is CallReader's business.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "trace_tools/import/model/source_model.h"
#include "trace_tools/import/strace/call_reader.h"
#include "trace_tools/import/strace/capture_lines.h"

namespace ioflux::strace {

class StraceImporter {
 public:
  explicit StraceImporter(ModelOptions options);

  /// Reads all lines. kInput when they are not what strace writes, or carry no times.
  Result<void> Import(CaptureLines& lines);

  /// After Import(): the trace.
  Result<BuiltTrace> Finish();

  const ImportAccount& account() const { return model_.account; }

 private:
  struct LinePlace {
    std::size_t input = 0;
    std::uint64_t line = 0;
  };
  /// A line without its head, and whose it is.
  struct Body {
    std::int64_t tid = kNoTid;
    std::int64_t t_ns = 0;
    std::uint8_t lines = 1;
    std::string_view text;
  };
  /// The same, kept.
  struct KeptBody {
    std::int64_t tid = kNoTid;
    std::int64_t t_ns = 0;
    std::uint8_t lines = 1;
    std::string text;
    LinePlace place;
  };
  struct InputState {
    std::string name;
    bool in_table = false;  ///< between the head of a table of counts and its end
    bool has_torn = false;
    KeptBody torn;
    std::int64_t first_tid = kNoTid;  ///< of lines that do not say, while several tasks live
    bool first_tid_known = false;     ///< false: a number of our own stands for it
  };

  // Kinds of lines (strace_importer.cc).
  void OnLine(const CaptureLine& line);
  bool OnRemark(const CaptureLine& line, InputState& input);
  void OnMessage(std::string_view body, InputState& input);
  bool ContinueTorn(const CaptureLine& line, InputState& input);
  void DropTorn(InputState& input);
  void OnNotice(const Body& body);
  Result<void> JudgeForm(const CaptureLines& lines) const;

  // Calls (import_call.cc).
  void OnCall(const Body& body, InputState& input);
  void OnUnfinished(const Body& body);
  void OnResumed(const Body& body);
  void OnFinished(const Body& body, const CallText& call, PendingCall* pending);
  void OnOtherCall(const Body& body, std::string_view name, Reason reason);
  void GiveUp(std::int64_t tid, Reason reason, std::int64_t t_ns);
  void Count(std::uint16_t syscall, std::string_view name, Reason reason, std::uint64_t lines);
  void CountLines(Reason reason, std::uint64_t lines);

  // Threads (import_thread.cc).
  std::int64_t TidOf(const CaptureLine& line, InputState& input);
  Task* TaskOf(const Body& body);
  bool HoldBack(const Body& body);
  void OnChild(std::int64_t child);
  void LearnNumber(const Task& task, std::int64_t number);
  StreamId StreamOf(std::int64_t tid);
  void ReplayHeldBack(std::vector<KeptBody> bodies);
  Task& TakeOver(std::int64_t from, std::int64_t to);

  SourceModel model_;
  CallReader reader_;
  std::vector<InputState> inputs_;
  LinePlace place_;                                              // of the line at hand
  std::unordered_map<std::int64_t, PendingCall> pending_;        // by tid
  std::vector<std::int64_t> expecting_child_;                    // tids whose clone is pending
  std::map<std::int64_t, std::vector<KeptBody>> held_back_;      // by tid
  std::unordered_set<std::int64_t> announced_;                   // "Process N attached"
  std::unordered_map<std::int64_t, StreamId> streams_;           // by tid
  std::vector<CallCounts> call_counts_;                          // by index of AllSyscalls()
  std::map<std::string, CallCounts, std::less<>> other_counts_;  // of calls not in it
  std::uint64_t timed_calls_ = 0;
  bool any_task_ = false;
};

}  // namespace ioflux::strace
