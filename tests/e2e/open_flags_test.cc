// SPDX-License-Identifier: GPL-2.0-only
//
// What the flags of an OPEN become, seen from outside: the system calls of the real fio, on a real
// file system (the build folder, since temporary files may be in memory).
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

  /// Replays the trace under strace; the calls on the targets in order, as `name(rest`, without
  /// data, paths and numbers of descriptors.
  std::vector<std::string> CallsOf(const std::string& flags) {
    MustRun(
        "strace -ff -y -qq -s 0 -o calls -e trace=openat2,pread64,pwrite64,fsync,fadvise64,fcntl,"
        "sync_file_range,close ioflux run --trace t.ioflux --engine local --target-root " +
        data_.path() + " --target-map map.yaml --cache-mode none -o r.json " + flags);
    const std::regex target("<" + data_.path() + "/(d|log)>");
    const std::regex clutter(R"(\d*<[^>]*>,? ?|""\.\.\., |, mode=0644|, resolve=[A-Z_|]*|, 24)");
    std::vector<std::string> calls;
    for (const auto& file : std::filesystem::directory_iterator(dir_.path())) {
      // One file per thread; the stream is one thread.
      if (file.path().filename().string().rfind("calls.", 0) != 0) continue;
      std::istringstream lines(ReadFileForTest(file.path()));
      for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, target)) calls.push_back(std::regex_replace(line, clutter, ""));
      }
    }
    return calls;
  }

  std::vector<std::string> Limitations() {
    const JsonValue list =
        LoadJson("r.json").GetObject("run_env").value().GetArray("engine_limitations").value();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list.At(i).AsString().value());
    return texts;
  }

  TempDir data_{IOFLUX_BINARY_DIR};
};

TEST_F(OpenFlags, U8_AlignedDirectOperationsAreOneCallEachWithNothingReadBefore) {
  WriteTrace(
      {R"("op":"OPEN","tgt":0,"h":1,"mode":"rw","flags":["create","direct"])",
       R"("op":"WRITE","h":1,"off":0,"len":65536)", R"("op":"WRITE","h":1,"off":65536,"len":4096)",
       R"("op":"WRITE","h":1,"off":4096,"len":4096)", R"("op":"READ","h":1,"off":0,"len":65536)",
       R"("op":"FSYNC","h":1)", R"("op":"CLOSE","h":1)"},
      139264);

  EXPECT_THAT(CallsOf("--allow-direct"),
              ElementsAre("openat2(\"d\", {flags=O_RDWR|O_CREAT|O_DIRECT|O_CLOEXEC}) = ",
                          "pwrite64(65536, 0) = 65536", "pwrite64(4096, 65536) = 4096",
                          "pwrite64(4096, 4096) = 4096", "pread64(65536, 0) = 65536", "fsync() = 0",
                          "close() = 0"));
  EXPECT_THAT(Limitations(), Not(Contains(HasSubstr("unaligned"))));
}

TEST_F(OpenFlags, U8_UnalignedDirectOperationsKeepToTheirBytesAndAreReported) {
  WriteTrace(
      {R"("op":"OPEN","tgt":0,"h":1,"mode":"rw","flags":["create","direct"])",
       R"("op":"WRITE","h":1,"off":0,"len":65536)", R"("op":"WRITE","h":1,"off":100,"len":50)",
       R"("op":"READ","h":1,"off":5000,"len":100)", R"("op":"CLOSE","h":1)"},
      65686);

  // A given alignment, so that the window does not depend on the device.
  EXPECT_THAT(CallsOf("--allow-direct --direct-align 4096"),
              ElementsAre("openat2(\"d\", {flags=O_RDWR|O_CREAT|O_DIRECT|O_CLOEXEC}) = ",
                          "pwrite64(65536, 0) = 65536", "fcntl(F_SETFL, O_RDONLY) = 0",
                          "pwrite64(50, 100) = 50",
                          "sync_file_range(0, 4096, SYNC_FILE_RANGE_WAIT_BEFORE|"
                          "SYNC_FILE_RANGE_WRITE|SYNC_FILE_RANGE_WAIT_AFTER) = 0",
                          "fadvise64(0, 4096, POSIX_FADV_DONTNEED) = 0",
                          "fcntl(F_SETFL, O_RDONLY|O_DIRECT) = 0", "pread64(4096, 4096) = 4096",
                          "close() = 0"));
  EXPECT_THAT(Limitations(), Contains(HasSubstr("2 of 3 direct op(s) were unaligned")));
  EXPECT_EQ(std::filesystem::file_size(data_ / "d"), 65536U);
}

TEST_F(OpenFlags, U7_FlagsAreHonouredOrListedWithTheirCount) {
  WriteTrace(
      {R"("op":"OPEN","tgt":0,"h":1,"mode":"w","flags":["create","trunc","direct","seq"])",
       R"("op":"WRITE","h":1,"off":100,"len":50)", R"("op":"CLOSE","h":1)",
       R"("op":"OPEN","tgt":1,"h":2,"mode":"rw","flags":["create","append","sync","rand","odd"])",
       R"("op":"WRITE","h":2,"off":10,"len":10)", R"("op":"CLOSE","h":2)"},
      60);

  EXPECT_THAT(
      CallsOf(""),
      ElementsAre("openat2(\"d\", {flags=O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC}) = ",
                  "fadvise64(0, 0, POSIX_FADV_SEQUENTIAL) = 0", "pwrite64(50, 100) = 50",
                  "close() = 0", "openat2(\"log\", {flags=O_RDWR|O_CREAT|O_SYNC|O_CLOEXEC}) = ",
                  "fadvise64(0, 0, POSIX_FADV_RANDOM) = 0", "pwrite64(10, 10) = 10",
                  "close() = 0"));
  EXPECT_THAT(Limitations(), Contains(HasSubstr("'direct' of 1 op(s): opened buffered")));
  EXPECT_THAT(Limitations(), Contains(HasSubstr("'append' of 1 op(s): written at the recorded")));
  EXPECT_THAT(Limitations(), Contains(HasSubstr("'odd' of 1 op(s): no effect")));
}

TEST_F(OpenFlags, AnAlignmentThatIsNoPowerOfTwoIsWrongUsage) {
  WriteTrace({R"("op":"STAT","tgt":0)"}, 0);
  const CommandResult run = Shell("ioflux run --trace t.ioflux -o r.json --direct-align 3000");
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--direct-align 2048"));
}

}  // namespace
}  // namespace ioflux
