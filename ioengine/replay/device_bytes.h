// SPDX-License-Identifier: GPL-2.0-only
//
// DeviceBytes: what went to and came from storage devices during a run, from two independent
// counts: that of this process (/proc/self/io) and that of the devices below the targets
// (/sys/dev/block/N/stat), which has everybody's.
//
// A count that cannot be had, or that would be 0 whatever happens (a file system without a block
// device), is "not measured" with the reason, never 0.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ioengine/replay/file_system.h"

namespace ioflux {

struct TransferredBytes {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

/// Counters of one device since it is there.
struct DeviceCounters {
  std::string number;  ///< "254:0"
  std::string name;    ///< "vda"
  TransferredBytes before{};
  TransferredBytes after{};
};

/// Totals of this process since it is there; nothing where the kernel does not say.
std::optional<TransferredBytes> BytesOfProcess();
/// Totals of a device, `number` as in 254:0.
std::optional<TransferredBytes> BytesOfDevice(const std::string& number);

class DeviceBytes {
 public:
  /// Why neither is measured. `systems`: those of all targets, each once.
  DeviceBytes() = default;
  explicit DeviceBytes(const std::vector<FileSystem>& systems);
  static DeviceBytes NotMeasured(std::string reason);

  void Begin();
  /// May be called again, when the run turns out to go on.
  void End();

  const std::string& not_measured() const { return not_measured_; }  ///< empty = measured
  /// Between Begin and the last End. Nothing when this count alone is not to be had.
  std::optional<TransferredBytes> process() const;
  const std::vector<DeviceCounters>& devices() const { return devices_; }

 private:
  std::string not_measured_ = "nothing was measured";
  std::vector<DeviceCounters> devices_;
  std::optional<TransferredBytes> process_before_;
  std::optional<TransferredBytes> process_after_;
};

}  // namespace ioflux
