// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/file_system.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ioflux {
namespace {

std::string NumberOf(std::uint64_t device) {
  return std::to_string(major(device)) + ":" + std::to_string(minor(device));
}

bool IsInMemory(std::uint64_t magic) {
  return magic == TMPFS_MAGIC || magic == RAMFS_MAGIC || magic == HUGETLBFS_MAGIC;
}

/// Type and source of the mount of `device`; both empty when no mount shows it.
void FindMount(const std::string& device, std::string* type, std::string* source) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // id parent major:minor root mount-point options ... - type source super-options
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string number;
    words >> id >> parent >> number;
    if (number != device) continue;
    for (std::string word; words >> word && word != "-";) {
    }
    words >> *type >> *source;
    return;
  }
}

bool IsBlockDevice(const std::string& number) {
  std::error_code ignored;
  return std::filesystem::exists("/sys/dev/block/" + number, ignored);
}

}  // namespace

FileSystem FileSystemOf(int descriptor, std::uint64_t device) {
  FileSystem found;
  found.device = device;
  std::string source;
  FindMount(NumberOf(device), &found.type, &source);
  struct statfs figures {};
  const std::uint64_t magic =
      fstatfs(descriptor, &figures) == 0 ? static_cast<std::uint32_t>(figures.f_type) : 0;
  found.in_memory = IsInMemory(magic);
  if (found.type.empty()) {
    char text[32];
    std::snprintf(text, sizeof text, "file system 0x%llx", static_cast<unsigned long long>(magic));
    found.type = text;
  }
  struct stat status {};
  if (IsBlockDevice(NumberOf(device))) {
    found.block_device = NumberOf(device);
  } else if (source.starts_with("/dev/") && stat(source.c_str(), &status) == 0 &&
             S_ISBLK(status.st_mode) && IsBlockDevice(NumberOf(status.st_rdev))) {
    // btrfs numbers its files by subvolume and not by device.
    found.block_device = NumberOf(status.st_rdev);
  }
  if (!found.block_device.empty()) {
    std::error_code ignored;
    found.block_name =
        std::filesystem::canonical("/sys/dev/block/" + found.block_device, ignored).filename();
  }
  return found;
}

}  // namespace ioflux
