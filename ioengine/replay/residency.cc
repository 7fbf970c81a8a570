// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/residency.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace ioflux {
namespace {

/// Newer than the headers of Debian 12.
constexpr long kCachestatCall = 451;
constexpr std::int64_t kMappedBytes = std::int64_t{1} << 30;

/// struct cachestat_range and struct cachestat of linux/mman.h.
struct CachestatRange {
  std::uint64_t offset_bytes;
  std::uint64_t length_bytes;
};
struct Cachestat {
  std::uint64_t cached_pages;
  std::uint64_t dirty_pages;
  std::uint64_t writeback_pages;
  std::uint64_t evicted_pages;
  std::uint64_t recently_evicted_pages;
};

std::int64_t PagesOf(std::int64_t size_bytes) {
  return size_bytes / PageBytes() + (size_bytes % PageBytes() != 0 ? 1 : 0);
}

int ByCachestat(int descriptor, std::int64_t size_bytes, ResidentPages* pages) {
  CachestatRange range{.offset_bytes = 0, .length_bytes = static_cast<std::uint64_t>(size_bytes)};
  Cachestat found{};
  if (syscall(kCachestatCall, descriptor, &range, &found, 0U) != 0) return errno;
  pages->resident = std::min(pages->pages, static_cast<std::int64_t>(found.cached_pages));
  pages->clean = found.dirty_pages == 0 && found.writeback_pages == 0;
  return 0;
}

/// Whether mincore tells the truth about this file.
bool MayAsk(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return false;
  const uid_t user = geteuid();
  return user == 0 || user == status.st_uid ||
         faccessat(descriptor, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0;
}

int ByMincore(int descriptor, std::int64_t size_bytes, ResidentPages* pages) {
  if (!MayAsk(descriptor)) return EPERM;
  std::vector<unsigned char> bits;
  for (std::int64_t offset = 0; offset < size_bytes; offset += kMappedBytes) {
    const std::int64_t length_bytes = std::min(kMappedBytes, size_bytes - offset);
    const auto length = static_cast<std::size_t>(length_bytes);
    void* mapping = mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, offset);
    if (mapping == MAP_FAILED) return errno;
    bits.resize(static_cast<std::size_t>(PagesOf(length_bytes)));
    const int error = mincore(mapping, length, bits.data()) == 0 ? 0 : errno;
    munmap(mapping, length);
    if (error != 0) return error;
    pages->resident +=
        std::count_if(bits.begin(), bits.end(), [](unsigned char bit) { return (bit & 1U) != 0; });
  }
  return 0;
}

}  // namespace

std::int64_t PageBytes() {
  static const std::int64_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

std::string_view NameOf(ResidencyMethod method) {
  return method == ResidencyMethod::kCachestat ? "cachestat" : "mincore";
}

ResidencyMethod BestResidencyMethod() {
  CachestatRange range{};
  Cachestat found{};
  // A kernel that has the call looks at the descriptor; others, and sandboxes, do not get so far.
  const bool known = syscall(kCachestatCall, -1, &range, &found, 0U) != 0 && errno == EBADF;
  return known ? ResidencyMethod::kCachestat : ResidencyMethod::kMincore;
}

int CountResidentPages(int descriptor, std::int64_t size_bytes, ResidencyMethod method,
                       ResidentPages* pages) {
  *pages = {.pages = PagesOf(size_bytes)};
  if (size_bytes == 0) {
    pages->clean = true;
    return 0;
  }
  return method == ResidencyMethod::kCachestat ? ByCachestat(descriptor, size_bytes, pages)
                                               : ByMincore(descriptor, size_bytes, pages);
}

}  // namespace ioflux
