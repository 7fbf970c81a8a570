// SPDX-License-Identifier: GPL-2.0-only
//
// What the flags of an OPEN become, seen from outside: the system calls of the real fio, on a real
// file system (the build folder, since temporary files may be in memory).
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class OpenFlags : public ReplayFixture {
 protected:
  void SetUp() override {
    ReplayFixture::SetUp();
    if (IsSkipped()) return;
    if (Shell("strace -qq -o /dev/null true").exit_code != 0) {
      GTEST_SKIP() << "strace is not installed or may not trace here";
    }
    const int probe = open((data_ / "probe").c_str(), O_WRONLY | O_CREAT | O_DIRECT, 0600);
    if (probe < 0) GTEST_SKIP() << "no O_DIRECT on the file system of " << data_.path();
    close(probe);
    dir_.Write("map.yaml", "target_rewrite: [{from: '', to: '" + data_.path() + "/'}]\n");
  }

  /// One stream on the targets `d` and `log`, kind of op by kind of op.
  void WriteTrace(const std::vector<std::string>& ops, std::int64_t bytes) {
    std::string text =
        R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","scrubbed":false,)"
        R"("targets":[{"id":0,"name":"d","kind":"file","size":0},)"
        R"({"id":1,"name":"log","kind":"file","size":0}],"summary":{"num_ops":)" +
        std::to_string(ops.size()) + R"(,"num_streams":1,"num_groups":0,"total_bytes":)" +
        std::to_string(bytes) + R"(,"duration_ns":1}})" + "\n";
    for (std::size_t i = 0; i < ops.size(); ++i) {
      text += R"({"t":1,"op_id":)" + std::to_string(i) + R"(,"s":0,)" + ops[i] + "}\n";
    }
    dir_.Write("t.ioflux", text);
  }

  /// Replays the trace under strace; the calls on targets in order, without data and path of the
  /// folder.
  std::vector<std::string> CallsOf(const std::string& flags) {
    MustRun("strace -ff -y -qq -s 0 -o calls -e trace=openat2,pread64,pwrite64,fsync,fadvise64,fcntl,"
            "sync_file_range,close ioflux run --trace t.ioflux --engine local --target-root " +
            data_.path() + " --target-map map.yaml -o r.json " + flags);
    std::vector<std::string> calls;
    for (const auto& file : std::filesystem::directory_iterator(dir_.path())) {
      if (file.path().filename().string().rfind("calls.", 0) != 0) continue;
      std::istringstream lines(ReadFileForTest(file.path()));
      for (std::string line; std::getline(lines, line);) {
        for (const std::string name : {"d", "log"}) {
          const std::size_t path = line.find(data_.path() + "/" + name + ">");
          if (path == std::string::npos) continue;
          calls.push_back(line);
        }
      }
    }
    return calls;
  }

  std::vector<std::string> Limitations() {
    const JsonValue list = LoadJson("r.json").GetObject("run_env").value()
                               .GetArray("engine_limitations").value();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list.At(i).AsString());
    return texts;
  }

  TempDir data_{IOFLUX_BINARY_DIR};
};

}  // namespace
}  // namespace ioflux
