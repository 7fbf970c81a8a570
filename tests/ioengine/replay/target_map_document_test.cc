// SPDX-License-Identifier: GPL-2.0-only
//
// Every example of docs/target-map.md does what the page says.
#include <gtest/gtest.h>

#include <sstream>

#include "ioengine/replay/target_map.h"
#include "tests/support/document.h"

namespace ioflux {
namespace {

/// "NAME -> NEW", blanks around the arrow; `refused` for a name that no rule matches.
void ExpectNames(const TargetMap& map, const std::string& table) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find("-> ");
    ASSERT_NE(arrow, std::string::npos) << line;
    const std::string name = line.substr(0, line.find_last_not_of(' ', arrow - 1) + 1);
    const Result<std::string> rewritten = map.Rewrite(name, /*allow_passthrough=*/false);
    EXPECT_EQ(rewritten ? rewritten.value() : "refused", line.substr(arrow + 3)) << line;
  }
}

TEST(TargetMapDocument, EveryMapItShowsDoesWhatItSays) {
  int maps = 0;
  Result<TargetMap> map = TargetMap();
  for (const FencedBlock& block : FencedBlocks(SourceFile("docs/target-map.md"))) {
    SCOPED_TRACE(block.text);
    if (block.word == "yaml") {
      map = TargetMap::Parse(block.text, "map.yaml");
      ++maps;
    } else if (block.word == "names") {
      ASSERT_TRUE(map) << Describe(map.error());
      ExpectNames(map.value(), block.text);
    } else {
      ASSERT_EQ(block.word, "error");
      ASSERT_FALSE(map);
      const std::string said = block.text.substr(0, block.text.size() - 1);
      EXPECT_NE(Describe(map.error()).find(said), std::string::npos) << Describe(map.error());
    }
  }
  EXPECT_GE(maps, 6);
}

TEST(TargetMapDocument, ShowsTheShippedMap) {
  const std::string shipped = "```yaml\n" + SourceFile("job_templates/local-map.yaml") + "```\n";
  EXPECT_NE(SourceFile("docs/target-map.md").find(shipped), std::string::npos);
}

}  // namespace
}  // namespace ioflux
