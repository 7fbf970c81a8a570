// SPDX-License-Identifier: GPL-2.0-only
//
// FileSystem: what the file system of an open file can tell about caches and devices.
//
// Threading: any thread. Looked up in /proc/self/mountinfo and /sys, so once per file system, not
// per file.
#pragma once

#include <cstdint>
#include <string>

namespace ioflux {

struct FileSystem {
  std::uint64_t device = 0;  ///< st_dev of its files
  std::string type;          ///< "ext4"; "file system 0x…" when no mount shows it
  bool in_memory = false;    ///< its files are in the page cache and nowhere else
  std::string block_device;  ///< "254:0"; empty when it is not on one
  std::string block_name;    ///< "vda"
};

/// Of the file behind `descriptor`, whose st_dev is `device`.
FileSystem FileSystemOf(int descriptor, std::uint64_t device);

}  // namespace ioflux
