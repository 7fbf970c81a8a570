// SPDX-License-Identifier: GPL-2.0-only
//
// "Did you mean …": the known word nearest to an unknown one, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ioflux {

/// The candidate with the smallest edit distance to `word` if that distance is at most a third of
/// the longer word (at least 1), else empty. Case-insensitive, `_` and `-` count as equal.
std::string NearestName(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean 'x'?`, or `known: a, b, c` when nothing is near.
std::string SuggestName(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace ioflux
