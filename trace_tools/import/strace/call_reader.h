// SPDX-License-Identifier: GPL-2.0-only
//
// CallReader: from the text of one finished call to what it did.
//
// It knows how strace prints the arguments of each call (syscalls.def) and nothing of lines; what a
// call means is the model's business. Each reader says where the lines of its call belong.
//
// Threading: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace_tools/import/model/descriptor_calls.h"
#include "trace_tools/import/model/path_calls.h"
#include "trace_tools/import/model/task_calls.h"
#include "trace_tools/import/model/transfer_calls.h"
#include "trace_tools/import/strace/call_text.h"
#include "trace_tools/import/strace/pending_call.h"
#include "trace_tools/import/strace/syscall_table.h"

namespace ioflux::strace {

struct CallSite {
  Task& task;
  OpOrigin origin;
  const SyscallInfo& info;
  const CallText& call;
  PendingCall* pending = nullptr;  ///< of a call told in two lines
};

class CallReader {
 public:
  explicit CallReader(SourceModel& model);

  /// `site.call` has a result.
  Reason Apply(const CallSite& site);

  /// What must be remembered of a call that has begun: `call` has the arguments so far.
  void Begin(Task& task, const SyscallInfo& info, const CallText& call, PendingCall& pending);
  /// The call is over, or nobody waits for its end any more (`given_up`).
  void End(Task* task, PendingCall& pending, const OpOrigin& origin, bool given_up);

  /// The thread or process that a finished clone, fork or vfork made; kNoTid if none.
  static std::int64_t ChildOf(const SyscallInfo& info, const CallResult& result);

  TaskCalls& tasks() { return tasks_; }

 private:
#define IOFLUX_READER(name) Reason On##name(const CallSite& site);
#include "trace_tools/import/strace/syscall_reader.def"
#undef IOFLUX_READER

  static CloneSharing SharingOf(const SyscallInfo& info, const Arguments& arguments);

  Reason Fail(const CallSite& site);
  void FailedPath(const CallSite& site);

  Reason FinishOpen(const CallSite& site, const DirectoryUse& directory, std::string_view path,
                    std::uint64_t flags);
  Reason AddPair(const CallSite& site, std::size_t index, FileKind kind);
  Reason FinishTransfer(const CallSite& site, DataDirection direction,
                        std::optional<std::uint64_t> offset, std::optional<std::uint64_t> requested,
                        std::uint64_t rwf);
  Reason Vector(const CallSite& site, DataDirection direction, bool positional);
  Reason CopyBetween(const CallSite& site, std::size_t in, std::size_t in_offset, std::size_t out,
                     std::size_t out_offset);
  Reason FinishStat(const CallSite& site, const DirectoryUse& directory, std::string_view path,
                    std::string_view structure);
  Reason FinishRename(const CallSite& site, const std::optional<std::string>& from,
                      const std::optional<std::string>& to, std::uint64_t flags);
  Reason FinishLink(const CallSite& site, const std::optional<std::string>& existing,
                    const std::optional<std::string>& path);

  /// Argument `index` as a descriptor.
  static DescriptorUse Use(const CallSite& site, std::size_t index);
  /// Argument `index` as a path from `directory`, clean; nothing if it cannot be known.
  std::optional<std::string> PathAt(const CallSite& site, const DirectoryUse& directory,
                                    std::size_t index);
  std::optional<std::string> PathAt(const CallSite& site, std::size_t index) {
    return PathAt(site, DirectoryUse{}, index);
  }

  SourceModel& model_;
  OpenFileKeeper keeper_;
  DescriptorCalls descriptors_;
  TransferCalls transfers_;
  PathCalls paths_;
  TaskCalls tasks_;
};

}  // namespace ioflux::strace
