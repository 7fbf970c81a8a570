// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_targets.h"

#include <cerrno>
#include <filesystem>
#include <utility>

#include "ioengine/replay/confinement.h"
#include "ioengine/replay/target_map.h"

namespace ioflux {
namespace {

bool IsMem(const ReplaySettings& settings) { return settings.text(Setting::kBackend) == "mem"; }

/// Opens the root; one that is missing is made, or its nearest existing folder stands for it.
Result<void> OpenRoot(const ReplaySettings& settings, MissingRoot missing_root, RunTargets& run) {
  const std::string& path = settings.text(Setting::kTargetRoot);
  std::error_code ignored;
  const bool may_be_made = Materialises(settings);
  if (may_be_made && missing_root == MissingRoot::kLeave &&
      !std::filesystem::exists(path, ignored)) {
    std::filesystem::path folder = std::filesystem::absolute(path, ignored);
    while (folder.has_relative_path() && !std::filesystem::is_directory(folder, ignored))
      folder = folder.parent_path();
    IOFLUX_ASSIGN_OR_RETURN(run.root, FileRoot::Confined(folder.string(), /*create=*/false));
    run.root_missing = true;
    run.root_path = std::filesystem::weakly_canonical(path, ignored).string();
    return {};
  }
  IOFLUX_ASSIGN_OR_RETURN(run.root, FileRoot::Confined(path, may_be_made));
  run.root_path = std::filesystem::canonical(path, ignored).string();
  return {};
}

/// Whether two names are spellings of one path; links aside.
bool SamePath(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::absolute(a, ignored).lexically_normal() ==
         std::filesystem::absolute(b, ignored).lexically_normal();
}

/// Without a root only a rule of the map says where writes may go: a map that leaves a name as it
/// is says nothing.
Result<void> CheckWrittenAreMapped(const ReplaySettings& settings, const LoadedTrace& trace) {
  const bool materialises = Materialises(settings);
  TargetMap map;
  const bool has_map = settings.is_set(Setting::kTargetMap);
  if (has_map) {
    IOFLUX_ASSIGN_OR_RETURN(map, TargetMap::Load(settings.text(Setting::kTargetMap)));
  }
  for (std::size_t id = 0; id < trace.targets.size(); ++id) {
    const TargetUse& use = trace.targets[id];
    if (!use.written && !(materialises && !use.created_by_trace)) continue;
    const std::string& source = trace.header.targets[id].name;
    std::string name = source;
    if (has_map) {
      IOFLUX_ASSIGN_OR_RETURN(name,
                              map.Rewrite(source, settings.boolean(Setting::kAllowPassthrough)));
    }
    if (!SamePath(name, source)) continue;
    return Error{
        .kind = ErrorKind::kRefused,
        .what = std::string(use.written ? "the trace" : "preparation") + " would write to '" +
                source +
                "' itself: there is no target root, and no rule of a target map sends "
                "it elsewhere",
        .where = {.path = settings.text(Setting::kTrace), .line = 0, .item = {}},
        .mend =
            "give --target-root, a rule of --target-map for it, or --unconfined if you mean it"};
  }
  return {};
}

}  // namespace

FileLook RunTargets::Look(const BackendTarget& target) const {
  if (root_missing) {
    FileLook nothing;
    nothing.error = ENOENT;
    return nothing;
  }
  return LookAt(root, target.path);
}

bool Materialises(const ReplaySettings& settings) {
  return settings.text(Setting::kPrepare).starts_with("materialize-");
}

Result<RunTargets> ResolveRunTargets(const ReplaySettings& settings, const TraceHeader& header,
                                     MissingRoot missing_root) {
  RunTargets run;
  run.on_files = !IsMem(settings);
  const std::string& root = settings.text(Setting::kTargetRoot);
  if (!root.empty()) IOFLUX_RETURN_IF_ERROR(OpenRoot(settings, missing_root, run));
  TargetMap map;
  if (settings.is_set(Setting::kTargetMap)) {
    IOFLUX_ASSIGN_OR_RETURN(map, TargetMap::Load(settings.text(Setting::kTargetMap)));
  }
  for (const Target& target : header.targets) {
    std::string name = target.name;
    if (settings.is_set(Setting::kTargetMap)) {
      IOFLUX_ASSIGN_OR_RETURN(
          name, map.Rewrite(target.name, settings.boolean(Setting::kAllowPassthrough)));
    }
    IOFLUX_RETURN_IF_ERROR(CheckTargetName(target.name, name));
    std::string path = name;
    if (!root.empty()) {
      IOFLUX_ASSIGN_OR_RETURN(path, PathBelowRoot(name, root));
    }
    run.targets.push_back({.name = std::move(name), .path = std::move(path)});
  }
  const bool can_look = run.on_files && !run.root_missing;
  if (can_look) IOFLUX_RETURN_IF_ERROR(CheckTargets(run.root, root, run.targets));
  return run;
}

Result<void> CheckRunSafety(const ReplaySettings& settings, const LoadedTrace& trace,
                            bool host_is_read_only) {
  if (IsMem(settings)) return {};
  const bool materialises = Materialises(settings);
  if (!trace.writes() && !materialises) return {};
  if (host_is_read_only) {
    return Error{.kind = ErrorKind::kRefused,
                 .what = materialises ? "preparation would write, and fio runs with --readonly"
                                      : "the trace writes, and fio runs with --readonly",
                 .where = {.path = settings.text(Setting::kTrace), .line = 0, .item = {}},
                 .mend = "run without --readonly"};
  }
  if (settings.is_set(Setting::kTargetRoot) || settings.boolean(Setting::kUnconfined)) return {};
  return CheckWrittenAreMapped(settings, trace);
}

}  // namespace ioflux
