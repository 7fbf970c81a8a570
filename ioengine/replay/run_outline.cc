// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_outline.h"

#include <utility>

#include "base/size_text.h"
#include "ioengine/replay/own_files.h"

namespace ioflux {
namespace {

constexpr std::int64_t kImplausibleNs = std::int64_t{7} * 24 * 3600 * 1'000'000'000;

void Add(OutlinedTargets& list, const std::string& name, std::int64_t bytes) {
  ++list.count;
  list.bytes += bytes;
  if (list.first_names.size() < kOutlinedNames) list.first_names.push_back(name);
}

std::string Size(std::int64_t bytes) { return FormatSizeHuman(static_cast<std::uint64_t>(bytes)); }

class Outliner {
 public:
  Outliner(const ReplaySettings& settings, const LoadedTrace& trace, const Stopping& stopping)
      : settings_(settings), trace_(trace), stopping_(stopping) {}

  RunOutline Run() {
    DescribeTrace();
    WarnOfPace();
    if (const Result<void> fits = Check(); !fits) outline_.refusal = fits.error();
    return std::move(outline_);
  }

 private:
  void DescribeTrace() {
    outline_.mode = settings_.text(Setting::kMode);
    outline_.streams = trace_.header.summary.num_streams;
    outline_.ops = trace_.header.summary.num_ops;
    outline_.op_counts = trace_.op_counts;
    outline_.pace = PaceOf(trace_, settings_);
    outline_.root_path = settings_.text(Setting::kTargetRoot);
  }

  void WarnOfPace() {
    const RunPace& pace = outline_.pace;
    if (!pace.planned_ns || *pace.planned_ns <= kImplausibleNs) return;
    outline_.warnings.push_back(
        "in mode " + outline_.mode + " the trace takes " +
        std::to_string(*pace.planned_ns / (std::int64_t{24} * 3600 * 1'000'000'000)) +
        " days: is its time_unit right? The header says " + trace_.header.time_unit);
  }

  /// The steps of a real run, in their order.
  Result<void> Check() {
    IOFLUX_RETURN_IF_ERROR(CheckPace(trace_, settings_));
    IOFLUX_RETURN_IF_ERROR(CheckRunSafety(settings_, trace_, /*host_is_read_only=*/false));
    IOFLUX_ASSIGN_OR_RETURN(where_,
                            ResolveRunTargets(settings_, trace_.header, MissingRoot::kLeave));
    IOFLUX_RETURN_IF_ERROR(CheckInputsAreNoTargets(settings_, trace_, where_));
    outline_.root_path = where_.root_path;
    outline_.makes_root = where_.root_missing;
    DescribeUse();
    if (where_.on_files) {
      outline_.descriptors_needed = DescriptorsNeeded(trace_, settings_);
      IOFLUX_RETURN_IF_ERROR(CheckDescriptorLimit(outline_.descriptors_needed));
      IOFLUX_RETURN_IF_ERROR(CheckMemory(BufferBytesNeeded(trace_, settings_)));
    }
    return CheckPreparation();
  }

  void DescribeUse() {
    for (std::size_t id = 0; id < where_.targets.size(); ++id) {
      const TargetUse& use = trace_.targets[id];
      const std::string& name = where_.targets[id].name;
      if (use.read_bytes > 0) Add(outline_.read, name, use.read_bytes);
      if (use.filled) Add(outline_.written, name, use.written_bytes);
      if (use.deleted) Add(outline_.deleted, name, 0);
    }
  }

  Result<void> CheckPreparation() {
    const Payload payload = PayloadOf(settings_);
    PreparationInput input{.mode = PrepareModeOf(settings_),
                           .trace = &trace_,
                           .where = &where_,
                           .payload = &payload,
                           .stopping = stopping_};
    std::optional<SourceFiles> sources;
    if (input.mode == PrepareMode::kMaterializeFromSource) {
      IOFLUX_ASSIGN_OR_RETURN(sources, SourceFiles::At(settings_.text(Setting::kSourceRoot)));
      input.sources = &*sources;
    }
    IOFLUX_ASSIGN_OR_RETURN(const PreparationPlan plan, PlanPreparation(input));
    for (const PlannedTarget& planned : plan.targets) DescribeStep(planned);
    outline_.space = MeasureSpace(plan, trace_, where_);
    IOFLUX_RETURN_IF_ERROR(CheckSpace(outline_.space));
    WarnOfSpace();
    WarnOfLeftOvers();
    return {};
  }

  void WarnOfLeftOvers() {
    if (outline_.left_over.count == 0) return;
    outline_.warnings.push_back(std::to_string(outline_.left_over.count) +
                                " target(s) that the trace creates are there already: they will "
                                "be overwritten, not created");
  }

  void DescribeStep(const PlannedTarget& planned) {
    OutlinedTargets* list = ListOf(planned.step);
    if (list != nullptr)
      Add(*list, where_.targets[planned.id].name, planned.makes_file() ? planned.size_bytes : 0);
    if (planned.step == PrepareStep::kLeaveToTrace && planned.now.exists)
      Add(outline_.left_over, where_.targets[planned.id].name, planned.now.size_bytes);
  }

  OutlinedTargets* ListOf(PrepareStep step) {
    switch (step) {
      case PrepareStep::kUntouched:
        return nullptr;
      case PrepareStep::kLeaveToTrace:
        return &outline_.left_to_trace;
      case PrepareStep::kVerify:
      case PrepareStep::kVerifySizeUnknown:
        return &outline_.verified;
      case PrepareStep::kKeep:
        return &outline_.kept;
      case PrepareStep::kMake:
        return &outline_.made;
      case PrepareStep::kRemake:
        return &outline_.remade;
      case PrepareStep::kMakeFolder:
        return &outline_.made_folders;
    }
    return nullptr;
  }

  void WarnOfSpace() {
    for (const SpaceNeed& need : outline_.space) {
      // Deleted and overwritten bytes need none, so this is no more than a warning.
      if (need.run_bytes <= need.free_bytes - need.prepare_bytes) continue;
      outline_.warnings.push_back(
          "the trace writes up to " + Size(need.run_bytes) + " below " + need.place + ", where " +
          Size(need.free_bytes - need.prepare_bytes) + " will be free: it may run out of space");
    }
  }

  const ReplaySettings& settings_;
  const LoadedTrace& trace_;
  const Stopping& stopping_;
  RunTargets where_;
  RunOutline outline_;
};

}  // namespace

Result<RunOutline> OutlineRun(const ReplaySettings& settings, const Stopping& stopping) {
  IOFLUX_RETURN_IF_ERROR(settings.CheckCombination());
  IOFLUX_ASSIGN_OR_RETURN(const LoadedTrace trace,
                          LoadTrace(settings.text(Setting::kTrace), stopping));
  return Outliner(settings, trace, stopping).Run();
}

}  // namespace ioflux
