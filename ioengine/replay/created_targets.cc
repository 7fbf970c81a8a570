// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/created_targets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <utility>

#include "ioengine/replay/run_targets.h"
#include "ioengine/replay/trace_loader.h"

namespace ioflux {

bool CreatedTargets::MadeFile::SameAs(const MadeFile& other) const {
  return device == other.device && inode == other.inode && size_bytes == other.size_bytes &&
         changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
}

Result<CreatedTargets> CreatedTargets::Of(const ReplaySettings& settings,
                                          const Stopping& stopping) {
  if (settings.text(Setting::kBackend) == "mem") return CreatedTargets(settings, {});
  IOFLUX_ASSIGN_OR_RETURN(LoadedTrace trace, LoadTrace(settings.text(Setting::kTrace), stopping));
  IOFLUX_ASSIGN_OR_RETURN(const RunTargets where,
                          ResolveRunTargets(settings, trace.header, MissingRoot::kLeave));
  CreatedTargets created(settings, std::move(trace.header));
  // Several targets may share a path; what one of them needs before the run is prepared.
  const bool materialises = Materialises(settings);
  std::unordered_map<std::string_view, bool> by_path;
  for (std::size_t id = 0; id < where.targets.size(); ++id) {
    const TargetUse& use = trace.targets[id];
    const bool by_trace = use.filled && (use.created_by_trace || !materialises);
    const auto [entry, is_new] = by_path.try_emplace(where.targets[id].path, by_trace);
    if (is_new) continue;
    entry->second = materialises ? entry->second && by_trace : entry->second || by_trace;
  }
  for (std::size_t id = 0; id < where.targets.size(); ++id) {
    bool& by_trace = by_path[where.targets[id].path];
    if (std::exchange(by_trace, false)) created.ids_.push_back(id);
  }
  return created;
}

CreatedTargets::Look CreatedTargets::LookAtTarget(const FileRoot& root, const BackendTarget& target,
                                                  std::size_t id) {
  const int descriptor = root.Open(target.path.c_str(), O_PATH | O_NOFOLLOW);
  if (descriptor < 0) {
    return {.absent = descriptor == -ENOENT || descriptor == -ENOTDIR, .file = std::nullopt};
  }
  Look look;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    look.file = MadeFile{.id = id,
                         .device = status.st_dev,
                         .inode = status.st_ino,
                         .size_bytes = status.st_size,
                         .changed = status.st_ctim};
  }
  close(descriptor);
  return look;
}

Result<void> CreatedTargets::LookBefore() {
  absent_.clear();
  if (ids_.empty()) return {};
  IOFLUX_ASSIGN_OR_RETURN(const RunTargets where,
                          ResolveRunTargets(settings_, header_, MissingRoot::kLeave));
  for (const std::size_t id : ids_) {
    if (where.root_missing || LookAtTarget(where.root, where.targets[id], id).absent)
      absent_.push_back(id);
  }
  return {};
}

Result<void> CreatedTargets::LookAfter() {
  if (absent_.empty()) return {};
  IOFLUX_ASSIGN_OR_RETURN(const RunTargets where,
                          ResolveRunTargets(settings_, header_, MissingRoot::kLeave));
  if (where.root_missing) return {};
  for (const std::size_t id : std::exchange(absent_, {})) {
    if (const Look look = LookAtTarget(where.root, where.targets[id], id); look.file)
      made_.push_back(*look.file);
  }
  return {};
}

Result<std::int64_t> CreatedTargets::Remove() {
  std::int64_t removed = 0;
  if (made_.empty()) return removed;
  IOFLUX_ASSIGN_OR_RETURN(const RunTargets where,
                          ResolveRunTargets(settings_, header_, MissingRoot::kLeave));
  if (where.root_missing) return removed;
  for (const MadeFile& made : std::exchange(made_, {})) {
    const BackendTarget& target = where.targets[made.id];
    const Look now = LookAtTarget(where.root, target, made.id);
    if (!now.file || !now.file->SameAs(made)) continue;
    if (const int error = -where.root.Unlink(target.path); error != 0) {
      return SystemError("cannot remove what the trial before this one created", error,
                         {.path = target.name, .line = 0, .item = {}});
    }
    ++removed;
  }
  return removed;
}

}  // namespace ioflux
