// SPDX-License-Identifier: GPL-2.0-only
//
// The temporary files of a run where memory for them is short: another place, or a clear error.
#include <gtest/gtest.h>

#include "tests/e2e/replay_fixture.h"

namespace ioflux {
namespace {

class ScratchRoom : public ReplayFixture {
 protected:
  /// Runs `command` where /dev/shm has 64 KiB, a mount that only it sees.
  CommandResult WithSmallShm(const std::string& command) {
    dir_.Write("small-shm", "mount -t tmpfs -o size=64k none /dev/shm && " + command + "\n");
    return Shell("unshare --mount sh small-shm");
  }

  bool CanMount() { return WithSmallShm("true").exit_code == 0; }
};

TEST_F(ScratchRoom, AFullShmIsLeftForTheFolderOfTemporaryFiles) {
  if (!CanMount()) GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  MakeTrainingTrace();
  MustRun("mkdir tmp");

  const CommandResult run = WithSmallShm(
      "TMPDIR=$PWD/tmp ioflux run --trace training.ioflux -o r.json && ls -A /dev/shm tmp");

  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(LoadJson("r.json").GetBool("complete").value());
  EXPECT_EQ(run.out.find("ioflux-"), std::string::npos) << "left behind: " << run.out;
}

TEST_F(ScratchRoom, WithoutAnyTheRunIsRefusedWithBothPlaces) {
  if (!CanMount()) GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  MakeTrainingTrace();

  const CommandResult run =
      WithSmallShm("TMPDIR=/dev/shm ioflux run --trace training.ioflux -o r.json");

  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.signal, 0);
  EXPECT_NE(run.err.find("no room for the temporary files of a run"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("/dev/shm: No space left on device"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("try: free space there, or set TMPDIR"), std::string::npos) << run.err;
}

// A plain fio with the setting: the mapped file has its space before anyone writes to it.
TEST_F(ScratchRoom, AProgressFileThatDoesNotFitIsAnErrorNotASignal) {
  if (!CanMount()) GTEST_SKIP() << "a small file system cannot be mounted here (not root)";
  MakeTrainingTrace();

  const CommandResult fio = WithSmallShm(
      "head -c 65536 /dev/zero >/dev/shm/full; fio --name=stream --numjobs=4 --thread "
      "--ioengine=external:$IOFLUX_LIBRARY --trace=training.ioflux --progress_file=/dev/shm/p");

  EXPECT_NE(fio.exit_code, 0) << fio.out << fio.err;
  EXPECT_EQ(fio.signal, 0);
  EXPECT_NE(fio.err.find("cannot create the progress file: No space left on device"),
            std::string::npos)
      << fio.err;
}

}  // namespace
}  // namespace ioflux
