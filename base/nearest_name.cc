// SPDX-License-Identifier: GPL-2.0-only
#include "base/nearest_name.h"

#include <algorithm>
#include <vector>

namespace ioflux {
namespace {

std::string Folded(std::string_view word) {
  std::string folded(word);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c == '_') c = '-';
  }
  return folded;
}

// Insertions, deletions, substitutions and swaps of neighbours, each at cost 1.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestName(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestWord = 256;  // nobody mistypes a longer one; bounds the table above
  if (word.size() > kLongestWord) return "";
  const std::string folded = Folded(word);
  std::string_view nearest;
  std::size_t smallest = kLongestWord;
  for (const std::string_view candidate : candidates) {
    const std::size_t allowed =
        std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    const std::size_t distance = EditDistance(folded, Folded(candidate));
    if (distance > allowed || distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return std::string(nearest);
}

std::string SuggestName(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string nearest = NearestName(word, candidates);
  if (!nearest.empty()) return "did you mean '" + nearest + "'?";
  std::string text = "known: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i != 0) text += ", ";
    text += candidates[i];
  }
  return text;
}

}  // namespace ioflux
