// SPDX-License-Identifier: GPL-2.0-only
//
// Residency: how many pages of an open file are in the page cache.
//
// By cachestat(2) where the kernel has it (6.5), else by mincore(2) over a mapping. Both tell only
// the owner of a file and those who may write it: for anybody else cachestat refuses and mincore
// claims that every page is there, so there the answer is an error.
//
// Threading: any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace ioflux {

enum class ResidencyMethod : std::uint8_t { kCachestat, kMincore };
std::string_view NameOf(ResidencyMethod method);

/// What this kernel has.
ResidencyMethod BestResidencyMethod();

struct ResidentPages {
  std::int64_t pages = 0;     ///< of the file, the last one perhaps in part
  std::int64_t resident = 0;  ///< of these, in the page cache
  bool clean = false;         ///< known to have no page that is to be written
};

/// 0 or errno (EPERM: see above) for a regular file of `size_bytes`.
int CountResidentPages(int descriptor, std::int64_t size_bytes, ResidencyMethod method,
                       ResidentPages* pages);

std::int64_t PageBytes();

}  // namespace ioflux
