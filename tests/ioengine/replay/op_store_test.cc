// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/op_store.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ioflux {
namespace {

ReplayOp RandomOp(OpKind kind, std::int64_t a, std::int64_t b, std::int64_t c, std::uint32_t d) {
  ReplayOp op;
  op.kind = kind;
  op.t_ns = a;
  op.op_id = b;
  op.duration_ns = c % 3 == 0 ? -1 : c;
  const OpKindInfo& info = InfoOf(kind);
  if (info.offset == Presence::kRequired) op.offset = b / 2;
  if (info.data != DataDirection::kNone) {
    op.length_bytes = c;
    op.expected_bytes = d % 2 == 0 ? c : c / 2;
  }
  if (kind == OpKind::kOPEN) op.open_bits = d % 32;
  if (info.target == Presence::kRequired) op.target = d;
  if (info.handle == Presence::kRequired) op.slot = d / 2;
  return op;
}

RC_GTEST_PROP(OpStore, WhatGoesInComesOutInOrder, ()) {
  const auto big =
      rc::gen::weightedOneOf<std::int64_t>({{3, rc::gen::inRange<std::int64_t>(0, 100000)},
                                            {1, rc::gen::inRange<std::int64_t>(0, INT64_MAX)}});
  const auto count = *rc::gen::inRange(0, 200);
  std::vector<ReplayOp> ops;
  OpStore store;
  for (int i = 0; i < count; ++i) {
    ops.push_back(RandomOp(static_cast<OpKind>(*rc::gen::inRange(0, kOpKinds)), *big, *big, *big,
                           *rc::gen::inRange<std::uint32_t>(0, 1000)));
    store.Append(ops.back());
  }
  store.Finish();

  OpCursor cursor(store);
  for (int pass = 0; pass < 2; ++pass) {
    for (const ReplayOp& expected : ops) {
      ReplayOp op;
      RC_ASSERT(cursor.Next(op));
      RC_ASSERT(op.kind == expected.kind);
      RC_ASSERT(op.t_ns == expected.t_ns);
      RC_ASSERT(op.op_id == expected.op_id);
      RC_ASSERT(op.duration_ns == expected.duration_ns);
      RC_ASSERT(op.offset == expected.offset);
      RC_ASSERT(op.length_bytes == expected.length_bytes);
      RC_ASSERT(op.expected_bytes == expected.expected_bytes);
      if (InfoOf(op.kind).target == Presence::kRequired) RC_ASSERT(op.target == expected.target);
      if (InfoOf(op.kind).handle == Presence::kRequired) RC_ASSERT(op.slot == expected.slot);
      if (op.kind == OpKind::kOPEN) RC_ASSERT(op.open_bits == expected.open_bits);
    }
    ReplayOp end;
    RC_ASSERT(!cursor.Next(end));
    cursor.Rewind();
  }
}

TEST(OpStore, AnOrdinaryOpTakesAtMostFortyBytes) {
  OpStore store;
  ReplayOp op;
  op.kind = OpKind::kREAD;
  op.length_bytes = 131072;
  op.expected_bytes = 111392;  // with a recorded short count, the dearest ordinary case
  for (int i = 0; i < 1'000'000; ++i) {
    op.offset = i * std::int64_t{131072};
    op.op_id = i;
    op.duration_ns = 50'000;
    store.Append(op);
  }
  store.Finish();
  EXPECT_LE(static_cast<double>(store.resident_bytes()) / static_cast<double>(store.size()), 40.5);
}

}  // namespace
}  // namespace ioflux
