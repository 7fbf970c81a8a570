// SPDX-License-Identifier: GPL-2.0-only
//
// DescriptorTable: descriptor numbers to open files, as one or more tasks of the source share it.
//
// A copy (what fork makes) shares everything with its original until one of them changes, and then
// all but the page of numbers that changes. So a copy costs nothing, and a change in it one page,
// however many files are open.
//
// OpenFile::descriptors counts the places in pages that hold a file: 0 means that no table of any
// task has it any more. How many tables share a page does not matter for that.
//
// Threading: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "trace_tools/import/model/open_file.h"

namespace ioflux {

class DescriptorTable {
 public:
  struct Slot {
    OpenFilePtr file;
    bool close_on_exec = false;
  };

  /// Null when nothing is known of `number`. Valid until the next change.
  const Slot* Find(std::int64_t number) const;

  /// Puts `file` at `number` and returns what was there.
  OpenFilePtr Install(std::int64_t number, OpenFilePtr file, bool close_on_exec);

  /// Empties `number` and returns what was there.
  OpenFilePtr Remove(std::int64_t number);

  /// Nothing happens when nothing is known of `number`.
  void SetCloseOnExec(std::int64_t number, bool on);

  /// Empties the table. `visit` gets, ascending by number, each file whose place was in this table
  /// only, after that place is gone; a file of a shared place is still open elsewhere.
  void RemoveAll(const std::function<void(const OpenFilePtr&)>& visit);

  /// Known numbers from `first` to `last`, ascending.
  std::vector<std::int64_t> Numbers(std::int64_t first, std::int64_t last) const;

 private:
  static constexpr std::int64_t kPageSlots = 64;

  struct Page {
    std::array<Slot, kPageSlots> slots;
    std::size_t used = 0;
  };
  using Pages = std::map<std::int64_t, std::shared_ptr<Page>>;  // by number / kPageSlots

  static std::size_t SlotOf(std::int64_t number) {
    return static_cast<std::size_t>(number % kPageSlots);
  }
  Page& OwnPage(std::int64_t index);

  std::shared_ptr<Pages> pages_ = std::make_shared<Pages>();
};

}  // namespace ioflux
