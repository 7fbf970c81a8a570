// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/direct_alignment.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <bit>
#include <fstream>
#include <string>

namespace ioflux {
namespace {

constexpr std::uint32_t kSmallestBytes = 512;
constexpr std::uint32_t kPageBytes = 4096;

#ifndef STATX_DIOALIGN
#error "the headers of Linux 6.1 or newer are needed (linux-libc-dev)"
#endif

bool Plausible(std::uint32_t bytes) {
  return std::has_single_bit(bytes) && bytes >= kSmallestBytes && bytes <= kPageBytes;
}

/// 0 if there is no such device.
std::uint32_t LogicalBlockBytes(dev_t device) {
  const std::string folder =
      "/sys/dev/block/" + std::to_string(major(device)) + ":" + std::to_string(minor(device));
  // A partition has its queue one folder up, at the whole device.
  for (const char* const place : {"/queue", "/../queue"}) {
    std::ifstream file(folder + place + "/logical_block_size");
    std::uint32_t bytes = 0;
    if (file >> bytes) return bytes;
  }
  return 0;
}

bool IsInMemory(int descriptor) {
  struct statfs status {};
  if (fstatfs(descriptor, &status) != 0) return false;
  return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC ||
         status.f_type == HUGETLBFS_MAGIC;
}

}  // namespace

DirectSupport DirectAlignments::Of(int descriptor) {
  struct statx status {};
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_DIOALIGN, &status) != 0) {
    status = {};
  }
  DirectSupport support;
  if ((status.stx_mask & STATX_DIOALIGN) == 0) {
    support = Inferred(descriptor, makedev(status.stx_dev_major, status.stx_dev_minor),
                       status.stx_blksize);
  } else if (status.stx_dio_offset_align == 0) {
    return {.alignment = {}, .source = DirectSupport::Source::kCached};
  } else {
    support = {.alignment = {.offset_bytes = status.stx_dio_offset_align,
                             .memory_bytes = status.stx_dio_mem_align},
               .source = DirectSupport::Source::kFileSystem};
  }
  if (align_bytes_ != 0) {
    support.alignment.offset_bytes = align_bytes_;
    if (support.source == DirectSupport::Source::kAssumed) {
      support = {.alignment = {.offset_bytes = align_bytes_, .memory_bytes = align_bytes_},
                 .source = DirectSupport::Source::kFileSystem};
    }
  }
  if (!std::has_single_bit(support.alignment.memory_bytes)) {
    support.alignment.memory_bytes = kPageBytes;
  }
  return support;
}

DirectSupport DirectAlignments::Inferred(int descriptor, dev_t device,
                                         std::uint32_t preferred_bytes) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = inferred_.try_emplace(device);
  if (!is_new) return entry->second;
  std::uint32_t bytes = LogicalBlockBytes(device);
  if (!Plausible(bytes)) bytes = Plausible(preferred_bytes) ? preferred_bytes : kPageBytes;
  entry->second = {.alignment = {.offset_bytes = bytes, .memory_bytes = bytes},
                   .source = IsInMemory(descriptor) ? DirectSupport::Source::kInMemory
                                                    : DirectSupport::Source::kAssumed};
  return entry->second;
}

}  // namespace ioflux
