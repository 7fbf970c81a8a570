// SPDX-License-Identifier: GPL-2.0-only
//
// The `cache` member of a side file (docs/side-file.md), the joining of those of several processes,
// and what a result makes of it. Passive data; nanoseconds and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cache_evidence.h"

namespace ioflux {

/// Totals of one device since it is there.
struct SideFileDevice {
  std::string number;
  std::string name;
  std::int64_t read_bytes_before = 0;
  std::int64_t read_bytes_after = 0;
  std::int64_t written_bytes_before = 0;
  std::int64_t written_bytes_after = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("number", self.number);
    archive.Required("name", self.name);
    archive.Required("read_bytes_before", self.read_bytes_before);
    archive.Required("read_bytes_after", self.read_bytes_after);
    archive.Required("written_bytes_before", self.written_bytes_before);
    archive.Required("written_bytes_after", self.written_bytes_after);
  }
};

struct SideFileDeviceBytes {
  std::string not_measured;
  std::optional<std::int64_t> process_read_bytes;
  std::optional<std::int64_t> process_written_bytes;
  std::vector<SideFileDevice> devices;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("not_measured", self.not_measured);
    archive.Optional("process_read_bytes", self.process_read_bytes);
    archive.Optional("process_written_bytes", self.process_written_bytes);
    archive.Required("devices", self.devices);
  }
};

struct SideFileCache {
  std::string mode;
  std::vector<std::string> actions;
  std::vector<std::string> limitations;
  std::int64_t primed = 0;  ///< targets read whole before the run
  std::int64_t duration_ns = 0;
  ResidencyEvidence residency;
  SideFileDeviceBytes device;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("mode", self.mode);
    archive.Required("actions", self.actions);
    archive.Required("limitations", self.limitations);
    archive.Required("primed", self.primed);
    archive.Required("duration_ns", self.duration_ns);
    archive.Required("residency", self.residency);
    archive.Required("device", self.device);
  }
};

/// Adds another process of the same run. The cache is brought into its state once, before the
/// processes part; what they transfer adds up; the end is that of the one that ends last.
void JoinCache(SideFileCache& sum, const SideFileCache& part, bool part_ends_later);

CacheEvidence EvidenceOf(const SideFileCache& cache);

}  // namespace ioflux
