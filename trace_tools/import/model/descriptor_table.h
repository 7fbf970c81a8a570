// SPDX-License-Identifier: GPL-2.0-only
//
// DescriptorTable: descriptor numbers to open files, as one or more tasks of the source share it.
//
// It keeps OpenFile::descriptors right. Small numbers live in an array, any other in a map, so a
// senseless number in a damaged capture costs nothing.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace_tools/import/model/open_file.h"

namespace ioflux {

class DescriptorTable {
 public:
  struct Slot {
    OpenFilePtr file;
    bool close_on_exec = false;
  };

  DescriptorTable() = default;
  DescriptorTable(const DescriptorTable& other);  ///< what fork does
  DescriptorTable& operator=(const DescriptorTable&) = delete;

  /// Null when nothing is known of `number`.
  Slot* Find(std::int64_t number);

  /// Puts `file` at `number` and returns what was there.
  OpenFilePtr Install(std::int64_t number, OpenFilePtr file, bool close_on_exec);

  /// Empties `number` and returns what was there.
  OpenFilePtr Remove(std::int64_t number);

  /// Known numbers from `first` to `last`, ascending.
  std::vector<std::int64_t> Numbers(std::int64_t first, std::int64_t last) const;

 private:
  static constexpr std::int64_t kArraySlots = 1024;

  std::vector<Slot> low_;
  std::map<std::int64_t, Slot> high_;
};

}  // namespace ioflux
