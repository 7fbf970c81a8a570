// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/op_order.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ioflux {

OpOrder::Stream& OpOrder::NewOrOtherStream(std::int64_t number) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= kTableStreams) return other_streams_.At(number);
  stream_table_.resize(std::max(index + 1, std::min(kTableStreams, 2 * stream_table_.size())));
  return stream_table_[index];
}

void OpOrder::CheckTimeAndStream(const Op& op, Stream& stream, FindingPlace place,
                                 FindingLog& log) {
  if (op.t_ns < latest_t_ns_) {
    log.Add(Rule::kOT_1, place, "t {} is before {}, the latest time above", op.t_ns, latest_t_ns_);
  } else {
    latest_t_ns_ = op.t_ns;
  }
  if (!op.Has(OpField::kTime)) log.Add(Rule::kHX_3a, place, "t is missing and read as 0");
  if (op.t_ns < 0) log.Add(Rule::kHX_3d, place, "t is {}", op.t_ns);
  if (!stream.seen) {
    stream.seen = true;
    ++streams_;
  }
  if (!op.Has(OpField::kStream)) log.Add(Rule::kHX_3b, place, "s is missing and read as 0");
  if (op.stream < 0) log.Add(Rule::kHX_3e, place, "s is {}", op.stream);
}

OpOrder::LastOpId OpOrder::LastOpIdOf(const Op& op, Stream& stream) {
  if (op.group == 0) return {&stream.last_op_id, !std::exchange(stream.has_op_id, true)};
  const auto [entry, is_first] = last_op_id_in_group_.try_emplace({op.stream, op.group}, op.op_id);
  return {&entry->second, is_first};
}

void OpOrder::CheckOpIdInFull(const Op& op, Stream& stream, FindingPlace place, FindingLog& log) {
  if (op.group != 0) groups_.insert(op.group);
  if (!op.Has(OpField::kOpId)) {
    log.Add(Rule::kOI_1, place, "op_id is missing");
    return;
  }
  if (op.op_id < 0) log.Add(Rule::kOI_2, place, "op_id is {}", op.op_id);
  if (const auto earlier = op_ids_.Add(op.op_id, place.line); earlier.has_value()) {
    if (earlier->line != 0) {
      log.Add(Rule::kOI_3, place, "op_id {} was used on line {} already", op.op_id, earlier->line);
    } else {
      log.Add(Rule::kOI_3, place, "op_id {} was used further up already", op.op_id);
    }
  }
  const LastOpId last = LastOpIdOf(op, stream);
  if (!last.is_first && op.op_id <= *last.op_id) {
    log.Add(Rule::kOI_4, place, "op_id {} follows {} in stream {}, group {}", op.op_id, *last.op_id,
            op.stream, op.group);
  }
  *last.op_id = op.op_id;
}

}  // namespace ioflux
