// SPDX-License-Identifier: GPL-2.0-only
//
// ReplayFixture: a folder to replay in, with the real fio and the engine of this build. Tests that
// need them are skipped, with the reason, where they are missing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json_value.h"
#include "tests/support/command_runner.h"
#include "tests/support/temp_dir.h"

namespace ioflux {

class ReplayFixture : public testing::Test {
 protected:
  void SetUp() override;

  /// `command` in the folder, by a shell that finds this build's ioflux first and knows
  /// IOFLUX_LIBRARY.
  CommandResult Shell(const std::string& command);
  /// `argv` in the folder, in the same environment, without a shell.
  CommandResult Run(std::vector<std::string> argv);
  /// As Shell(); a failure of the command is a failure of the test.
  CommandResult MustRun(const std::string& command);

  /// A small training trace, 4 streams, with the map of the README, in the folder.
  void MakeTrainingTrace();

  /// Shell text that waits, half a minute at most, until some process has `name` in the folder open.
  std::string UntilOpen(const std::string& name) const;

  JsonValue LoadJson(const std::string& name);

  TempDir dir_;
};

/// Path of the engine of this build.
std::string EngineLibrary();

}  // namespace ioflux
