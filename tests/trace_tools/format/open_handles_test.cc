// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/format/open_handles.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ioflux {
namespace {

TEST(OpenHandles, KeepsWhatTheOpenSaid) {
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{1} << 40, std::int64_t{-7}}) {
    OpenHandles handles;
    handles.Open(number, /*stream=*/-3, /*line=*/12, /*target=*/34, OpenMode::kWrite);

    const OpenHandle* const handle = handles.Find(number);

    ASSERT_NE(handle, nullptr);
    EXPECT_EQ(handle->stream, -3);
    EXPECT_EQ(handle->line, 12U);
    EXPECT_EQ(handle->target, 34U);
    EXPECT_FALSE(handle->Permits(OpKind::kREAD));
    EXPECT_TRUE(handle->Permits(OpKind::kWRITE));
    EXPECT_TRUE(handle->Permits(OpKind::kFSYNC));
  }
}

TEST(OpenHandles, ClosedOneIsGoneAndItsNumberFree) {
  OpenHandles handles;
  handles.Open(5, 1, 2, 0, OpenMode::kRead);
  handles.Close(5);
  EXPECT_EQ(handles.Find(5), nullptr);

  handles.Open(5, 9, 4, 0, OpenMode::kRead);
  EXPECT_EQ(handles.Find(5)->stream, 9);
}

TEST(OpenHandles, BehaveLikeAMapUnderRandomUse) {
  for (const int bits : {4, 10, 30, 63}) {
    std::mt19937_64 random(static_cast<std::uint64_t>(bits));
    OpenHandles handles;
    std::map<std::int64_t, std::uint64_t> expected;
    for (std::uint64_t line = 1; line < 20'000; ++line) {
      const std::int64_t number = static_cast<std::int64_t>(random()) >> (63 - bits);
      const auto entry = expected.find(number);
      const OpenHandle* const found = handles.Find(number);
      ASSERT_EQ(found != nullptr, entry != expected.end());
      if (found == nullptr) {
        handles.Open(number, 0, line, 0, OpenMode::kRead);
        expected.emplace(number, line);
      } else {
        ASSERT_EQ(found->line, entry->second);
        handles.Close(number);
        expected.erase(entry);
      }
      if (expected.size() > 500) {
        handles.Close(expected.begin()->first);
        expected.erase(expected.begin());
      }
    }

    const auto sorted = handles.Sorted();
    ASSERT_EQ(sorted.size(), expected.size());
    auto at = expected.begin();
    for (const OpenHandles::Entry& entry : sorted) {
      EXPECT_EQ(entry.number, at->first);
      EXPECT_EQ(entry.line, at->second);
      ++at;
    }
  }
}

}  // namespace
}  // namespace ioflux
