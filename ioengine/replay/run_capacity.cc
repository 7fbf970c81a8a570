// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_capacity.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "base/saturating_math.h"
#include "base/size_text.h"
#include "ioengine/replay/job_plan.h"

namespace ioflux {
namespace {

/// Of fio and the engine themselves: standard streams, logs, shared memory, the side file.
constexpr std::uint64_t kOwnDescriptors = 64;
constexpr std::int64_t kBlockBytes = 4096;

std::string Size(std::int64_t bytes) {
  return FormatSizeHuman(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)));
}

std::int64_t WholeBlocks(std::int64_t bytes) {
  return SaturatingAdd(bytes / kBlockBytes * kBlockBytes,
                       bytes % kBlockBytes != 0 ? kBlockBytes : 0);
}

/// What the trace may add to a target: no more than it writes, and no more than up to where.
std::int64_t Growth(const PlannedTarget& planned, const TargetUse& use) {
  const std::int64_t beyond = use.written_extent_bytes - planned.size_bytes;
  return std::clamp<std::int64_t>(beyond, 0, use.written_bytes);
}

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view(".") : path.substr(0, slash + 1);
}

/// Finds the file system of targets; those in one folder are on one file system.
class Places {
 public:
  explicit Places(const RunTargets& where) : where_(where) {}

  /// nullptr when it cannot be found out.
  SpaceNeed* Of(const BackendTarget& target) {
    const std::string_view folder = FolderOf(target.path);
    const auto [entry, is_new] = by_folder_.try_emplace(folder, kUnknown);
    if (is_new) entry->second = Find(std::string(folder));
    return entry->second == kUnknown ? nullptr : &needs_[entry->second];
  }

  std::vector<SpaceNeed> Take() { return std::move(needs_); }

 private:
  static constexpr std::size_t kUnknown = SIZE_MAX;

  std::size_t Find(const std::string& folder) {
    FreeSpace space;
    const std::string from = where_.root_missing ? "." : folder;
    if (LookAtFreeSpace(where_.root, from, &space) != 0) return kUnknown;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (needs_[i].device == space.device) return i;
    }
    needs_.push_back({.place = where_.root_path.empty() ? folder : where_.root_path,
                      .device = space.device,
                      .free_bytes = space.free_bytes,
                      .free_files = space.free_files});
    return needs_.size() - 1;
  }

  const RunTargets& where_;
  std::vector<SpaceNeed> needs_;
  std::unordered_map<std::string_view, std::size_t> by_folder_;
};

Result<rlimit> DescriptorLimit(std::uint64_t needed) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return SystemError("cannot read the limit of open files", errno);
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < needed) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = "the streams of the trace hold up to " + std::to_string(needed) +
                         " files open at the same time, and a process may open " +
                         std::to_string(limit.rlim_max),
                 .where = {},
                 .mend = "raise the hard limit: ulimit -Hn " + std::to_string(needed) +
                         " as root, or LimitNOFILE= of the service"};
  }
  return limit;
}

}  // namespace

std::vector<SpaceNeed> MeasureSpace(const PreparationPlan& plan, const LoadedTrace& trace,
                                    const RunTargets& where) {
  if (!where.on_files) return {};
  Places places(where);
  for (const PlannedTarget& planned : plan.targets) {
    const std::int64_t growth = Growth(planned, trace.targets[planned.id]);
    if (!planned.makes_file() && growth == 0) continue;
    SpaceNeed* need = places.Of(where.targets[planned.id]);
    if (need == nullptr) continue;
    need->run_bytes = SaturatingAdd(need->run_bytes, growth);
    if (!planned.makes_file()) continue;
    need->prepare_files += planned.step == PrepareStep::kMake ? 1 : 0;
    need->prepare_bytes = SaturatingAdd(
        need->prepare_bytes,
        std::max<std::int64_t>(0, WholeBlocks(planned.size_bytes) - planned.now.allocated_bytes));
  }
  return places.Take();
}

Result<void> CheckSpace(const std::vector<SpaceNeed>& needs) {
  for (const SpaceNeed& need : needs) {
    const Where place{.path = need.place, .line = 0, .item = {}};
    const std::string mend = "free space, or put the targets elsewhere";
    if (need.prepare_bytes > need.free_bytes) {
      return Error{.kind = ErrorKind::kRefused,
                   .what = "preparation needs " + std::to_string(need.prepare_bytes) + " bytes (" +
                           Size(need.prepare_bytes) + ") and " + std::to_string(need.free_bytes) +
                           " (" + Size(need.free_bytes) + ") are free",
                   .where = place,
                   .mend = mend};
    }
    if (need.free_files >= 0 && need.prepare_files > need.free_files) {
      return Error{.kind = ErrorKind::kRefused,
                   .what = "preparation makes " + std::to_string(need.prepare_files) +
                           " files, and the file system has room for " +
                           std::to_string(need.free_files),
                   .where = place,
                   .mend = mend};
    }
  }
  return {};
}

std::int64_t BufferBytesNeeded(const LoadedTrace& trace, const ReplaySettings& settings) {
  std::vector<std::int64_t> largest;
  for (const StreamOps& stream : trace.streams) largest.push_back(stream.largest_op_bytes);
  if (Multiplexes(settings)) {  // a buffer for what is in flight, not for each stream
    std::sort(largest.begin(), largest.end(), std::greater<>());
    largest.resize(std::min<std::size_t>(largest.size(), settings.number(Setting::kMaxInflight)));
  }
  std::int64_t bytes = 0;
  for (const std::int64_t of_stream : largest) bytes = SaturatingAdd(bytes, of_stream);
  return bytes;
}

Result<void> CheckMemory(std::int64_t buffer_bytes) {
  const std::int64_t memory_bytes =
      std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGESIZE)};
  if (buffer_bytes <= memory_bytes) return {};
  return Error{.kind = ErrorKind::kRefused,
               .what = "the streams need buffers of " + Size(buffer_bytes) +
                       " for their largest operations, and this machine has " + Size(memory_bytes) +
                       " of memory",
               .where = {},
               .mend = "look for a wrong `len` in the trace, or replay fewer streams at a time"};
}

std::uint64_t DescriptorsNeeded(const LoadedTrace& trace, const ReplaySettings& settings) {
  std::uint64_t needed = kOwnDescriptors;
  for (const StreamOps& stream : trace.streams) needed += stream.slots;
  // STAT, GET and PUT open theirs within the operation: one more for each that is in flight.
  const std::uint64_t streams = trace.streams.size();
  return needed + std::min(streams, settings.number(Setting::kMaxInflight));
}

Result<void> CheckDescriptorLimit(std::uint64_t needed) {
  IOFLUX_ASSIGN_OR_RETURN([[maybe_unused]] const rlimit limit, DescriptorLimit(needed));
  return {};
}

Result<void> RaiseDescriptorLimit(std::uint64_t needed) {
  IOFLUX_ASSIGN_OR_RETURN(rlimit limit, DescriptorLimit(needed));
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= needed) return {};
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? needed : limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0) return {};
  return SystemError("cannot raise the limit of open files to " + std::to_string(needed), errno);
}

}  // namespace ioflux
