// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/descriptor_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ioflux {
namespace {

OpenFilePtr NewFile() { return std::make_shared<OpenFile>(); }

TEST(DescriptorTable, NumbersAreKeptUntilTheyAreRemoved) {
  DescriptorTable table;
  const OpenFilePtr a = NewFile();
  const OpenFilePtr b = NewFile();

  EXPECT_EQ(table.Install(3, a, true), nullptr);
  EXPECT_EQ(table.Install(INT64_MAX, a, false), nullptr);
  EXPECT_EQ(table.Install(3, b, false), a);

  EXPECT_EQ(table.Find(3)->file, b);
  EXPECT_FALSE(table.Find(3)->close_on_exec);
  EXPECT_EQ(table.Find(4), nullptr);
  EXPECT_EQ(table.Find(-1), nullptr);
  EXPECT_EQ(a->descriptors, 1u);
  EXPECT_EQ(table.Numbers(0, INT64_MAX), (std::vector<std::int64_t>{3, INT64_MAX}));
  EXPECT_EQ(table.Numbers(4, 100), (std::vector<std::int64_t>{}));
  EXPECT_EQ(table.Remove(INT64_MAX), a);
  EXPECT_EQ(table.Remove(INT64_MAX), nullptr);
  EXPECT_EQ(a->descriptors, 0u);
}

TEST(DescriptorTable, AChangeInACopyIsNotSeenByTheOriginal) {
  DescriptorTable original;
  const OpenFilePtr file = NewFile();
  original.Install(3, file, false);
  DescriptorTable copy = original;

  copy.SetCloseOnExec(3, true);
  EXPECT_FALSE(original.Find(3)->close_on_exec);
  EXPECT_EQ(copy.Remove(3), file);
  EXPECT_NE(original.Find(3), nullptr);
  EXPECT_EQ(file->descriptors, 1u) << "still open in the original";
  EXPECT_EQ(original.Remove(3), file);
  EXPECT_EQ(file->descriptors, 0u);
}

// Tables with copies, beside ones that hold everything themselves.
TEST(DescriptorTable, CopiesBehaveAsIfEachHadItsOwnPlaces) {
  using Model = std::map<std::int64_t, OpenFilePtr>;
  std::mt19937 random(1);
  std::vector<DescriptorTable> tables(1);
  std::vector<Model> models(1);
  std::vector<OpenFilePtr> files;
  const auto is_open = [&](const OpenFilePtr& file) {
    for (const Model& model : models) {
      for (const auto& [number, held] : model) {
        if (held == file) return true;
      }
    }
    return false;
  };

  for (int step = 0; step < 4000; ++step) {
    const std::size_t at = random() % tables.size();
    const std::int64_t number = random() % 200 * (random() % 9 == 0 ? 1000 : 1);
    switch (random() % 6) {
      case 0:
      case 1:
        files.push_back(NewFile());
        tables[at].Install(number, files.back(), false);
        models[at][number] = files.back();
        break;
      case 2:
        if (!models[at].contains(number)) break;
        tables[at].Install(number + 1, models[at][number], false);
        models[at][number + 1] = models[at][number];
        break;
      case 3:
        EXPECT_EQ(tables[at].Remove(number) != nullptr, models[at].erase(number) == 1);
        break;
      case 4:
        if (tables.size() > 12) break;
        tables.push_back(tables[at]);
        models.push_back(models[at]);
        break;
      default:
        if (tables.size() < 2 || step % 5 != 0) break;
        tables[at].RemoveAll([](const OpenFilePtr&) {});
        tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(at));
        models.erase(models.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (step % 50 != 0) continue;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      std::vector<std::int64_t> numbers;
      for (const auto& [held_number, file] : models[i]) {
        numbers.push_back(held_number);
        EXPECT_EQ(tables[i].Find(held_number)->file, file);
      }
      EXPECT_EQ(tables[i].Numbers(0, INT64_MAX), numbers);
    }
    for (const OpenFilePtr& file : files) EXPECT_EQ(file->descriptors > 0, is_open(file)) << step;
  }
}

TEST(DescriptorTable, TheEndOfATableGivesWhatNoOtherHas) {
  DescriptorTable first;
  const OpenFilePtr kept = NewFile();
  const OpenFilePtr twice = NewFile();
  first.Install(1, kept, false);
  DescriptorTable second = first;
  first.Install(200, twice, false);
  first.Install(201, twice, false);
  std::vector<std::uint32_t> left;

  first.RemoveAll([&](const OpenFilePtr& file) {
    EXPECT_EQ(file, twice);
    left.push_back(file->descriptors);
  });

  EXPECT_EQ(left, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_TRUE(first.Numbers(0, INT64_MAX).empty());
  EXPECT_EQ(kept->descriptors, 1u);
}

// Thousands of processes that inherit thousands of files: held in full they would need gigabytes.
TEST(DescriptorTable, CopiesCostWhatTheyChange) {
  constexpr int kFiles = 10'000;
  DescriptorTable parent;
  for (int i = 0; i < kFiles; ++i) parent.Install(i, NewFile(), false);

  std::vector<DescriptorTable> children(50'000, parent);
  for (int i = 0; i < 1'000; ++i) children[static_cast<std::size_t>(i)].Remove(i);

  EXPECT_EQ(children[0].Find(0), nullptr);
  EXPECT_EQ(children[49'999].Numbers(0, kFiles).size(), static_cast<std::size_t>(kFiles));
}

}  // namespace
}  // namespace ioflux
