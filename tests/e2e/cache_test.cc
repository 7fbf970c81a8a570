// SPDX-License-Identifier: GPL-2.0-only
//
// The cache mode as a fact: what the kernel counted for the fio process, against what the data on
// the file system of the build folder takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kFiles = 4;
constexpr std::int64_t kFileBytes = 1'000'001;  // not a whole number of pages
constexpr std::int64_t kPageBytes = 4096;
constexpr std::int64_t kPages = kFiles * ((kFileBytes + kPageBytes - 1) / kPageBytes);

class CacheMode : public ReplayFixture {
 protected:
  void SetUp() override {
    ReplayFixture::SetUp();
    if (IsSkipped()) return;
    if (sysconf(_SC_PAGESIZE) != kPageBytes) GTEST_SKIP() << "pages are not 4 KiB here";
    WriteTrace();
    data_ = std::string(IOFLUX_BINARY_DIR) + "/tests/cache-XXXXXX";
    ASSERT_NE(mkdtemp(data_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(data_); }

  /// Each stream reads a file of its own, whole.
  void WriteTrace() const {
    std::string targets;
    std::string ops;
    for (int i = 0; i < kFiles; ++i) {
      const std::string n = std::to_string(i);
      targets += (i == 0 ? "" : ",") + ("{\"id\":" + n + ",\"name\":\"f" + n) +
                 "\",\"kind\":\"file\",\"size\":" + std::to_string(kFileBytes) + "}";
      const auto op = [&](int id, const std::string& rest) {
        ops +=
            "{\"t\":0,\"op_id\":" + std::to_string(3 * i + id) + ",\"s\":" + n + "," + rest + "}\n";
      };
      op(0, R"("op":"OPEN","tgt":)" + n + R"(,"h":)" + n + R"(,"mode":"r")");
      op(1, R"("op":"READ","h":)" + n + R"(,"off":0,"len":)" + std::to_string(kFileBytes));
      op(2, R"("op":"CLOSE","h":)" + n);
    }
    dir_.Write(
        "t.ioflux",
        R"({"ioflux_trace_version":1,"kind":"synthetic","time_unit":"ns","capture_method":"synthetic",)"
        R"("scrubbed":false,"targets":[)" +
            targets + R"(],"summary":{"num_ops":12,"num_streams":4,"num_groups":0,"total_bytes":)" +
            std::to_string(kFiles * kFileBytes) + R"(,"duration_ns":0,"num_partial_reads":0}})" +
            "\n" + ops);
  }

  JsonValue Run(const std::string& root, const std::string& mode) {
    dir_.Write("map.yaml", "target_rewrite:\n  - from: \"\"\n    to: \"" + root + "/\"\n");
    MustRun("ioflux run --trace t.ioflux --engine local --target-map map.yaml --target-root " +
            root + " --prepare materialize-synthetic --cache-mode " + mode + " -o r.json");
    return LoadJson("r.json").GetObject("run_env").value();
  }

  static JsonValue Evidence(const JsonValue& environment, const std::string& of) {
    return environment.GetObject("cache_evidence").value().GetObject(of).value();
  }

  /// Whether the kernel tells what the file system of the build folder reads from its device.
  static bool Measured(const JsonValue& environment) {
    return Evidence(environment, "device").Has("process_read_bytes") &&
           Evidence(environment, "residency").Has("at_start");
  }

  static std::int64_t Resident(const JsonValue& environment, const std::string& moment) {
    const JsonValue share = Evidence(environment, "residency").GetObject(moment).value();
    EXPECT_EQ(share.GetInt("pages").value(), kPages) << moment;
    return share.GetInt("resident_pages").value();
  }

  std::string data_;
};

TEST_F(CacheMode, AColdRunReadsEveryPageFromTheDevice) {
  const JsonValue run = Run(data_, "cold");
  if (!Measured(run)) GTEST_SKIP() << Evidence(run, "device").DumpCompact();

  EXPECT_EQ(run.GetString("cache_mode").value(), "cold");
  EXPECT_EQ(Resident(run, "found"), kPages) << "just written";
  EXPECT_EQ(Resident(run, "at_start"), 0);
  EXPECT_EQ(Resident(run, "at_end"), kPages);
  EXPECT_EQ(Evidence(run, "device").GetInt("process_read_bytes").value(), kPages * kPageBytes);
  EXPECT_THAT(MustRun("ioflux report r.json").out,
              HasSubstr("Cache: cold; resident pages 0/980 (0.0%) at the start"));
}

TEST_F(CacheMode, AWarmRunReadsNothingFromTheDevice) {
  Run(data_, "cold");
  const JsonValue run = Run(data_, "warm");
  if (!Measured(run)) GTEST_SKIP() << Evidence(run, "device").DumpCompact();

  EXPECT_EQ(Resident(run, "at_start"), kPages);
  EXPECT_EQ(Evidence(run, "device").GetInt("process_read_bytes").value(), 0);
  const JsonValue plan = LoadJson("r.json").GetObject("plan").value();
  EXPECT_EQ(plan.GetInt("prepare_kept").value(), kFiles);
  EXPECT_TRUE(plan.GetBool("prepare_touched_same_data").value()) << "priming reads it";
}

TEST_F(CacheMode, ProcessJobsCountTheirOwnBytesEach) {
  if (!Measured(Run(data_, "cold"))) GTEST_SKIP() << "the device is not measured here";
  MustRun(
      "fio --output=/dev/null --name=stream --numjobs=4 --ioengine=external:$IOFLUX_LIBRARY "
      "--trace=t.ioflux --backend=local --target_map=map.yaml --target_root=" +
      data_ + " --cache_mode=cold --side_file=side");
  for (int job = 1; job <= kFiles; ++job) {
    const JsonValue device = LoadJson("side." + std::to_string(job) + ".json")
                                 .GetObject("cache")
                                 .value()
                                 .GetObject("device")
                                 .value();
    EXPECT_EQ(device.GetInt("process_read_bytes").value(), kPages / kFiles * kPageBytes) << job;
  }
}

TEST_F(CacheMode, OnTmpfsNothingIsMeasuredAndItSaysWhy) {
  std::string root = "/dev/shm/ioflux-e2e-XXXXXX";
  if (mkdtemp(root.data()) == nullptr) GTEST_SKIP() << "no /dev/shm to write to";
  const JsonValue run = Run(root, "cold");
  std::filesystem::remove_all(root);

  for (const char* of : {"residency", "device"}) {
    const JsonValue evidence = Evidence(run, of);
    EXPECT_THAT(evidence.GetString("not_measured").value(), HasSubstr("memory")) << of;
    for (const char* figure : {"found", "at_start", "at_end", "process_read_bytes", "devices"})
      EXPECT_FALSE(evidence.Has(figure)) << of << " " << figure;
  }
  EXPECT_THAT(MustRun("ioflux report r.json").out, HasSubstr("not measured (tmpfs keeps"));
}

TEST_F(CacheMode, U18_AnUnknownModeIsAUsageError) {
  const CommandResult cache = Shell("ioflux run --trace t.ioflux --cache-mode hot -o r.json");
  EXPECT_EQ(cache.exit_code, 2);
  EXPECT_THAT(cache.err, HasSubstr("'hot' is not a value of --cache-mode"));
  const CommandResult prepare = Shell("ioflux run --trace t.ioflux --prepare copy -o r.json");
  EXPECT_EQ(prepare.exit_code, 2);
  const CommandResult rootless =
      Shell("ioflux run --trace t.ioflux --prepare materialize-from-source -o r.json");
  EXPECT_EQ(rootless.exit_code, 2);
}

}  // namespace
}  // namespace ioflux
