// SPDX-License-Identifier: GPL-2.0-only
#include "base/yaml_node.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace ioflux {
namespace {

YamlNode Parsed(const std::string& text) {
  Result<YamlNode> node = YamlNode::Parse(text, "e.yaml");
  EXPECT_TRUE(node) << Describe(node.error());
  return node ? std::move(node).value() : YamlNode();
}

std::string ErrorOf(const std::string& text) {
  const Result<YamlNode> node = YamlNode::Parse(text, "e.yaml");
  EXPECT_FALSE(node) << text;
  if (node) return "";
  EXPECT_EQ(node.error().kind, ErrorKind::kInput);
  return Describe(node.error());
}

TEST(YamlParse, BuildsScalarsSequencesAndMappingsWithTheirLines) {
  const YamlNode root =
      Parsed("# comment\nname: run one\narms:\n  - mode: asap\n  - {mode: think, n: 3}\n");

  ASSERT_EQ(root.kind(), YamlNode::Kind::kMapping);
  EXPECT_EQ(root.Find("name")->AsString().value(), "run one");
  const YamlNode& arms = *root.Find("arms");
  ASSERT_EQ(arms.items().size(), 2U);
  const YamlNode& count = *arms.items()[1].Find("n");
  EXPECT_EQ(count.AsInt().value(), 3);
  EXPECT_EQ(count.where().line, 5U);
  EXPECT_EQ(count.where().item, "arms[1].n");
  EXPECT_EQ(root.Find("absent"), nullptr);
}

TEST(YamlParse, EmptyFileIsNull) {
  EXPECT_EQ(Parsed("").kind(), YamlNode::Kind::kNull);
  EXPECT_EQ(Parsed("# nothing\n").kind(), YamlNode::Kind::kNull);
}

TEST(YamlParse, RefusesWhatAConfigurationCannotMean) {
  EXPECT_EQ(ErrorOf("a: 1\nb: 2\na: 3\n"), "e.yaml:3: the key 'a' is there twice");
  EXPECT_EQ(ErrorOf("a: &x 1\nb: *x\n"),
            "e.yaml:1: anchors and aliases (& and *) are not supported");
  EXPECT_EQ(ErrorOf("a: 1\nb: *x\n"), "e.yaml:2: anchors and aliases (& and *) are not supported");
  EXPECT_EQ(ErrorOf("a: 1\n---\nb: 2\n"), "e.yaml:2: there is a second document");
  EXPECT_EQ(ErrorOf("? [1, 2]\n: x\n"), "e.yaml:1: a key must be a plain word");
  EXPECT_EQ(ErrorOf("a: !!binary xx\n"), "e.yaml:1: tags (!) are not supported");
  EXPECT_EQ(ErrorOf(std::string(200, '[') + std::string(200, ']')),
            "e.yaml:1: it is nested too deeply");
}

// Comparing each key with every other would be 45,000,000,000 comparisons.
TEST(YamlParse, ManyKeysTakeTheTimeOfTheirNumber) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "key" + std::to_string(i) + ": 1\n";

  EXPECT_EQ(Parsed(text).members().size(), 300'000U);
  EXPECT_EQ(ErrorOf(text + "key299999: 1\n"), "e.yaml:300001: the key 'key299999' is there twice");
}

TEST(YamlParse, EveryKeyIsComparedWithAllBeforeIt) {
  for (int keys = 1; keys < 40; ++keys) {
    std::string text;
    for (int i = 0; i < keys; ++i) text += "k" + std::to_string(i) + ": 1\n";
    for (int i = 0; i < keys; ++i) {
      const std::string again = "k" + std::to_string(i);
      EXPECT_EQ(ErrorOf(text + again + ": 2\n"),
                "e.yaml:" + std::to_string(keys + 1) + ": the key '" + again + "' is there twice");
    }
  }
}

// A path that were written out for every node would be 1 MB for each of 100,000.
TEST(YamlParse, LongKeysCostTheirLengthOnce) {
  const std::string key(1'000, 'k');
  std::string text;
  for (int depth = 0; depth < 90; ++depth) {
    text += std::string(static_cast<std::size_t>(depth), ' ') + key + ":\n";
  }
  text += std::string(90, ' ') + "[0";
  for (int i = 1; i < 100'000; ++i) text += ",1";
  const YamlNode root = Parsed(text + ",x]\n");

  const YamlNode* node = &root;
  while (node->kind() == YamlNode::Kind::kMapping) node = node->Find(key);
  ASSERT_EQ(node->items().size(), 100'001U);
  EXPECT_TRUE(node->items().back().where().item.ends_with(key + "[100000]"));
}

TEST(YamlParse, MoreThanAMillionValuesAreRefused) {
  std::string text = "[0";
  for (int i = 0; i < 1'000'000; ++i) text += ",0";
  EXPECT_EQ(ErrorOf(text + "]"), "e.yaml:1: it has more than 1000000 values");
}

TEST(YamlParse, SyntaxErrorNamesTheLine) {
  EXPECT_TRUE(ErrorOf("a: 1\nb: [1, 2\nc: 3\n").starts_with("e.yaml:3: it is not valid YAML: "));
  EXPECT_TRUE(ErrorOf("a: 1\nb: \xff\n").starts_with("e.yaml:2: it is not valid YAML: "));
  EXPECT_TRUE(ErrorOf("\ta: 1\n").starts_with("e.yaml:1: it is not valid YAML: "));
}

TEST(YamlCheckKeys, UnknownKeyIsAnErrorWithTheNearestName) {
  constexpr std::array<std::string_view, 2> kKnown = {"max_inflight", "mode"};
  const YamlNode root = Parsed("mode: asap\narm:\n  max_infligt: 3\n");

  const Result<void> checked = root.Find("arm")->CheckKeys(kKnown);

  ASSERT_FALSE(checked);
  EXPECT_EQ(Describe(checked.error()),
            "e.yaml:3 (arm.max_infligt): unknown key 'max_infligt'\n"
            "  try: did you mean 'max_inflight'?");
  EXPECT_TRUE(Parsed("mode: x\n").CheckKeys(kKnown));
  EXPECT_FALSE(Parsed("- mode\n").CheckKeys(kKnown));
}

TEST(YamlScalar, TypesAreThoseOfThePlainText) {
  const YamlNode root = Parsed(
      "yes: yes\noff: OFF\nquoted: 'true'\nnumber: -12\nreal: 2.5e3\ntext: 12 MiB\n"
      "null1: ~\nnull2:\nempty: ''\ninf: .inf\nblock: |\n  two\n  lines\n");

  EXPECT_TRUE(root.Find("yes")->AsBool().value());
  EXPECT_FALSE(root.Find("off")->AsBool().value());
  EXPECT_FALSE(root.Find("quoted")->AsBool());
  EXPECT_EQ(root.Find("quoted")->AsString().value(), "true");
  EXPECT_EQ(root.Find("number")->AsInt().value(), -12);
  EXPECT_EQ(root.Find("number")->AsReal().value(), -12.0);
  EXPECT_EQ(root.Find("real")->AsReal().value(), 2500.0);
  EXPECT_EQ(root.Find("text")->AsString().value(), "12 MiB");
  EXPECT_EQ(root.Find("null1")->kind(), YamlNode::Kind::kNull);
  EXPECT_EQ(root.Find("null2")->kind(), YamlNode::Kind::kNull);
  EXPECT_EQ(root.Find("empty")->AsString().value(), "");
  EXPECT_FALSE(root.Find("inf")->AsReal());
  EXPECT_EQ(root.Find("block")->AsString().value(), "two\nlines\n");
}

TEST(YamlScalar, WrongTypeSaysWhatStandsThere) {
  const YamlNode root = Parsed("n: many\nlist: [1]\n");

  EXPECT_EQ(Describe(root.Find("n")->AsInt().error()),
            "e.yaml:1 (n): it must be a whole number, but it is 'many'");
  EXPECT_EQ(Describe(root.Find("n")->AsBool().error()),
            "e.yaml:1 (n): it must be true or false, but it is 'many'");
  EXPECT_EQ(Describe(root.Find("list")->AsString().error()),
            "e.yaml:2 (list): it must be a single value");
}

}  // namespace
}  // namespace ioflux
