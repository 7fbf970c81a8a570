// SPDX-License-Identifier: GPL-2.0-only
//
// What is known about the page cache and the devices of a run (docs/results.md, cache_evidence).
// Passive data; bytes and pages. What was not measured is absent, with the reason; 0 is a figure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ioflux {

/// Pages of all targets at one moment.
struct ResidencyFigures {
  std::int64_t targets = 0;
  std::int64_t pages = 0;
  std::int64_t resident_pages = 0;
  std::string worst_target;  ///< furthest from what the mode wants; empty when none is off
  std::int64_t worst_pages = 0;
  std::int64_t worst_resident_pages = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("targets", self.targets);
    archive.Required("pages", self.pages);
    archive.Required("resident_pages", self.resident_pages);
    archive.Optional("worst_target", self.worst_target);
    archive.Optional("worst_pages", self.worst_pages);
    archive.Optional("worst_resident_pages", self.worst_resident_pages);
  }
};

struct ResidencyEvidence {
  std::string method;  ///< cachestat or mincore
  std::int64_t page_bytes = 0;
  std::string not_measured;               ///< why there are no figures
  std::string end_not_measured;           ///< why there are none of the end
  std::optional<ResidencyFigures> found;  ///< before the cache recipe
  std::optional<ResidencyFigures> at_start;
  std::optional<ResidencyFigures> at_end;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("method", self.method);
    archive.Required("page_bytes", self.page_bytes);
    archive.Optional("not_measured", self.not_measured);
    archive.Optional("end_not_measured", self.end_not_measured);
    archive.Optional("found", self.found);
    archive.Optional("at_start", self.at_start);
    archive.Optional("at_end", self.at_end);
  }
};

/// One block device, everybody's transfers during the run.
struct BlockDeviceBytes {
  std::string number;  ///< "254:0"
  std::string name;
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("number", self.number);
    archive.Required("name", self.name);
    archive.Required("read_bytes", self.read_bytes);
    archive.Required("written_bytes", self.written_bytes);
  }
};

struct DeviceEvidence {
  std::string not_measured;
  std::optional<std::int64_t> process_read_bytes;  ///< by the replaying processes alone
  std::optional<std::int64_t> process_written_bytes;
  std::vector<BlockDeviceBytes> devices;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Optional("not_measured", self.not_measured);
    archive.Optional("process_read_bytes", self.process_read_bytes);
    archive.Optional("process_written_bytes", self.process_written_bytes);
    archive.Optional("devices", self.devices);
  }
};

struct CacheEvidence {
  ResidencyEvidence residency;
  DeviceEvidence device;

  template <typename Self, typename Archive>
  static void Fields(Self& self, Archive& archive) {
    archive.Required("residency", self.residency);
    archive.Required("device", self.device);
  }
};

}  // namespace ioflux
