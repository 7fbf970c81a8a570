// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op_order.h"

#include <optional>
#include <string>

namespace ioflux {

void OpOrder::Check(const Op& op, FindingPlace place, FindingLog& log) {
  CheckTime(op, place, log);
  Stream& stream = StreamOf(op.stream);
  if (!stream.seen) {
    stream.seen = true;
    ++streams_;
  }
  if (!op.Has(OpField::kStream)) [[unlikely]] {
    log.Add(Rule::kHX_3b, place, "s is missing and read as 0");
  }
  if (op.stream < 0) [[unlikely]]
    log.Add(Rule::kHX_3e, place, "s is {}", op.stream);
  CheckOpId(op, stream, place, log);
}

void OpOrder::CheckTime(const Op& op, FindingPlace place, FindingLog& log) {
  if (op.t_ns < latest_t_ns_) [[unlikely]] {
    log.Add(Rule::kOT_1, place, "t {} is before {}, the latest time above", op.t_ns, latest_t_ns_);
  } else {
    latest_t_ns_ = op.t_ns;
  }
  last_t_ns_ = op.t_ns;
  if (!op.Has(OpField::kTime)) [[unlikely]] {
    log.Add(Rule::kHX_3a, place, "t is missing and read as 0");
  }
  if (op.t_ns < 0) [[unlikely]]
    log.Add(Rule::kHX_3d, place, "t is {}", op.t_ns);
}

OpOrder::Stream& OpOrder::StreamOf(std::int64_t number) {
  if (number < 0 || number >= kTableStreams) return other_streams_.At(number);
  const auto index = static_cast<std::size_t>(number);
  if (index >= stream_table_.size()) [[unlikely]]
    stream_table_.resize(index + 1);
  return stream_table_[index];
}

std::pair<std::int64_t*, bool> OpOrder::LastOpId(const Op& op, Stream& stream) {
  if (op.group == 0) [[likely]] {
    return {&stream.last_op_id, std::exchange(stream.has_op_id, true)};
  }
  groups_.insert(op.group);
  const auto [entry, is_first] = last_op_id_in_group_.try_emplace({op.stream, op.group}, op.op_id);
  return {&entry->second, !is_first};
}

void OpOrder::CheckOpId(const Op& op, Stream& stream, FindingPlace place, FindingLog& log) {
  if (!op.Has(OpField::kOpId)) [[unlikely]] {
    log.Add(Rule::kOI_1, place, "op_id is missing");
    if (op.group != 0) groups_.insert(op.group);
    return;
  }
  if (op.op_id < 0) [[unlikely]]
    log.Add(Rule::kOI_2, place, "op_id is {}", op.op_id);
  if (const auto earlier = op_ids_.Add(op.op_id, place.line); earlier.has_value()) [[unlikely]] {
    if (earlier->line != 0) {
      log.Add(Rule::kOI_3, place, "op_id {} was used on line {} already", op.op_id, earlier->line);
    } else {
      log.Add(Rule::kOI_3, place, "op_id {} was used further up already", op.op_id);
    }
  }
  const auto [last, has_last] = LastOpId(op, stream);
  if (has_last && op.op_id <= *last) [[unlikely]] {
    log.Add(Rule::kOI_4, place, "op_id {} follows {} in stream {}, group {}", op.op_id, *last,
            op.stream, op.group);
  }
  *last = op.op_id;
}

}  // namespace ioflux
