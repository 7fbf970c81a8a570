// SPDX-License-Identifier: GPL-2.0-only
//
// OpenHandles: the handles that are open at this point of a trace, and what their OPEN said.
//
// Small numbers lie in pages of 256 that are dropped when their last handle is closed; any other
// number is hashed. Closed handles cost nothing here (SeenNumbers remembers that they were).
//
// Cost: 16 bytes an open handle when dense. Threading: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace_tools/format/int64_map.h"
#include "trace_tools/format/op.h"

namespace ioflux {

struct OpenHandle {
  std::int64_t stream = 0;
  std::uint64_t line : 37 = 0;    ///< of the OPEN; 2^37 lines are 4 TB of trace
  std::uint64_t target : 23 = 0;  ///< a header of 16 MiB holds fewer than 2^23
  std::uint64_t mode : 3 = 0;     ///< an OpenMode
  std::uint64_t used : 1 = 0;

  bool empty() const { return used == 0; }
  /// The mode of the OPEN lets an op of `kind` through.
  bool Permits(OpKind kind) const {
    const OpenMode forbidding = kind == OpKind::kREAD    ? OpenMode::kWrite
                                : kind == OpKind::kWRITE ? OpenMode::kRead
                                                         : OpenMode::kNone;
    return forbidding == OpenMode::kNone || forbidding != static_cast<OpenMode>(mode);
  }
};
static_assert(sizeof(OpenHandle) == 16);

class OpenHandles {
 public:
  /// nullptr when it is not open. Valid until the next Open() or Close().
  OpenHandle* Find(std::int64_t number) {
    if (!IsPaged(number)) return scattered_.Find(number);
    const auto index = static_cast<std::size_t>(number);
    if (index / kPageHandles >= pages_.size()) return nullptr;
    Page* const page = pages_[index / kPageHandles].get();
    if (page == nullptr) return nullptr;
    OpenHandle& handle = page->handles[index % kPageHandles];
    return handle.empty() ? nullptr : &handle;
  }

  /// `number` must not be open.
  void Open(std::int64_t number, std::int64_t stream, std::uint64_t line, std::int64_t target,
            OpenMode mode);
  /// `number` must be open.
  void Close(std::int64_t number);

  struct Entry {
    std::int64_t number = 0;
    std::uint64_t line = 0;
  };
  /// What is still open, by number.
  std::vector<Entry> Sorted() const;

 private:
  static constexpr std::size_t kPageHandles = 256;
  static constexpr std::int64_t kPagedNumbers = std::int64_t{1} << 24;

  struct Page {
    std::array<OpenHandle, kPageHandles> handles{};
    std::size_t open = 0;
  };

  static bool IsPaged(std::int64_t number) { return number >= 0 && number < kPagedNumbers; }
  Page& PageOf(std::int64_t number);

  std::vector<std::unique_ptr<Page>> pages_;
  std::unique_ptr<Page> spare_page_;  // all closed; programs that open one file at a time need it
  Int64Map<OpenHandle> scattered_;
};

}  // namespace ioflux
