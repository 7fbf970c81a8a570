// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/preparation_plan.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/saturating_math.h"

namespace ioflux {
namespace {

Error Refused(std::string what, const BackendTarget& target, std::string mend) {
  return Error{.kind = ErrorKind::kRefused,
               .what = std::move(what),
               .where = {.path = target.name, .line = 0, .item = {}},
               .mend = std::move(mend)};
}

class Planner {
 public:
  explicit Planner(const PreparationInput& input) : input_(input) {}

  Result<PreparationPlan> Run() {
    ListPaths();
    if (!input_.where->on_files) {
      DecideWithoutFiles();
      return std::move(plan_);
    }
    ListFolders();
    for (PlannedTarget& planned : plan_.targets) {
      if (input_.stopping && input_.stopping()) return StoppedWhile("preparing the targets");
      if (Result<void> decided = Decide(planned); !decided) Problem(decided.error());
    }
    if (!problem_) return std::move(plan_);
    if (further_problems_ > 0) {
      problem_->what += "; " + std::to_string(further_problems_) + " more target(s) cannot be used";
    }
    return *problem_;
  }

 private:
  const BackendTarget& TargetOf(const PlannedTarget& planned) const {
    return input_.where->targets[planned.id];
  }

  void ListPaths() {
    const std::vector<BackendTarget>& targets = input_.where->targets;
    std::unordered_map<std::string_view, std::size_t> by_path;
    for (std::size_t id = 0; id < targets.size(); ++id) {
      const TargetUse& use = input_.trace->targets[id];
      const auto [entry, is_new] = by_path.try_emplace(targets[id].path, plan_.targets.size());
      if (is_new) plan_.targets.push_back({.id = id, .created_by_trace = true});
      PlannedTarget& planned = plan_.targets[entry->second];
      planned.created_by_trace &= use.created_by_trace;
      planned.written_by_trace |= use.written;
      planned.recorded_bytes =
          std::max(planned.recorded_bytes, input_.trace->header.targets[id].size_bytes);
      planned.read_extent_bytes = std::max(planned.read_extent_bytes, use.read_extent_bytes);
    }
  }

  /// Every folder above a target, so that a target that is one of them is seen to be a folder.
  void ListFolders() {
    for (const PlannedTarget& planned : plan_.targets) {
      std::string_view path = TargetOf(planned).path;
      for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
           slash = path.rfind('/')) {
        path = path.substr(0, slash);
        if (!folders_.insert(path).second) break;
      }
    }
  }

  void DecideWithoutFiles() {
    for (PlannedTarget& planned : plan_.targets) planned.step = WithoutFiles(planned);
  }

  PrepareStep WithoutFiles(const PlannedTarget& planned) const {
    if (input_.mode == PrepareMode::kNone) return PrepareStep::kUntouched;
    if (planned.created_by_trace) return PrepareStep::kLeaveToTrace;
    if (input_.mode != PrepareMode::kAssumeExisting) return PrepareStep::kMake;
    return planned.recorded_bytes > 0 ? PrepareStep::kVerify : PrepareStep::kVerifySizeUnknown;
  }

  Result<void> Decide(PlannedTarget& planned) {
    planned.now = input_.where->Look(TargetOf(planned));
    planned.size_bytes = planned.now.size_bytes;
    if (planned.now.error != 0 && planned.now.error != ENOENT && planned.now.error != ENOTDIR) {
      return SystemError("cannot look at this target", planned.now.error,
                         {.path = TargetOf(planned).name, .line = 0, .item = {}});
    }
    if (input_.mode == PrepareMode::kNone) return {};
    if (planned.created_by_trace) {
      planned.step = PrepareStep::kLeaveToTrace;
      return {};
    }
    return input_.mode == PrepareMode::kAssumeExisting ? DecideVerify(planned)
                                                       : DecideMaterialise(planned);
  }

  Result<void> DecideVerify(PlannedTarget& planned) {
    const BackendTarget& target = TargetOf(planned);
    const std::string mend =
        "restore the file, mend the map, or use --prepare "
        "materialize-synthetic";
    if (!planned.now.exists) return Refused("target is not there", target, mend);
    const bool size_known = planned.recorded_bytes > 0 && planned.now.regular;
    planned.step = size_known ? PrepareStep::kVerify : PrepareStep::kVerifySizeUnknown;
    if (!planned.now.regular) return {};
    const std::string has = "target has " + std::to_string(planned.now.size_bytes) + " bytes, ";
    if (size_known && planned.recorded_bytes != planned.now.size_bytes) {
      return Refused(has + "the trace recorded " + std::to_string(planned.recorded_bytes), target,
                     mend);
    }
    if (!planned.written_by_trace && planned.read_extent_bytes > planned.now.size_bytes) {
      return Refused(has + "the trace reads " + std::to_string(planned.read_extent_bytes), target,
                     mend);
    }
    return {};
  }

  Result<void> DecideMaterialise(PlannedTarget& planned) {
    const BackendTarget& target = TargetOf(planned);
    if (folders_.contains(target.path) || target.path == ".") {
      planned.step = planned.now.folder ? PrepareStep::kKeep : PrepareStep::kMakeFolder;
      return {};
    }
    planned.step = planned.now.exists ? PrepareStep::kRemake : PrepareStep::kMake;
    if (planned.now.exists && !planned.now.regular) {
      // Devices and pipes hold no bytes of ours; a folder is what a STAT may well be of.
      planned.step = PrepareStep::kKeep;
      if (!planned.now.folder || planned.read_extent_bytes == 0) return {};
      return Refused("the trace reads this target, but a folder is there", target,
                     "remove it, or map the target elsewhere");
    }
    planned.size_bytes = std::max(planned.recorded_bytes, planned.read_extent_bytes);
    if (input_.mode == PrepareMode::kMaterializeFromSource)
      IOFLUX_RETURN_IF_ERROR(TakeSizeOfSource(planned));
    if (planned.step == PrepareStep::kRemake && !planned.written_by_trace &&
        planned.now.size_bytes == planned.size_bytes) {
      IOFLUX_ASSIGN_OR_RETURN(const TargetContent content, input_.ContentOf(planned.id));
      if (HoldsContent(input_.where->root, target.path, planned.size_bytes, content))
        planned.step = PrepareStep::kKeep;
    }
    return {};
  }

  Result<void> TakeSizeOfSource(PlannedTarget& planned) {
    const std::string& original = input_.trace->header.targets[planned.id].name;
    IOFLUX_ASSIGN_OR_RETURN(const SourceFile source, input_.sources->Open(original));
    if (source.is_folder()) {
      planned.step = planned.now.folder ? PrepareStep::kKeep : PrepareStep::kMakeFolder;
      return {};
    }
    planned.size_bytes = source.size_bytes();
    const std::string has =
        "the source of this target has " + std::to_string(planned.size_bytes) + " bytes, ";
    const std::string mend =
        "take the data as it was when the trace was recorded, or use --prepare "
        "materialize-synthetic";
    if (planned.written_by_trace) return {};
    if (planned.recorded_bytes > 0 && planned.recorded_bytes != planned.size_bytes) {
      return Refused(has + "the trace recorded " + std::to_string(planned.recorded_bytes),
                     TargetOf(planned), mend);
    }
    if (planned.read_extent_bytes > planned.size_bytes) {
      return Refused(has + "the trace reads " + std::to_string(planned.read_extent_bytes),
                     TargetOf(planned), mend);
    }
    return {};
  }

  void Problem(const Error& error) {
    if (problem_) {
      ++further_problems_;
    } else {
      problem_ = error;
    }
  }

  const PreparationInput& input_;
  PreparationPlan plan_;
  std::unordered_set<std::string_view> folders_;
  std::optional<Error> problem_;
  std::int64_t further_problems_ = 0;
};

}  // namespace

PrepareMode PrepareModeOf(const ReplaySettings& settings) {
  const std::string& word = settings.text(Setting::kPrepare);
  if (word == "assume-existing") return PrepareMode::kAssumeExisting;
  if (word == "materialize-synthetic") return PrepareMode::kMaterializeSynthetic;
  if (word == "materialize-from-source") return PrepareMode::kMaterializeFromSource;
  return PrepareMode::kNone;
}

Result<TargetContent> PreparationInput::ContentOf(std::size_t target_id) const {
  if (mode != PrepareMode::kMaterializeFromSource)
    return TargetContent(*payload, where->targets[target_id].name);
  IOFLUX_ASSIGN_OR_RETURN(SourceFile source, sources->Open(trace->header.targets[target_id].name));
  return TargetContent(std::move(source));
}

std::int64_t PreparationPlan::Count(PrepareStep step) const {
  return std::count_if(targets.begin(), targets.end(),
                       [step](const PlannedTarget& planned) { return planned.step == step; });
}

std::int64_t PreparationPlan::bytes_to_write() const {
  std::int64_t bytes = 0;
  for (const PlannedTarget& planned : targets) {
    if (planned.makes_file()) bytes = SaturatingAdd(bytes, planned.size_bytes);
  }
  return bytes;
}

Result<PreparationPlan> PlanPreparation(const PreparationInput& input) {
  return Planner(input).Run();
}

}  // namespace ioflux
