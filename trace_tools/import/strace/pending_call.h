// SPDX-License-Identifier: GPL-2.0-only
//
// PendingCall: a call that strace has shown the beginning of (`<unfinished ...>`). Passive data.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "trace_tools/import/model/open_file.h"
#include "trace_tools/import/model/task_table.h"
#include "trace_tools/import/strace/line_head.h"

namespace ioflux::strace {

struct PendingCall {
  static constexpr std::size_t kPins = 3;

  std::uint16_t syscall = 0;  ///< index into AllSyscalls()
  std::string name;           ///< as written
  std::string text;           ///< `name(` and the arguments so far; empty if nobody needs them
  std::int64_t t_ns = 0;
  std::uint8_t lines = 0;
  std::array<OpenFilePtr, kPins> pins;  ///< what descriptor arguments meant at the beginning
  OpenFilePtr detached;                 ///< what close() has taken from the table

  bool makes_task = false;  ///< clone, fork, vfork
  CloneSharing sharing;
  std::int64_t child = kNoTid;  ///< the task it is taken to have made
};

}  // namespace ioflux::strace
