// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/side_file_cache.h"

#include <algorithm>

namespace ioflux {
namespace {

void AddBytes(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();
  }
}

/// The totals of one device as several processes saw them: from the first look to the last.
void Widen(SideFileDevice& sum, const SideFileDevice& part) {
  sum.read_bytes_before = std::min(sum.read_bytes_before, part.read_bytes_before);
  sum.read_bytes_after = std::max(sum.read_bytes_after, part.read_bytes_after);
  sum.written_bytes_before = std::min(sum.written_bytes_before, part.written_bytes_before);
  sum.written_bytes_after = std::max(sum.written_bytes_after, part.written_bytes_after);
}

void JoinDevice(SideFileDeviceBytes& sum, const SideFileDeviceBytes& part) {
  if (sum.not_measured.empty()) sum.not_measured = part.not_measured;
  AddBytes(sum.process_read_bytes, part.process_read_bytes);
  AddBytes(sum.process_written_bytes, part.process_written_bytes);
  for (const SideFileDevice& device : part.devices) {
    const auto same = std::find_if(sum.devices.begin(), sum.devices.end(), [&](const auto& known) {
      return known.number == device.number;
    });
    if (same == sum.devices.end()) {
      sum.devices.push_back(device);
    } else {
      Widen(*same, device);
    }
  }
}

}  // namespace

void JoinCache(SideFileCache& sum, const SideFileCache& part, bool part_ends_later) {
  for (const std::string& limitation : part.limitations) {
    if (std::find(sum.limitations.begin(), sum.limitations.end(), limitation) ==
        sum.limitations.end()) {
      sum.limitations.push_back(limitation);
    }
  }
  if (part_ends_later) {
    sum.residency.at_end = part.residency.at_end;
    sum.residency.end_not_measured = part.residency.end_not_measured;
  }
  JoinDevice(sum.device, part.device);
}

CacheEvidence EvidenceOf(const SideFileCache& cache) {
  CacheEvidence evidence{.residency = cache.residency, .device = {}};
  evidence.device.not_measured = cache.device.not_measured;
  evidence.device.process_read_bytes = cache.device.process_read_bytes;
  evidence.device.process_written_bytes = cache.device.process_written_bytes;
  for (const SideFileDevice& device : cache.device.devices) {
    evidence.device.devices.push_back(
        {.number = device.number,
         .name = device.name,
         .read_bytes = device.read_bytes_after - device.read_bytes_before,
         .written_bytes = device.written_bytes_after - device.written_bytes_before});
  }
  return evidence;
}

}  // namespace ioflux
