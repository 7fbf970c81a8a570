// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/open_handles.h"

#include <algorithm>
#include <utility>

namespace ioflux {

OpenHandles::Page& OpenHandles::PageOf(std::int64_t number) {
  const std::size_t index = static_cast<std::size_t>(number) / kPageHandles;
  if (index >= pages_.size()) pages_.resize(index + 1);
  std::unique_ptr<Page>& page = pages_[index];
  if (page == nullptr) page = std::move(spare_page_);
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

void OpenHandles::Open(std::int64_t number, std::int64_t stream, std::uint64_t line,
                       std::int64_t target, OpenMode mode) {
  OpenHandle* handle = nullptr;
  if (IsPaged(number)) {
    Page& page = PageOf(number);
    ++page.open;
    handle = &page.handles[static_cast<std::size_t>(number) % kPageHandles];
  } else {
    handle = &scattered_.At(number);
  }
  handle->stream = stream;
  handle->line = line & ((std::uint64_t{1} << 37) - 1);
  handle->target = static_cast<std::uint64_t>(target) & ((std::uint64_t{1} << 23) - 1);
  handle->mode = static_cast<std::uint8_t>(mode) & 7U;
  handle->used = 1;
}

void OpenHandles::Close(std::int64_t number) {
  if (!IsPaged(number)) {
    scattered_.Erase(number);
    return;
  }
  std::unique_ptr<Page>& page = pages_[static_cast<std::size_t>(number) / kPageHandles];
  page->handles[static_cast<std::size_t>(number) % kPageHandles] = OpenHandle{};
  if (--page->open == 0) spare_page_ = std::move(page);
}

std::vector<OpenHandles::Entry> OpenHandles::Sorted() const {
  std::vector<Entry> entries;
  for (std::size_t index = 0; index < pages_.size(); ++index) {
    if (pages_[index] == nullptr) continue;
    for (std::size_t i = 0; i < kPageHandles; ++i) {
      const OpenHandle& handle = pages_[index]->handles[i];
      if (handle.empty()) continue;
      const auto number = static_cast<std::int64_t>(index * kPageHandles + i);
      entries.push_back({.number = number, .line = handle.line});
    }
  }
  scattered_.ForEach([&entries](std::int64_t number, const OpenHandle& handle) {
    entries.push_back({.number = number, .line = handle.line});
  });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.number < b.number; });
  return entries;
}

}  // namespace ioflux
