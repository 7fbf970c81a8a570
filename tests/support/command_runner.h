// SPDX-License-Identifier: GPL-2.0-only
//
// Runs a program for a test and captures everything it says.
//
//   const CommandResult result = RunIoflux({"gen", "training-read", "-o", dir / "t.ioflux"});
//   EXPECT_EQ(result.exit_code, 0) << result.err;
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace ioflux {

struct Command {
  std::vector<std::string> argv;             ///< argv[0] is looked up on the PATH
  std::string cwd{};                         ///< empty: that of the test
  std::map<std::string, std::string> env{};  ///< added to, or replacing, the test's own
  std::string stdin_text{};                  ///< then end of file
  std::chrono::seconds timeout{60};          ///< then the whole process group is killed
};

struct CommandResult {
  int exit_code = -1;  ///< -1 when it was killed or could not be started
  int signal = 0;      ///< that killed it
  bool timed_out = false;
  std::string out;
  std::string err;
};

CommandResult RunCommand(const Command& command);

/// Path of the `ioflux` of this build.
std::string IofluxBinary();

/// The `ioflux` of this build with `arguments`; `rest` gives everything else (its argv is ignored).
CommandResult RunIoflux(std::vector<std::string> arguments, Command rest = {.argv = {}});

}  // namespace ioflux
