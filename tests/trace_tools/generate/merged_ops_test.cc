// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/merged_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace ioflux {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// Ops at fixed times; the handle counts them.
class FixedTimes final : public StreamOps {
 public:
  explicit FixedTimes(std::vector<std::int64_t> times) : times_(std::move(times)) {}
  std::optional<std::int64_t> NextTimeNs() const override {
    if (next_ == times_.size()) return std::nullopt;
    return times_[next_];
  }
  void Next(Op& op) override {
    op.t_ns = times_[next_];
    op.SetHandle(static_cast<std::int64_t>(next_++));
  }

 private:
  std::vector<std::int64_t> times_;
  std::size_t next_ = 0;
};

TEST(MergedOps, OrderIsTimeThenStreamThenPosition) {
  std::vector<std::unique_ptr<StreamOps>> streams;
  streams.push_back(std::make_unique<FixedTimes>(std::vector<std::int64_t>{0, 5, 5}));
  streams.push_back(std::make_unique<FixedTimes>(std::vector<std::int64_t>{}));
  streams.push_back(std::make_unique<FixedTimes>(std::vector<std::int64_t>{0, 0, 3, 5}));
  MergedOps ops(std::move(streams));

  std::vector<std::pair<std::int64_t, std::int64_t>> order;  // stream, position
  Op op;
  for (std::int64_t id = 0; ops.Next(op); ++id) {
    EXPECT_EQ(op.op_id, id);
    order.emplace_back(op.stream, op.handle);
  }

  EXPECT_THAT(order, ElementsAre(Pair(0, 0), Pair(2, 0), Pair(2, 1), Pair(2, 2), Pair(0, 1),
                                 Pair(0, 2), Pair(2, 3)));
}

}  // namespace
}  // namespace ioflux
