// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/checkpoint_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/number_text.h"
#include "base/saturating_math.h"
#include "trace_tools/generate/header_limit.h"
#include "trace_tools/generate/parameter_check.h"

namespace ioflux {
namespace {

constexpr std::string_view kPerFile = "per-file";
constexpr std::string_view kFinal = "final";
constexpr std::string_view kNone = "none";
constexpr std::array<std::string_view, 3> kFsyncWords = {kPerFile, kFinal, kNone};

/// What the parameters come to.
struct Plan {
  CheckpointWriteParams params;
  std::int64_t interval_ns = 0;

  std::int64_t FileBytes(std::int64_t rank) const {
    const std::int64_t share = params.model_bytes / params.ranks;
    return rank + 1 < params.ranks ? share : share + params.model_bytes % params.ranks;
  }
  bool Syncs(std::int64_t checkpoint) const {
    return params.fsync == kPerFile ||
           (params.fsync == kFinal && checkpoint + 1 == params.checkpoints);
  }
  std::int64_t StepNs(std::int64_t bytes) const { return params.model.DurationNs(bytes); }
  std::int64_t StartNs(std::int64_t checkpoint, std::int64_t previous_end_ns) const {
    return std::max(SaturatingMultiply(checkpoint, interval_ns), previous_end_ns);
  }
};

class RankOps final : public StreamOps {
 public:
  RankOps(std::shared_ptr<const Plan> plan, std::int64_t rank)
      : plan_(std::move(plan)), rank_(rank), file_bytes_(plan_->FileBytes(rank)) {}

  std::optional<std::int64_t> NextTimeNs() const override {
    if (checkpoint_ == plan_->params.checkpoints) return std::nullopt;
    return now_ns_;
  }

  void Next(Op& op) override {
    const std::int64_t file = checkpoint_ * plan_->params.ranks + rank_;
    op.t_ns = now_ns_;
    op.SetHandle(file + 1);
    std::int64_t bytes = 0;
    if (phase_ == Phase::kOpen) {
      op.kind = OpKind::kOPEN;
      op.SetTarget(file);
      op.mode = OpenMode::kWrite;
      op.flags = {"create", "trunc"};
      phase_ = Phase::kWrite;
    } else if (phase_ == Phase::kWrite) {
      bytes = std::min(plan_->params.block_bytes, file_bytes_ - offset_);
      op.kind = OpKind::kWRITE;
      op.SetOffset(offset_).SetLength(bytes);
      offset_ += bytes;
      if (offset_ == file_bytes_) phase_ = plan_->Syncs(checkpoint_) ? Phase::kSync : Phase::kClose;
    } else if (phase_ == Phase::kSync) {
      op.kind = OpKind::kFSYNC;
      phase_ = Phase::kClose;
    } else {
      op.kind = OpKind::kCLOSE;
    }
    if (plan_->params.model.given()) op.SetDuration(plan_->StepNs(bytes));
    now_ns_ = SaturatingAdd(now_ns_, plan_->StepNs(bytes));
    if (op.kind == OpKind::kCLOSE) StartNextFile();
  }

 private:
  enum class Phase : std::uint8_t { kOpen, kWrite, kSync, kClose };

  void StartNextFile() {
    ++checkpoint_;
    offset_ = 0;
    phase_ = Phase::kOpen;
    now_ns_ = plan_->StartNs(checkpoint_, now_ns_);
  }

  std::shared_ptr<const Plan> plan_;
  std::int64_t rank_;
  std::int64_t file_bytes_;
  std::int64_t checkpoint_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t now_ns_ = 0;
  Phase phase_ = Phase::kOpen;
};

Result<void> CheckParams(const CheckpointWriteParams& params) {
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--model-size", params.model_bytes));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--writer-ranks", params.ranks));
  if (params.ranks > params.model_bytes) {
    return ParameterError("--writer-ranks", fmt::format("{} ranks cannot share a model of {} bytes",
                                                        params.ranks, params.model_bytes));
  }
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--write-block", params.block_bytes));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--num-checkpoints", params.checkpoints));
  if (!std::isfinite(params.interval_s)) {
    return ParameterError("--checkpoint-interval", "it must be a finite number of seconds");
  }
  if (params.interval_s < 0) {
    return ParameterError(
        "--checkpoint-interval",
        fmt::format("it must be at least 0, but it is {}", FormatGeneral(params.interval_s)));
  }
  IOFLUX_RETURN_IF_ERROR(CheckWord("--fsync", params.fsync, kFsyncWords));
  return CheckTimingModel(params.model);
}

std::string Notes(const CheckpointWriteParams& params) {
  std::string notes = fmt::format(
      "{} checkpoints of a {} MiB model by {} ranks, {} MiB blocks, every {}s, fsync {}",
      params.checkpoints, params.model_bytes >> 20, params.ranks, params.block_bytes >> 20,
      FormatGeneral(params.interval_s), params.fsync);
  if (params.model.given()) notes += ", modelled " + params.model.Text();
  return notes;
}

std::string FileName(std::int64_t checkpoint, std::int64_t rank) {
  return fmt::format("checkpoint_{:04}/shard_{:04}.pt", checkpoint, rank);
}

TraceHeader HeaderOf(const CheckpointWriteParams& params) {
  return SyntheticHeader("checkpoint-write", Notes(params));
}

void AddTargets(TraceHeader& header, const Plan& plan) {
  const std::int64_t ranks = plan.params.ranks;
  header.targets.reserve(static_cast<std::size_t>(plan.params.checkpoints * ranks));
  for (std::int64_t checkpoint = 0; checkpoint < plan.params.checkpoints; ++checkpoint) {
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      header.targets.push_back({.id = checkpoint * ranks + rank,
                                .name = FileName(checkpoint, rank),
                                .kind = "file",
                                .size_bytes = plan.FileBytes(rank)});
    }
  }
}

HeaderPlan HeaderPlanOf(Plan plan, std::int64_t checkpoints, std::int64_t ranks) {
  plan.params.checkpoints = checkpoints;
  plan.params.ranks = ranks;
  const auto fixed = static_cast<std::int64_t>(FileName(0, 0).size()) - 8;
  return {.header = HeaderOf(plan.params),
          .targets = SaturatingMultiply(checkpoints, ranks),
          .shape_of = [fixed, plan](std::int64_t id) {
            const std::int64_t rank = id % plan.params.ranks;
            return TargetShape{.name_bytes = fixed + DecimalDigits(id / plan.params.ranks, 4) +
                                             DecimalDigits(rank, 4),
                               .size_bytes = plan.FileBytes(rank)};
          }};
}

Result<void> CheckHeaderFits(const Plan& plan) {
  const std::int64_t checkpoints = plan.params.checkpoints;
  const std::int64_t ranks = plan.params.ranks;
  if (HeaderFits(HeaderPlanOf(plan, checkpoints, ranks))) return {};
  const std::string what =
      fmt::format("the header of {} checkpoints by {} ranks is longer than any reader accepts",
                  checkpoints, ranks);
  const std::int64_t most_checkpoints = LargestCountThatFits(
      checkpoints, [&](std::int64_t count) { return HeaderPlanOf(plan, count, ranks); });
  if (most_checkpoints > 0) {
    return ParameterError("--num-checkpoints", what,
                          fmt::format("use at most {} checkpoints", most_checkpoints));
  }
  const std::int64_t most_ranks =
      LargestCountThatFits(ranks, [&](std::int64_t count) { return HeaderPlanOf(plan, 1, count); });
  return ParameterError("--writer-ranks", what, fmt::format("use at most {} ranks", most_ranks));
}

/// Ops and time of one file.
struct FileCost {
  std::int64_t ops;
  std::int64_t duration_ns;
};

FileCost CostOf(const Plan& plan, std::int64_t file_bytes, bool syncs) {
  const std::int64_t full_blocks = file_bytes / plan.params.block_bytes;
  const std::int64_t rest_bytes = file_bytes % plan.params.block_bytes;
  const std::int64_t without_data = syncs ? 3 : 2;  // OPEN, FSYNC, CLOSE
  const std::int64_t data_ns =
      SaturatingMultiply(full_blocks, plan.StepNs(plan.params.block_bytes));
  const std::int64_t rest_ns = rest_bytes == 0 ? 0 : plan.StepNs(rest_bytes);
  return {.ops = SaturatingAdd(full_blocks, (rest_bytes == 0 ? 0 : 1) + without_data),
          .duration_ns = SaturatingAdd(SaturatingAdd(data_ns, rest_ns),
                                       SaturatingMultiply(without_data, plan.StepNs(0)))};
}

/// All ranks but the last are alike, so two of them tell everything.
Result<TraceSummary> Summarise(const Plan& plan) {
  const CheckpointWriteParams& params = plan.params;
  TraceSummary summary;
  summary.num_streams = params.ranks;
  summary.total_bytes = SaturatingMultiply(params.model_bytes, params.checkpoints);
  if (summary.total_bytes == kSaturated) {
    return ParameterError("--model-size", "size x checkpoints is more than 2^63-1 bytes");
  }
  std::int64_t share_end_ns = 0;
  std::int64_t last_end_ns = 0;
  for (std::int64_t checkpoint = 0; checkpoint < params.checkpoints; ++checkpoint) {
    const bool syncs = plan.Syncs(checkpoint);
    const FileCost share = CostOf(plan, plan.FileBytes(0), syncs);
    const FileCost last = CostOf(plan, plan.FileBytes(params.ranks - 1), syncs);
    summary.num_ops = SaturatingAdd(
        summary.num_ops, SaturatingAdd(SaturatingMultiply(params.ranks - 1, share.ops), last.ops));
    share_end_ns = SaturatingAdd(plan.StartNs(checkpoint, share_end_ns), share.duration_ns);
    last_end_ns = SaturatingAdd(plan.StartNs(checkpoint, last_end_ns), last.duration_ns);
  }
  const std::int64_t end_ns = params.ranks > 1 ? std::max(share_end_ns, last_end_ns) : last_end_ns;
  if (end_ns == kSaturated) {
    return ParameterError("--checkpoint-interval", "the trace would last longer than 292 years");
  }
  summary.duration_ns = end_ns - plan.StepNs(0);
  return summary;
}

}  // namespace

Result<GeneratedTrace> GenerateCheckpointWrite(const CheckpointWriteParams& params) {
  IOFLUX_RETURN_IF_ERROR(CheckParams(params));
  const double interval_ns = params.interval_s * 1e9;
  if (interval_ns >= 0x1p63) {
    return ParameterError("--checkpoint-interval", "it is longer than 292 years");
  }
  auto plan = std::make_shared<Plan>(
      Plan{.params = params, .interval_ns = static_cast<std::int64_t>(interval_ns)});
  IOFLUX_RETURN_IF_ERROR(CheckHeaderFits(*plan));
  IOFLUX_ASSIGN_OR_RETURN(const TraceSummary summary, Summarise(*plan));

  TraceHeader header = HeaderOf(params);
  AddTargets(header, *plan);
  header.summary = summary;
  std::vector<std::unique_ptr<StreamOps>> streams;
  for (std::int64_t rank = 0; rank < params.ranks; ++rank) {
    streams.push_back(std::make_unique<RankOps>(plan, rank));
  }
  return GeneratedTrace{.header = std::move(header), .ops = MergedOps(std::move(streams))};
}

}  // namespace ioflux
