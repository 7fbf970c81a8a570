// SPDX-License-Identifier: GPL-2.0-only
//
// Traces written down in a test: op lines with the header that fits them.
#pragma once

#include <string>
#include <vector>

namespace ioflux {

struct TextTarget {
  std::string name;
  long size_bytes = 0;
};

/// A valid synthetic trace. `streams` and `partial` go to the summary, which must match `ops`.
std::string TraceText(const std::vector<TextTarget>& targets, const std::vector<std::string>& ops,
                      int streams = 1, int partial = 0);

}  // namespace ioflux
