// SPDX-License-Identifier: GPL-2.0-only
//
// docs/results.md explains every key that results.json, of one replay or of a set, may hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analysis/run_result.h"
#include "analysis/trial_set.h"
#include "tests/support/temp_dir.h"

namespace ioflux {
namespace {

/// Walks the field lists and collects every key, optional ones too.
class KeyCollector {
 public:
  template <typename T>
  void Required(std::string_view key, const T& value) {
    keys_.insert(std::string(key));
    Inside(value);
  }
  template <typename T>
  void Optional(std::string_view key, const T& value) {
    Required(key, value);
  }
  template <typename T>
  void Own(std::string_view key, const T& value) {
    Required(key, value);
  }

  const std::set<std::string>& keys() const { return keys_; }

 private:
  template <typename T>
  void Inside(const T& value) {
    if constexpr (kIsVector<T> || kIsOptional<T>) {
      Inside(typename T::value_type{});
    } else if constexpr (kIsMap<T>) {
      Inside(typename T::mapped_type{});
    } else if constexpr (std::is_same_v<T, LatencyHistogram> ||
                         std::is_same_v<T, PackedHistogram>) {
      for (const std::string& key : ToJson(value).Keys()) keys_.insert(key);
    } else if constexpr (!std::is_arithmetic_v<T> && !std::is_same_v<T, std::string>) {
      T::Fields(value, *this);
    }
  }

  std::set<std::string> keys_;
};

TEST(ResultsDocument, NamesEveryKey) {
  KeyCollector collector;
  const RunResult result;
  RunResult::Fields(result, collector);
  const TrialSet set;
  TrialSet::Fields(set, collector);
  TrialSummary::Fields(set.summary, collector);
  const std::string document = ReadFileForTest(IOFLUX_SOURCE_DIR "/docs/results.md");

  EXPECT_GT(collector.keys().size(), 100u);
  for (const std::string& key : collector.keys()) {
    EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << "not explained: " << key;
  }
}

}  // namespace
}  // namespace ioflux
