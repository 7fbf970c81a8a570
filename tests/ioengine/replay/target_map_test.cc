// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/target_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ioflux {
namespace {

TargetMap MapOf(const std::string& text) {
  Result<TargetMap> map = TargetMap::Parse(text, "map.yaml");
  EXPECT_TRUE(map) << Describe(map.error());
  return map ? std::move(map).value() : TargetMap();
}

std::string Rewritten(const TargetMap& map, const std::string& name) {
  const Result<std::string> rewritten = map.Rewrite(name, /*allow_passthrough=*/false);
  return rewritten ? rewritten.value() : "refused";
}

Error Fault(const std::string& text) {
  const Result<TargetMap> map = TargetMap::Parse(text, "map.yaml");
  EXPECT_FALSE(map) << text;
  return map ? Error{} : map.error();
}

TEST(TargetMap, TheLongestPrefixWinsAndTheRestIsAppended) {
  const TargetMap map = MapOf(
      "target_rewrite:\n"
      "  - {from: '', to: './other/'}\n"
      "  - {from: '/mnt/', to: './m/'}\n"
      "  - {from: '/mnt/train/', to: './t/'}\n");
  EXPECT_EQ(Rewritten(map, "/mnt/train/a/b"), "./t/a/b");
  EXPECT_EQ(Rewritten(map, "/mnt/x"), "./m/x");
  EXPECT_EQ(Rewritten(map, "shard_0000.tar"), "./other/shard_0000.tar");
}

TEST(TargetMap, APrefixIsBytesNotComponents) {
  const TargetMap map = MapOf("target_rewrite: [{from: /mnt/a, to: /x}]\n");
  EXPECT_EQ(Rewritten(map, "/mnt/ab"), "/xb");
}

TEST(TargetMap, EqualPrefixesKeepTheFilesOrder) {
  const TargetMap map =
      MapOf("target_rewrite:\n  - {from: a, to: first-}\n  - {from: a, to: second-}\n");
  EXPECT_EQ(Rewritten(map, "ax"), "first-x");
}

// Against the rule as it is written: the longest `from` that the name starts with, the first of
// equal ones.
TEST(TargetMap, TheIndexFindsWhatACompleteSearchFinds) {
  std::mt19937 random(7);
  const auto word = [&](std::size_t most) {
    std::string text;
    for (std::size_t i = random() % (most + 1); i > 0; --i) text += "ab/\xff"[random() % 4];
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::string text = "target_rewrite:\n";
    std::vector<std::string> froms;
    for (std::size_t i = 1 + random() % 12; i > 0; --i) {
      std::string from = word(5);
      std::replace(from.begin(), from.end(), '\xff', 'z');
      froms.push_back(from);
      text += "- {from: '" + from + "', to: '" + std::to_string(froms.size()) + ":'}\n";
    }
    const TargetMap map = MapOf(text);
    for (int i = 0; i < 50; ++i) {
      const std::string name = word(8);
      std::string wanted = "refused";
      std::size_t longest = 0;
      for (std::size_t rule = 0; rule < froms.size(); ++rule) {
        const bool better = wanted == "refused" || froms[rule].size() > longest;
        if (!name.starts_with(froms[rule]) || !better) continue;
        longest = froms[rule].size();
        wanted = std::to_string(rule + 1) + ":" + name.substr(longest);
      }
      EXPECT_EQ(Rewritten(map, name), wanted) << text << name;
    }
  }
}

// Comparing every rule with every name would be 20,000,000,000 comparisons.
TEST(TargetMap, ManyRulesAndManyNamesTakeTheTimeOfTheirNumber) {
  std::string text = "target_rewrite:\n";
  for (int i = 0; i < 100'000; ++i) {
    text += "- {from: /mnt/data/" + std::to_string(i) + "/, to: /x/" + std::to_string(i) + "/}\n";
  }
  const TargetMap map = MapOf(text);
  for (int i = 0; i < 200'000; ++i) {
    const std::string number = std::to_string(i % 100'000);
    ASSERT_EQ(Rewritten(map, "/mnt/data/" + number + "/f"), "/x/" + number + "/f");
  }
}

TEST(TargetMap, RulesThatArePrefixesOfEachOtherAreSearchedQuickly) {
  std::string text = "target_rewrite:\n";
  for (int i = 1; i <= 3'000; ++i) {
    text += "- {from: " + std::string(static_cast<std::size_t>(i), 'a') +
            ", to: " + std::to_string(i) + "-}\n";
  }
  const TargetMap map = MapOf(text);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(Rewritten(map, "ab"), "1-b");
  EXPECT_EQ(Rewritten(map, std::string(4'000, 'a')), "3000-" + std::string(1'000, 'a'));
}

TEST(TargetMap, AMissIsRefusedUnlessPassthroughIsOn) {
  const TargetMap strict = MapOf("target_rewrite: [{from: /a/, to: /b/}]\n");
  EXPECT_EQ(strict.Rewrite("/c", false).error().kind, ErrorKind::kRefused);
  EXPECT_EQ(strict.Rewrite("/c", true).value(), "/c");
  const TargetMap open = MapOf("target_rewrite: [{from: /a/, to: /b/}]\nallow_passthrough: true\n");
  EXPECT_EQ(Rewritten(open, "/c"), "/c");
}

TEST(TargetMap, AFileUriBecomesItsDecodedPath) {
  const TargetMap map = MapOf("target_rewrite: [{from: '', to: 'file:///tmp/a%20b/?q#f'}]\n");
  EXPECT_EQ(Rewritten(map, "x"), "/tmp/a b/x");
}

TEST(TargetMap, AnotherStorageIsRefusedWithItsLine) {
  const Error error = Fault("target_rewrite:\n  - from: ''\n    to: s3://bucket/p\n");
  EXPECT_NE(error.what.find("s3://"), std::string::npos);
  EXPECT_EQ(error.where.line, 2U);
}

struct Faulty {
  const char* text;
  const char* says;
};

class FaultyMap : public testing::TestWithParam<Faulty> {};

TEST_P(FaultyMap, IsAnErrorThatNamesTheFile) {
  const Error error = Fault(GetParam().text);
  EXPECT_EQ(error.where.path, "map.yaml");
  EXPECT_NE(Describe(error).find(GetParam().says), std::string::npos) << Describe(error);
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultyMap,
    testing::Values(Faulty{"target_rewrit: []\n", "did you mean 'target_rewrite'"},
                    Faulty{"target_rewrite: []\n", "no rule"}, Faulty{"", "map"},
                    Faulty{"target_rewrite: [{form: a, to: b}]\n", "did you mean 'from'"},
                    Faulty{"target_rewrite: [{from: a}]\n", "has no 'to'"},
                    Faulty{"target_rewrite: {from: a, to: b}\n", "not a list"},
                    Faulty{"target_rewrite: [{from: a, to: \"b\\0c\"}]\n", "zero byte"},
                    Faulty{"target_rewrite: [{from: \"a\\0\", to: b}]\n", "zero byte"},
                    Faulty{"target_rewrite: [{from: a, to: 'file:///b%00c'}]\n", "zero byte"},
                    Faulty{"target_rewrite: [{from: a, to: \"s3\\0://b\"}]\n", "zero byte"},
                    Faulty{"allow_passthrough: perhaps\n", "perhaps"},
                    Faulty{"target_rewrite: [{from: a, to: b}\n", "map.yaml"},
                    Faulty{
                        "target_rewrite: [{from: a, to: b}]\ntarget_rewrite: [{from: c, to: d}]\n",
                        "target_rewrite"}));

}  // namespace
}  // namespace ioflux
