// SPDX-License-Identifier: GPL-2.0-only
//
// LaunchFio: runs fio on a job file, waits for it, keeps what it said.
//
// fio gets a process group of its own, so that Ctrl-C reaches it only through us, once: `stop` is
// asked several times a second, and when it turns non-zero fio gets a SIGINT, upon which it ends
// its jobs and still writes its results. A second request (the value rises) kills it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ioflux {

struct FioInvocation {
  std::string fio = "fio";  ///< program, looked up in PATH
  std::string job_file;
  std::string json_path;      ///< where fio's JSON+ goes
  std::string messages_path;  ///< where its standard error and output go
};

struct FioEnd {
  std::vector<std::string> command;
  int exit_status = -1;  ///< -1 when a signal ended it
  int signal = 0;
  std::string messages;  ///< standard error, at most the last 64 KiB
};

/// `tick` is called about ten times a second while fio runs. kUnsupported when fio cannot be
/// started.
Result<FioEnd> LaunchFio(const FioInvocation& run, const std::function<void()>& tick,
                         const std::function<int()>& stop);

}  // namespace ioflux
