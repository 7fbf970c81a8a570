// SPDX-License-Identifier: GPL-2.0-only
//
// Exit codes (exit_code.def) and which kind of error ends with which.
#pragma once

#include <string>

#include "base/error.h"

namespace ioflux {

enum ExitCode : int {
#define IOFLUX_EXIT_CODE(name, number, meaning) kExit##name = number,
#include "cli/exit_code.def"
#undef IOFLUX_EXIT_CODE
};

/// Usage and I/O errors end with 2, everything else with 1.
constexpr ExitCode ExitCodeOf(ErrorKind kind) {
  return kind == ErrorKind::kUsage || kind == ErrorKind::kIo ? kExitUsage : kExitRefused;
}

/// "Exit status: 0 good, 1 refused or failed, …", for the end of each --help.
std::string ExitCodeHelp();

}  // namespace ioflux
