// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/descriptor_table.h"

#include <algorithm>
#include <utility>

namespace ioflux {

DescriptorTable::DescriptorTable(const DescriptorTable& other)
    : low_(other.low_), high_(other.high_) {
  for (const Slot& slot : low_) {
    if (slot.file != nullptr) ++slot.file->descriptors;
  }
  for (const auto& [number, slot] : high_) ++slot.file->descriptors;
}

DescriptorTable::Slot* DescriptorTable::Find(std::int64_t number) {
  if (number < 0) return nullptr;
  if (number < kArraySlots) {
    const auto index = static_cast<std::size_t>(number);
    return index < low_.size() && low_[index].file != nullptr ? &low_[index] : nullptr;
  }
  const auto found = high_.find(number);
  return found == high_.end() ? nullptr : &found->second;
}

OpenFilePtr DescriptorTable::Install(std::int64_t number, OpenFilePtr file, bool close_on_exec) {
  OpenFilePtr previous = Remove(number);
  ++file->descriptors;
  Slot slot{.file = std::move(file), .close_on_exec = close_on_exec};
  if (number >= kArraySlots) {
    high_[number] = std::move(slot);
  } else {
    const auto index = static_cast<std::size_t>(number);
    if (index >= low_.size()) low_.resize(index + 1);
    low_[index] = std::move(slot);
  }
  return previous;
}

OpenFilePtr DescriptorTable::Remove(std::int64_t number) {
  Slot* slot = Find(number);
  if (slot == nullptr) return nullptr;
  OpenFilePtr file = std::exchange(slot->file, nullptr);
  --file->descriptors;
  if (number >= kArraySlots) high_.erase(number);
  return file;
}

std::vector<std::int64_t> DescriptorTable::Numbers(std::int64_t first, std::int64_t last) const {
  std::vector<std::int64_t> numbers;
  const auto low_count = static_cast<std::int64_t>(low_.size());
  for (std::int64_t i = std::max<std::int64_t>(first, 0); i < low_count && i <= last; ++i) {
    if (low_[static_cast<std::size_t>(i)].file != nullptr) numbers.push_back(i);
  }
  for (auto it = high_.lower_bound(first); it != high_.end() && it->first <= last; ++it) {
    numbers.push_back(it->first);
  }
  return numbers;
}

}  // namespace ioflux
