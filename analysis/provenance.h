// SPDX-License-Identifier: GPL-2.0-only
//
// Where a result comes from: the program, the machine, the file system under it. Passive data; the
// facts themselves are collected by the caller. What could not be found out stays empty and is left
// out of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cache_evidence.h"

namespace ioflux {

/// The program that made the result.
struct ToolIdentity {
  std::string version;   ///< "0.1.0"
  std::string revision;  ///< commit it was built from

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("version", self.version);
    archive.Optional("revision", self.revision);
  }
};

struct HostIdentity {
  std::string hostname;
  std::string os;    ///< "linux"
  std::string arch;  ///< "amd64"
  std::int64_t cpus = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("hostname", self.hostname);
    archive.Optional("os", self.os);
    archive.Optional("arch", self.arch);
    archive.Optional("cpus", self.cpus);
  }
};

/// The state the caches were in, and what could not be reproduced.
struct RunEnvironment {
  std::string cache_mode;
  std::vector<std::string> cache_actions;
  std::vector<std::string> cache_limitations;
  std::vector<std::string> engine_limitations;
  std::optional<CacheEvidence> cache_evidence;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("cache_mode", self.cache_mode);
    archive.Optional("cache_actions", self.cache_actions);
    archive.Optional("cache_limitations", self.cache_limitations);
    archive.Optional("engine_limitations", self.engine_limitations);
    archive.Optional("cache_evidence", self.cache_evidence);
  }
};

/// What the numbers depend on beside the trace and the settings.
struct HostEnvironment {
  std::string kernel;           ///< "Linux 6.1.0-18-amd64"
  std::string filesystem_type;  ///< of the target root: "ext4"
  std::string mount_point;
  std::string mount_options;
  std::string device;  ///< "/dev/nvme0n1p2"
  std::string device_model;
  std::string device_scheduler;  ///< "none"
  std::int64_t device_queue_depth = 0;
  std::string cpu_model;
  std::string cpu_governor;  ///< "performance"
  std::int64_t memory_bytes = 0;
  std::int64_t memory_limit_bytes = 0;  ///< of the control group, 0 = none
  std::string cpu_limit;                ///< of the control group: "200000 100000"

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("kernel", self.kernel);
    archive.Optional("filesystem_type", self.filesystem_type);
    archive.Optional("mount_point", self.mount_point);
    archive.Optional("mount_options", self.mount_options);
    archive.Optional("device", self.device);
    archive.Optional("device_model", self.device_model);
    archive.Optional("device_scheduler", self.device_scheduler);
    archive.Optional("device_queue_depth", self.device_queue_depth);
    archive.Optional("cpu_model", self.cpu_model);
    archive.Optional("cpu_governor", self.cpu_governor);
    archive.Optional("memory_bytes", self.memory_bytes);
    archive.Optional("memory_limit_bytes", self.memory_limit_bytes);
    archive.Optional("cpu_limit", self.cpu_limit);
  }
};

/// Which file was replayed. Its content is identified by plan.trace_digest.
struct TraceIdentity {
  std::int64_t format_version = 0;
  std::int64_t file_bytes = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t inode = 0;
  std::int64_t device = 0;
  std::int64_t num_groups = 0;
  std::int64_t duration_ns = 0;  ///< recorded time of the last operation

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("format_version", self.format_version);
    archive.Required("file_bytes", self.file_bytes);
    archive.Required("mtime_ns", self.mtime_ns);
    archive.Required("inode", self.inode);
    archive.Required("device", self.device);
    archive.Required("num_groups", self.num_groups);
    archive.Required("duration_ns", self.duration_ns);
  }
};

}  // namespace ioflux
