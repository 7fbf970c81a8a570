// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/merged_ops.h"

namespace ioflux {

MergedOps::MergedOps(std::vector<std::unique_ptr<StreamOps>> streams)
    : streams_(std::move(streams)) {
  for (std::size_t i = 0; i < streams_.size(); ++i) Schedule(i);
}

void MergedOps::Schedule(std::size_t stream) {
  if (const auto time = streams_[stream]->NextTimeNs()) due_.emplace(*time, stream);
}

bool MergedOps::Next(Op& op) {
  if (due_.empty()) return false;
  const std::size_t stream = due_.top().second;
  due_.pop();
  op = Op{};
  streams_[stream]->Next(op);
  op.stream = static_cast<std::int64_t>(stream);
  op.SetOpId(next_op_id_++);
  op.Put(OpField::kTime);
  op.Put(OpField::kStream);
  Schedule(stream);
  return true;
}

}  // namespace ioflux
