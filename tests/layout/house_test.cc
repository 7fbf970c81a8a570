// SPDX-License-Identifier: GPL-2.0-only
//
// The checks on this repository.
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_check.h"

namespace ioflux::layout {
namespace {

using ::testing::IsEmpty;

const SourceTree& House() {
  static const SourceTree tree = ReadSourceTree(IOFLUX_SOURCE_DIR);
  return tree;
}

TEST(House, IsRead) {
  EXPECT_NE(House().Find("base/error.h"), nullptr);
  EXPECT_NE(House().Find("tests/layout/house_test.cc"), nullptr);
}

TEST(House, IncludesStayWithinTheTable) { EXPECT_THAT(CheckIncludes(House()), IsEmpty()); }
TEST(House, EverySourceIsInARoom) { EXPECT_THAT(CheckRooms(House()), IsEmpty()); }
TEST(House, EverySourceSaysItsLicence) { EXPECT_THAT(CheckLicenceLines(House()), IsEmpty()); }
TEST(House, NoFileNamesAFolderOfOneMachine) { EXPECT_THAT(CheckMachinePaths(House()), IsEmpty()); }
TEST(House, FilesAreShort) { EXPECT_THAT(CheckFileSizes(House()), IsEmpty()); }
TEST(House, LibrariesNeitherPrintNorExit) { EXPECT_THAT(CheckSilence(House()), IsEmpty()); }

}  // namespace
}  // namespace ioflux::layout
