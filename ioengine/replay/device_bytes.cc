// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/device_bytes.h"

#include <fstream>
#include <utility>

namespace ioflux {
namespace {

/// Unit of /sys/block/*/stat, whatever the sectors of the device.
constexpr std::int64_t kStatSectorBytes = 512;

}  // namespace

std::optional<TransferredBytes> BytesOfProcess() {
  std::ifstream stream("/proc/self/io");
  TransferredBytes bytes;
  int found = 0;
  std::string key;
  for (std::int64_t value = 0; stream >> key >> value;) {
    if (key == "read_bytes:") {
      bytes.read = value;
      ++found;
    } else if (key == "write_bytes:") {
      bytes.written = value;
      ++found;
    }
  }
  if (found != 2) return std::nullopt;
  return bytes;
}

std::optional<TransferredBytes> BytesOfDevice(const std::string& number) {
  std::ifstream stream("/sys/dev/block/" + number + "/stat");
  // reads, merged reads, sectors read, ms, writes, merged writes, sectors written, …
  std::int64_t fields[7];
  for (std::int64_t& field : fields) {
    if (!(stream >> field)) return std::nullopt;
  }
  return TransferredBytes{.read = fields[2] * kStatSectorBytes,
                          .written = fields[6] * kStatSectorBytes};
}

DeviceBytes::DeviceBytes(const std::vector<FileSystem>& systems) {
  not_measured_.clear();
  if (systems.empty()) not_measured_ = "no target was there to tell the file system";
  for (const FileSystem& system : systems) {
    if (system.in_memory) {
      not_measured_ = system.type + " keeps its files in memory, not on a device";
    } else if (system.block_device.empty()) {
      not_measured_ = system.type + " has no block device of its own";
    } else {
      bool known = false;
      for (const DeviceCounters& device : devices_) known |= device.number == system.block_device;
      if (!known) devices_.push_back({.number = system.block_device, .name = system.block_name});
    }
  }
  if (!not_measured_.empty()) devices_.clear();
}

DeviceBytes DeviceBytes::NotMeasured(std::string reason) {
  DeviceBytes none;
  none.not_measured_ = std::move(reason);
  return none;
}

void DeviceBytes::Begin() {
  if (!not_measured_.empty()) return;
  process_before_ = BytesOfProcess();
  std::vector<DeviceCounters> readable;
  for (DeviceCounters& device : devices_) {
    const std::optional<TransferredBytes> bytes = BytesOfDevice(device.number);
    if (!bytes) continue;
    device.before = device.after = *bytes;
    readable.push_back(device);
  }
  devices_ = std::move(readable);
  if (!process_before_ && devices_.empty())
    not_measured_ = "neither /proc/self/io nor /sys/dev/block can be read";
}

void DeviceBytes::End() {
  if (!not_measured_.empty()) return;
  process_after_ = BytesOfProcess();
  for (DeviceCounters& device : devices_)
    device.after = BytesOfDevice(device.number).value_or(device.before);
}

std::optional<TransferredBytes> DeviceBytes::process() const {
  if (!process_before_ || !process_after_) return std::nullopt;
  return TransferredBytes{.read = process_after_->read - process_before_->read,
                          .written = process_after_->written - process_before_->written};
}

}  // namespace ioflux
