// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/device_bytes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

FileSystem SystemOf(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY);
  struct stat status {};
  fstat(descriptor, &status);
  const FileSystem system = FileSystemOf(descriptor, status.st_dev);
  close(descriptor);
  return system;
}

FileSystem OnBlockDevice(const std::string& number) {
  FileSystem system;
  system.type = "ext4";
  system.block_device = number;
  system.block_name = "sda1";
  return system;
}

TEST(DeviceBytes, WithoutABlockDeviceIsNotMeasuredAndNamesTheFileSystem) {
  FileSystem overlay;
  overlay.type = "overlay";
  DeviceBytes bytes({overlay});
  bytes.Begin();
  bytes.End();
  EXPECT_EQ(bytes.not_measured(), "overlay has no block device of its own");
  EXPECT_FALSE(bytes.process());
  EXPECT_TRUE(bytes.devices().empty());
}

TEST(DeviceBytes, OneFileSystemInMemoryMakesTheWholeUnmeasured) {
  FileSystem memory;
  memory.type = "tmpfs";
  memory.in_memory = true;
  DeviceBytes bytes({OnBlockDevice("8:1"), memory});
  bytes.Begin();
  bytes.End();
  EXPECT_NE(bytes.not_measured().find("tmpfs"), std::string::npos);
  EXPECT_FALSE(bytes.process());
}

TEST(DeviceBytes, NoTargetMeansNoFileSystemToAsk) {
  EXPECT_FALSE(DeviceBytes(std::vector<FileSystem>{}).not_measured().empty());
}

TEST(DeviceBytes, ADeviceWithoutCountersIsLeftOut) {
  DeviceBytes bytes({OnBlockDevice("4095:1048575")});
  bytes.Begin();
  bytes.End();
  EXPECT_TRUE(bytes.devices().empty());
  EXPECT_EQ(bytes.process().has_value(), BytesOfProcess().has_value());
}

TEST(DeviceBytes, AWriteThatReachesTheDeviceIsCountedForProcessAndDevice) {
  const TempDir dir;
  const FileSystem system = SystemOf(dir.path());
  if (system.block_device.empty()) GTEST_SKIP() << system.type << " has no block device";
  if (!BytesOfProcess()) GTEST_SKIP() << "no /proc/self/io here";
  DeviceBytes bytes({system});
  bytes.Begin();
  const int descriptor = open((dir / "a").c_str(), O_CREAT | O_WRONLY, 0600);
  const std::string text(1 << 20, 'x');
  ASSERT_EQ(write(descriptor, text.data(), text.size()), 1 << 20);
  fsync(descriptor);
  close(descriptor);

  bytes.End();

  ASSERT_TRUE(bytes.process());
  EXPECT_GE(bytes.process()->written, 1 << 20);
  ASSERT_EQ(bytes.devices().size(), 1U);
  EXPECT_EQ(bytes.devices()[0].number, system.block_device);
  EXPECT_GE(bytes.devices()[0].after.written - bytes.devices()[0].before.written, 1 << 20);
}

TEST(FileSystemOf, ProcIsNoBlockDeviceAndHasItsName) {
  const FileSystem system = SystemOf("/proc");
  EXPECT_EQ(system.type, "proc");
  EXPECT_EQ(system.block_device, "");
  EXPECT_FALSE(system.in_memory);
}

TEST(FileSystemOf, TmpfsIsInMemory) {
  struct stat status {};
  if (stat("/dev/shm", &status) != 0) GTEST_SKIP() << "no /dev/shm";
  const FileSystem system = SystemOf("/dev/shm");
  if (system.type != "tmpfs") GTEST_SKIP() << "/dev/shm is " << system.type;
  EXPECT_TRUE(system.in_memory);
}

}  // namespace
}  // namespace ioflux
