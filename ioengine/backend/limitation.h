// SPDX-License-Identifier: GPL-2.0-only
//
// Limitation: one sentence about what of a trace was not, or not wholly, done as the source did it.
// Its counts are kept apart from its words, so that those of several processes can be added.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/counted_text.h"

namespace ioflux {

struct Limitation {
  /// With a `{}` for each count; without counts the sentence as it is.
  std::string text;
  /// What this process has counted; empty when the sentence holds for the run as a whole.
  std::vector<std::uint64_t> counts{};

  /// The sentence with its counts.
  std::string Words() const { return WithCounts(text, counts); }
};

/// A sentence that is there already gets the counts of `more` on top.
inline void AddLimitation(std::vector<Limitation>& all, const Limitation& more) {
  for (Limitation& known : all) {
    if (known.text != more.text || known.counts.size() != more.counts.size()) continue;
    for (std::size_t i = 0; i < more.counts.size(); ++i) known.counts[i] += more.counts[i];
    return;
  }
  all.push_back(more);
}

inline std::vector<std::string> WordsOf(const std::vector<Limitation>& limitations) {
  std::vector<std::string> all;
  for (const Limitation& limitation : limitations) all.push_back(limitation.Words());
  return all;
}

}  // namespace ioflux
