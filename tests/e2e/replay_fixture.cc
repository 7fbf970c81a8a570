// SPDX-License-Identifier: GPL-2.0-only
#include "tests/e2e/replay_fixture.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace ioflux {

std::string EngineLibrary() { return std::string(IOFLUX_BINARY_DIR) + "/lib/libioflux.so"; }

void ReplayFixture::SetUp() {
  if (!std::filesystem::exists(EngineLibrary())) GTEST_SKIP() << "this build has no fio engine";
  if (RunCommand({.argv = {"fio", "--version"}}).exit_code != 0)
    GTEST_SKIP() << "fio is not installed";
}

CommandResult ReplayFixture::Shell(const std::string& command) {
  return Run({"sh", "-c", command});
}

CommandResult ReplayFixture::Run(std::vector<std::string> argv) {
  const std::string bin = std::string(IOFLUX_BINARY_DIR) + "/bin";
  return RunCommand(
      {.argv = std::move(argv),
       .cwd = dir_.path(),
       .env = {{"PATH", bin + ":" + std::getenv("PATH")}, {"IOFLUX_LIBRARY", EngineLibrary()}},
       .timeout = std::chrono::seconds(120)});
}

CommandResult ReplayFixture::MustRun(const std::string& command) {
  const CommandResult result = Shell(command);
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out << result.err;
  return result;
}

void ReplayFixture::MakeTrainingTrace() {
  MustRun(
      "ioflux gen training-read --shards 8 --shard-size 256KiB --record-size 16KiB "
      "--dataloader-workers 4 "
      "-o training.ioflux");
  dir_.Write("local-map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"./ioflux-data/\"\n");
}

std::string ReplayFixture::UntilOpen(const std::string& name) const {
  return "for i in $(seq 300); do ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q ' " + (dir_ / name) +
         "$' && break; sleep 0.1; done; ";
}

JsonValue ReplayFixture::LoadJson(const std::string& name) {
  Result<JsonValue> json = JsonValue::Load(dir_ / name);
  EXPECT_TRUE(json) << Describe(json.error());
  return json ? std::move(json).value() : JsonValue();
}

}  // namespace ioflux
