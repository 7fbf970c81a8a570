// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/training_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/duration_text.h"
#include "base/saturating_math.h"
#include "trace_tools/generate/header_limit.h"
#include "trace_tools/generate/lognormal_size.h"
#include "trace_tools/generate/parameter_check.h"
#include "trace_tools/generate/pcg_dxsm.h"

namespace ioflux {
namespace {

constexpr std::string_view kLognormal = "lognormal";
constexpr std::string_view kSequential = "sequential";
constexpr std::string_view kRandom = "random";
constexpr std::array<std::string_view, 1> kDistributions = {kLognormal};
constexpr std::array<std::string_view, 2> kReadOrders = {kSequential, kRandom};

/// From one op to the next without a timing model.
constexpr std::int64_t kStepNs = 1'000'000;

struct Record {
  std::int64_t offset;
  std::int64_t bytes;
};

/// One shard read once.
struct Visit {
  std::int64_t shard;
  PcgDxsm random;  // as it stands before the records of this visit are drawn
};

/// Everything the streams share. A visit's records are drawn again when its stream gets there, so
/// that only its random state need be kept.
struct Plan {
  TrainingReadParams params;
  LognormalSize sizes;
  std::vector<Visit> visits;  // visit v has handle v + 1

  explicit Plan(const TrainingReadParams& given) : params(given), sizes(given.record_bytes) {}

  bool has_durations() const { return params.model.given() || params.compute_ns; }
  std::int64_t StepNs(std::int64_t bytes) const {
    if (!has_durations()) return kStepNs;
    return SaturatingAdd(params.model.DurationNs(bytes), params.compute_ns.value_or(0));
  }
  std::int64_t streams() const { return std::min(params.workers, params.shards); }
};

/// The records of one visit in the order they are read. Sequential ones are drawn one by one, so
/// that a shard may be of any size.
class RecordSource {
 public:
  RecordSource(const Plan& plan, PcgDxsm random) : plan_(plan), random_(random) {
    if (plan.params.read_within_shard != kRandom) return;
    Record record;
    while (Draw(record)) list_.push_back(record);
    random_.Shuffle(list_);
  }

  bool HasNext() const {
    return next_in_list_ < list_.size() || offset_ < plan_.params.shard_bytes;
  }

  Record Next() {
    if (next_in_list_ < list_.size()) return list_[next_in_list_++];
    Record record;
    Draw(record);
    return record;
  }

  /// After the last record: how the draws go on.
  const PcgDxsm& random() const { return random_; }

 private:
  bool Draw(Record& record) {
    const std::int64_t left = plan_.params.shard_bytes - offset_;
    if (left == 0) return false;
    record = {.offset = offset_, .bytes = plan_.sizes.Draw(random_, left)};
    offset_ += record.bytes;
    return true;
  }

  const Plan& plan_;
  PcgDxsm random_;
  std::int64_t offset_ = 0;  // of the next draw
  std::vector<Record> list_;
  std::size_t next_in_list_ = 0;
};

/// The visits of one worker: every workers-th position of each epoch.
class WorkerOps final : public StreamOps {
 public:
  WorkerOps(std::shared_ptr<const Plan> plan, std::int64_t worker)
      : plan_(std::move(plan)), worker_(worker), visit_(worker) {}

  std::optional<std::int64_t> NextTimeNs() const override {
    if (visit_ >= static_cast<std::int64_t>(plan_->visits.size())) return std::nullopt;
    return now_ns_;
  }

  void Next(Op& op) override {
    op.t_ns = now_ns_;
    op.SetHandle(visit_ + 1);
    std::int64_t bytes = 0;
    if (!records_) {
      Open(op);
    } else if (records_->HasNext()) {
      const Record record = records_->Next();
      bytes = record.bytes;
      op.kind = OpKind::kREAD;
      op.SetOffset(record.offset).SetLength(bytes);
    } else {
      op.kind = OpKind::kCLOSE;
      records_.reset();
      MoveOn();
    }
    if (plan_->has_durations()) op.SetDuration(plan_->params.model.DurationNs(bytes));
    now_ns_ = SaturatingAdd(now_ns_, plan_->StepNs(bytes));
  }

 private:
  void Open(Op& op) {
    const Visit& visit = plan_->visits[static_cast<std::size_t>(visit_)];
    records_.emplace(*plan_, visit.random);
    op.kind = OpKind::kOPEN;
    op.SetTarget(visit.shard);
    op.mode = OpenMode::kRead;
    op.flags = {plan_->params.read_within_shard == kRandom ? "rand" : "seq"};
  }

  void MoveOn() {
    const std::int64_t shards = plan_->params.shards;
    const std::int64_t epoch_start = visit_ / shards * shards;
    // Workers may be many more than shards: compare before adding.
    const bool more = plan_->params.workers < shards - (visit_ - epoch_start);
    visit_ = more ? visit_ + plan_->params.workers : epoch_start + shards + worker_;
  }

  std::shared_ptr<const Plan> plan_;
  std::int64_t worker_;
  std::int64_t visit_;
  std::int64_t now_ns_ = 0;
  std::optional<RecordSource> records_;  // of the open shard
};

Result<void> CheckParams(const TrainingReadParams& params) {
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--shards", params.shards));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--shard-size", params.shard_bytes));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--record-size", params.record_bytes));
  if (params.record_bytes > params.shard_bytes) {
    return ParameterError("--record-size",
                          fmt::format("a record of {} bytes does not fit into a shard of {} bytes",
                                      params.record_bytes, params.shard_bytes));
  }
  IOFLUX_RETURN_IF_ERROR(CheckWord("--record-size-dist", params.record_size_dist, kDistributions));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--epochs", params.epochs));
  IOFLUX_RETURN_IF_ERROR(CheckPositive("--dataloader-workers", params.workers));
  IOFLUX_RETURN_IF_ERROR(CheckWord("--read-within-shard", params.read_within_shard, kReadOrders));
  IOFLUX_RETURN_IF_ERROR(CheckTimingModel(params.model));
  if (params.compute_ns) {
    IOFLUX_RETURN_IF_ERROR(CheckNotNegative("--compute-time", *params.compute_ns));
  }
  return {};
}

std::string Notes(const TrainingReadParams& params) {
  std::string notes =
      fmt::format("{} shards × {} MiB, {} workers, {} epochs, shuffle {}, {} reads within a shard",
                  params.shards, params.shard_bytes >> 20, params.workers, params.epochs,
                  params.shuffle, params.read_within_shard);
  if (params.model.given()) notes += ", modelled " + params.model.Text();
  if (params.compute_ns) notes += ", compute " + FormatDuration(*params.compute_ns);
  return notes;
}

std::string ShardName(std::int64_t shard) { return fmt::format("shard_{:04}.tar", shard); }

TraceHeader HeaderOf(const TrainingReadParams& params) {
  return SyntheticHeader("training-read", Notes(params));
}

void AddTargets(TraceHeader& header, const TrainingReadParams& params) {
  header.targets.reserve(static_cast<std::size_t>(params.shards));
  for (std::int64_t shard = 0; shard < params.shards; ++shard) {
    header.targets.push_back(
        {.id = shard, .name = ShardName(shard), .kind = "file", .size_bytes = params.shard_bytes});
  }
}

Result<void> CheckHeaderFits(const TrainingReadParams& params) {
  const auto plan_of = [&](std::int64_t count) {
    TrainingReadParams with_count = params;
    with_count.shards = count;
    const auto fixed = static_cast<std::int64_t>(ShardName(0).size()) - 4;
    return HeaderPlan{.header = HeaderOf(with_count),
                      .targets = count,
                      .shape_of = [fixed, size = params.shard_bytes](std::int64_t id) {
                        return TargetShape{.name_bytes = fixed + DecimalDigits(id, 4),
                                           .size_bytes = size};
                      }};
  };
  if (HeaderFits(plan_of(params.shards))) return {};
  return ParameterError(
      "--shards",
      fmt::format("the header of {} shards is longer than any reader accepts", params.shards),
      fmt::format("use at most {} shards, larger ones if need be",
                  LargestCountThatFits(params.shards, plan_of)));
}

/// Draws everything once: the order of the shards, and what the summary says about the records.
Result<void> DrawVisits(Plan& plan, TraceSummary& summary) {
  const TrainingReadParams& params = plan.params;
  PcgDxsm random(static_cast<std::uint64_t>(params.seed));
  std::vector<std::int64_t> order(static_cast<std::size_t>(params.shards));
  std::vector<std::int64_t> ends_ns(static_cast<std::size_t>(plan.streams()), 0);
  for (std::int64_t epoch = 0; epoch < params.epochs; ++epoch) {
    std::iota(order.begin(), order.end(), 0);
    if (params.shuffle) random.Shuffle(order);
    for (std::size_t position = 0; position < order.size(); ++position) {
      plan.visits.push_back({.shard = order[position], .random = random});
      std::int64_t& end_ns = ends_ns[position % static_cast<std::size_t>(params.workers)];
      end_ns = SaturatingAdd(end_ns, SaturatingMultiply(2, plan.StepNs(0)));
      summary.num_ops += 2;
      RecordSource records(plan, random);
      for (; records.HasNext(); ++summary.num_ops) {
        end_ns = SaturatingAdd(end_ns, plan.StepNs(records.Next().bytes));
      }
      random = records.random();
    }
  }
  const std::int64_t last_end_ns = *std::max_element(ends_ns.begin(), ends_ns.end());
  if (last_end_ns == kSaturated) {
    return ParameterError("--epochs", "the trace would last longer than 292 years");
  }
  summary.duration_ns = last_end_ns - plan.StepNs(0);
  return {};
}

}  // namespace

Result<GeneratedTrace> GenerateTrainingRead(const TrainingReadParams& params) {
  IOFLUX_RETURN_IF_ERROR(CheckParams(params));
  const std::int64_t total_bytes =
      SaturatingMultiply(SaturatingMultiply(params.shards, params.shard_bytes), params.epochs);
  if (total_bytes == kSaturated) {
    return ParameterError("--shard-size", "shards x size x epochs is more than 2^63-1 bytes");
  }
  IOFLUX_RETURN_IF_ERROR(CheckHeaderFits(params));

  auto plan = std::make_shared<Plan>(params);
  TraceHeader header = HeaderOf(params);
  AddTargets(header, params);
  header.summary.num_streams = plan->streams();
  header.summary.total_bytes = total_bytes;
  IOFLUX_RETURN_IF_ERROR(DrawVisits(*plan, header.summary));

  std::vector<std::unique_ptr<StreamOps>> streams;
  for (std::int64_t worker = 0; worker < plan->streams(); ++worker) {
    streams.push_back(std::make_unique<WorkerOps>(plan, worker));
  }
  return GeneratedTrace{.header = std::move(header), .ops = MergedOps(std::move(streams))};
}

}  // namespace ioflux
