// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/mem_backend.h"

#include <gtest/gtest.h>

#include "trace_tools/format/op.h"

namespace ioflux {
namespace {

TEST(Mem, U2_EveryOpKindSucceedsAndNoneMovesData) {
  MemBackend backend;
  const BackendTarget target{.name = "a", .path = "a"};
  BackendHandle handle = kNoHandle;
  std::int64_t size_bytes = 0;

  EXPECT_EQ(backend.Open(target, {.read = true, .direct = true}, &handle).error, 0);
  EXPECT_NE(handle, kNoHandle);
  EXPECT_EQ(backend.Read(handle, 0, 10, nullptr).moved_bytes, 10);
  EXPECT_EQ(backend.Write(handle, 0, 10, nullptr).moved_bytes, 10);
  EXPECT_EQ(backend.Get(target, 0, 10, nullptr).moved_bytes, 10);
  EXPECT_EQ(backend.Put(target, 10, nullptr).moved_bytes, 10);
  for (const IoOutcome& outcome :
       {backend.Sync(handle), backend.Close(handle), backend.Stat(target, &size_bytes),
        backend.Head(target), backend.Delete(target)}) {
    EXPECT_EQ(outcome.error, 0);
  }
  EXPECT_FALSE(backend.MovesData());
}

TEST(Mem, U7_NoOpenFlagIsALimitationWhereNoneHasAMeaning) {
  const MemBackend backend;
  for (const std::string_view word : kOpenFlagWords)
    EXPECT_EQ(backend.OpenFlagLimitation(word), "");
  EXPECT_EQ(backend.Limitations().size(), 1U) << "one sentence says it all";
}

}  // namespace
}  // namespace ioflux
