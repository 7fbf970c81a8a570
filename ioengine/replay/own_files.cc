// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/own_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ioflux {
namespace {

struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileId&) const = default;
};

/// A file of the run: what is there, and where that is.
class OwnFile {
 public:
  explicit OwnFile(const std::string& path) {
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) return;
    if (exists) file_ = FileId{status.st_dev, status.st_ino};
    std::error_code ignored;
    const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
    name_ = absolute.filename().string();
    if (stat(absolute.parent_path().c_str(), &status) != 0) return;
    folder_ = FileId{status.st_dev, status.st_ino};
  }

  bool Is(const RunTargets& where, const BackendTarget& target) const {
    const FileLook look = where.Look(target);
    if (look.exists) return file_ && *file_ == FileId{look.device, look.inode};
    return folder_ && target.path.ends_with(name_) && IsInPlace(where, target);
  }

 private:
  /// Neither is there yet: the same name in the same folder.
  bool IsInPlace(const RunTargets& where, const BackendTarget& target) const {
    if (where.root_missing) return false;
    std::string leaf;
    const int folder = where.root.OpenFolderOf(target.path, &leaf);
    if (folder < 0) return false;
    struct stat status {};
    const bool known = fstat(folder, &status) == 0;
    close(folder);
    return known && leaf == name_ && *folder_ == FileId{status.st_dev, status.st_ino};
  }

  std::optional<FileId> file_;
  std::optional<FileId> folder_;
  std::string name_;
};

Error Refused(const BackendTarget& target, std::string_view what, const std::string& path,
              const std::string& consequence) {
  return Error{
      .kind = ErrorKind::kRefused,
      .what = "target '" + target.name + "' is " + std::string(what) + " itself: " + consequence,
      .where = {.path = path, .line = 0, .item = {}},
      .mend = "map the target elsewhere, or move " + std::string(what)};
}

/// Whether the run changes the target, by its trace or by preparation.
bool Changes(const TargetUse& use, bool materialises) {
  return use.written || (materialises && !use.created_by_trace);
}

}  // namespace

Result<void> CheckInputsAreNoTargets(const ReplaySettings& settings, const LoadedTrace& trace,
                                     const RunTargets& where) {
  if (!where.on_files) return {};
  const bool materialises = Materialises(settings);
  if (!trace.writes() && !materialises) return {};
  struct Input {
    Setting setting;
    std::string_view what;
  };
  for (const Input& input :
       {Input{Setting::kTrace, "the trace"}, Input{Setting::kTargetMap, "the target map"}}) {
    if (!settings.is_set(input.setting)) continue;
    const std::string& path = settings.text(input.setting);
    const OwnFile own(path);
    for (std::size_t id = 0; id < where.targets.size(); ++id) {
      if (!Changes(trace.targets[id], materialises) || !own.Is(where, where.targets[id])) continue;
      return Refused(where.targets[id], input.what, path, "the run would change it");
    }
  }
  return {};
}

Result<void> CheckOutputIsNoTarget(const std::string& path, std::string_view what,
                                   const RunTargets& where) {
  if (!where.on_files) return {};
  const OwnFile own(path);
  for (const BackendTarget& target : where.targets) {
    if (!own.Is(where, target)) continue;
    return Refused(target, what, path, "writing it would replace the data of the target");
  }
  return {};
}

}  // namespace ioflux
