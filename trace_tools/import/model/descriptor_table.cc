// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/descriptor_table.h"

#include <algorithm>
#include <utility>

namespace ioflux {

const DescriptorTable::Slot* DescriptorTable::Find(std::int64_t number) const {
  if (number < 0) return nullptr;
  const auto page = pages_->find(number / kPageSlots);
  if (page == pages_->end()) return nullptr;
  const Slot& slot = page->second->slots[SlotOf(number)];
  return slot.file == nullptr ? nullptr : &slot;
}

// The page, shared with no other table from now on.
DescriptorTable::Page& DescriptorTable::OwnPage(std::int64_t index) {
  if (pages_.use_count() > 1) pages_ = std::make_shared<Pages>(*pages_);
  std::shared_ptr<Page>& page = (*pages_)[index];
  if (page == nullptr) {
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
    for (const Slot& slot : page->slots) {
      if (slot.file != nullptr) ++slot.file->descriptors;
    }
  }
  return *page;
}

OpenFilePtr DescriptorTable::Install(std::int64_t number, OpenFilePtr file, bool close_on_exec) {
  Page& page = OwnPage(number / kPageSlots);
  Slot& slot = page.slots[SlotOf(number)];
  OpenFilePtr previous = std::exchange(slot.file, std::move(file));
  slot.close_on_exec = close_on_exec;
  ++slot.file->descriptors;
  if (previous == nullptr) {
    ++page.used;
  } else {
    --previous->descriptors;
  }
  return previous;
}

OpenFilePtr DescriptorTable::Remove(std::int64_t number) {
  if (Find(number) == nullptr) return nullptr;
  const std::int64_t index = number / kPageSlots;
  Page& page = OwnPage(index);
  OpenFilePtr file = std::exchange(page.slots[SlotOf(number)].file, nullptr);
  --file->descriptors;
  if (--page.used == 0) pages_->erase(index);
  return file;
}

void DescriptorTable::SetCloseOnExec(std::int64_t number, bool on) {
  const Slot* slot = Find(number);
  if (slot == nullptr || slot->close_on_exec == on) return;
  OwnPage(number / kPageSlots).slots[SlotOf(number)].close_on_exec = on;
}

void DescriptorTable::RemoveAll(const std::function<void(const OpenFilePtr&)>& visit) {
  const std::shared_ptr<Pages> pages = std::exchange(pages_, std::make_shared<Pages>());
  if (pages.use_count() > 1) return;
  for (const auto& [index, page] : *pages) {
    if (page.use_count() > 1) continue;
    for (Slot& slot : page->slots) {
      const OpenFilePtr file = std::exchange(slot.file, nullptr);
      if (file == nullptr) continue;
      --file->descriptors;
      visit(file);
    }
  }
}

std::vector<std::int64_t> DescriptorTable::Numbers(std::int64_t first, std::int64_t last) const {
  std::vector<std::int64_t> numbers;
  first = std::max<std::int64_t>(first, 0);
  for (auto page = pages_->lower_bound(first / kPageSlots);
       page != pages_->end() && page->first <= last / kPageSlots; ++page) {
    for (std::int64_t i = 0; i < kPageSlots; ++i) {
      const std::int64_t number = page->first * kPageSlots + i;
      if (number < first || number > last) continue;
      if (page->second->slots[SlotOf(number)].file != nullptr) numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace ioflux
