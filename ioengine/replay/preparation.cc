// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/preparation.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_map>

namespace ioflux {
namespace {

constexpr std::int64_t kChunkBytes = 1 << 20;

Where At(const BackendTarget& target) { return {.path = target.name, .line = 0, .item = {}}; }

Error Stopped() {
  return Error{.kind = ErrorKind::kFailed,
               .what = "stopped while preparing the targets",
               .where = {},
               .mend = ""};
}

class Preparer {
 public:
  Preparer(const LoadedTrace& trace, const std::vector<BackendTarget>& targets, Backend& backend,
           const Payload& payload, const std::function<bool()>& stopping)
      : trace_(trace),
        targets_(targets),
        backend_(backend),
        payload_(payload),
        stopping_(stopping) {}

  Result<PrepareReport> Run(PrepareMode mode) {
    for (const Plan& plan : PlanPaths()) {
      if (stopping_()) return Stopped();
      const BackendTarget& target = targets_[plan.id];
      if (plan.created_by_trace) {
        ++report_.left_to_trace;
        IOFLUX_RETURN_IF_ERROR(backend_.MakeParents(target));
      } else if (mode == PrepareMode::kAssumeExisting) {
        IOFLUX_RETURN_IF_ERROR(Verify(target, plan));
      } else {
        IOFLUX_RETURN_IF_ERROR(Materialise(target, plan));
      }
    }
    return report_;
  }

 private:
  /// What one path needs. Several targets may share a path (a map can send two names to one); they
  /// are prepared once, for the larger need.
  struct Plan {
    std::size_t id = 0;
    bool created_by_trace = false;
    std::int64_t recorded_bytes = 0;
    std::int64_t read_extent_bytes = 0;
  };

  std::vector<Plan> PlanPaths() const {
    std::vector<Plan> plans;
    std::unordered_map<std::string_view, std::size_t> by_path;
    for (std::size_t id = 0; id < targets_.size(); ++id) {
      const TargetUse& use = trace_.targets[id];
      const auto [entry, is_new] = by_path.try_emplace(targets_[id].path, plans.size());
      if (is_new) plans.push_back({.id = id, .created_by_trace = use.created_by_trace});
      Plan& plan = plans[entry->second];
      plan.created_by_trace &= use.created_by_trace;
      plan.recorded_bytes = std::max(plan.recorded_bytes, trace_.header.targets[id].size_bytes);
      plan.read_extent_bytes = std::max(plan.read_extent_bytes, use.read_extent_bytes);
    }
    return plans;
  }

  Result<void> Verify(const BackendTarget& target, const Plan& plan) {
    std::int64_t size_bytes = 0;
    const IoOutcome outcome = backend_.Stat(target, &size_bytes);
    if (outcome.error != 0) {
      Error error = SystemError("target is not there", outcome.error, At(target),
                                "create it, mend the map, or use --prepare materialize-synthetic");
      error.kind = ErrorKind::kRefused;
      return error;
    }
    if (plan.recorded_bytes == 0) {
      ++report_.skipped_size_unknown;
    } else if (backend_.MovesData() && plan.recorded_bytes != size_bytes) {
      return Error{.kind = ErrorKind::kRefused,
                   .what = "target has " + std::to_string(size_bytes) +
                           " bytes, the trace recorded " + std::to_string(plan.recorded_bytes),
                   .where = At(target),
                   .mend = "restore the file, or use --prepare materialize-synthetic"};
    } else {
      ++report_.verified;
    }
    return {};
  }

  Result<void> Materialise(const BackendTarget& target, const Plan& plan) {
    const std::int64_t size_bytes = std::max(plan.recorded_bytes, plan.read_extent_bytes);
    if (plan.recorded_bytes == 0)
      ++(size_bytes > 0 ? report_.derived_size_from_ops : report_.created_empty);
    IOFLUX_RETURN_IF_ERROR(backend_.MakeParents(target));
    BackendHandle handle = kNoHandle;
    const IoOutcome opened =
        backend_.Open(target, {.write = true, .create = true, .truncate = true}, &handle);
    if (opened.error != 0)
      return SystemError("cannot create this target", opened.error, At(target));
    Result<void> written = WriteAll(target, handle, size_bytes);
    const IoOutcome synced = written ? backend_.Sync(handle) : IoOutcome{};
    const IoOutcome closed = backend_.Close(handle);
    if (!written) return written;
    if (const int error = synced.error != 0 ? synced.error : closed.error; error != 0) {
      return SystemError("cannot write this target", error, At(target));
    }
    ++report_.created;
    report_.bytes_written += size_bytes;
    return {};
  }

  Result<void> WriteAll(const BackendTarget& target, BackendHandle handle,
                        std::int64_t size_bytes) {
    if (!backend_.MovesData()) return {};
    const std::uint64_t hash = PayloadTargetHash(target.name);
    chunk_.resize(static_cast<std::size_t>(kChunkBytes));
    for (std::int64_t offset = 0; offset < size_bytes;) {
      if (stopping_()) return Stopped();
      const std::int64_t length_bytes = std::min(kChunkBytes, size_bytes - offset);
      payload_.Fill(/*op_id=*/0, hash, static_cast<std::uint64_t>(offset),
                    {chunk_.data(), static_cast<std::size_t>(length_bytes)});
      const IoOutcome outcome = backend_.Write(handle, offset, length_bytes, chunk_.data());
      if (outcome.error != 0 || outcome.moved_bytes == 0) {
        return SystemError("cannot write this target at offset " + std::to_string(offset),
                           outcome.error, At(target),
                           "free space, or map the target to a larger file system");
      }
      offset += outcome.moved_bytes;
    }
    return {};
  }

  const LoadedTrace& trace_;
  const std::vector<BackendTarget>& targets_;
  Backend& backend_;
  const Payload& payload_;
  const std::function<bool()>& stopping_;
  PrepareReport report_;
  std::vector<char> chunk_;
};

}  // namespace

Result<PrepareReport> Prepare(PrepareMode mode, const LoadedTrace& trace,
                              const std::vector<BackendTarget>& targets, Backend& backend,
                              const Payload& payload, const std::function<bool()>& stopping) {
  if (mode == PrepareMode::kNone) return PrepareReport{};
  const auto start = std::chrono::steady_clock::now();
  IOFLUX_ASSIGN_OR_RETURN(PrepareReport report,
                          Preparer(trace, targets, backend, payload, stopping).Run(mode));
  report.duration_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}

}  // namespace ioflux
