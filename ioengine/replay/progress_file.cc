// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/progress_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace ioflux {
namespace {

constexpr std::uint64_t kMagic = 0x31677270786c6f69;  // "iolxprg1"

struct alignas(64) ProgressHeader {
  std::uint64_t magic = 0;
  std::uint64_t jobs = 0;
  std::uint64_t planned_ops = 0;
  std::uint64_t planned_bytes = 0;
};
static_assert(sizeof(ProgressHeader) == sizeof(ProgressSlot));

}  // namespace

Result<ProgressFile> ProgressFile::Create(const std::string& path, std::uint32_t jobs,
                                          std::uint64_t planned_ops, std::uint64_t planned_bytes) {
  const auto fail = [&path](int error) {
    return SystemError("cannot create the progress file", error,
                       {.path = path, .line = 0, .item = {}},
                       "free space there, or name another progress_file");
  };
  const std::size_t size_bytes = sizeof(ProgressSlot) * (std::size_t{jobs} + 1);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return fail(errno);
  // With its space: a write to a mapped page that finds none would end the process (SIGBUS).
  int fault = 0;
  do {
    fault = posix_fallocate(descriptor, 0, static_cast<off_t>(size_bytes));
  } while (fault == EINTR);
  if (fault != 0) {
    struct stat status {};
    const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    close(descriptor);
    if (is_file) unlink(path.c_str());  // and never a device
    return fail(fault);
  }
  // Shared, so that jobs that fio forks write to the same pages.
  void* map = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int error = errno;
  close(descriptor);
  if (map == MAP_FAILED) return fail(error);
  ProgressFile file;
  file.map_ = map;
  file.map_bytes_ = size_bytes;
  for (std::uint32_t job = 0; job < jobs; ++job)
    new (static_cast<ProgressSlot*>(map) + job + 1) ProgressSlot;
  new (map) ProgressHeader{
      .magic = kMagic, .jobs = jobs, .planned_ops = planned_ops, .planned_bytes = planned_bytes};
  return file;
}

ProgressFile::ProgressFile(ProgressFile&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)), map_bytes_(std::exchange(other.map_bytes_, 0)) {}

ProgressFile& ProgressFile::operator=(ProgressFile&& other) noexcept {
  std::swap(map_, other.map_);
  std::swap(map_bytes_, other.map_bytes_);
  return *this;
}

ProgressFile::~ProgressFile() {
  if (map_ != nullptr) munmap(map_, map_bytes_);
}

ProgressSlot* ProgressFile::slot(std::uint32_t job) const {
  return map_ == nullptr ? nullptr : static_cast<ProgressSlot*>(map_) + job + 1;
}

ProgressTotals ReadProgress(const std::string& path) {
  ProgressTotals totals;
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return totals;
  ProgressHeader header;
  if (std::fread(&header, sizeof header, 1, file) == 1 && header.magic == kMagic) {
    totals.planned_ops = header.planned_ops;
    totals.planned_bytes = header.planned_bytes;
    std::uint64_t slot[sizeof(ProgressSlot) / sizeof(std::uint64_t)];
    for (std::uint64_t job = 0; job < header.jobs && std::fread(slot, sizeof slot, 1, file) == 1;
         ++job) {
      totals.ops += slot[0];
      totals.bytes += slot[1];
    }
  }
  std::fclose(file);
  return totals;
}

}  // namespace ioflux
