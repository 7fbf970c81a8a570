// SPDX-License-Identifier: GPL-2.0-only
//
// How many targets fit into the header line, which no reader accepts beyond kMaxLineBytes. Counts
// characters; makes no target.
#pragma once

#include <cstdint>
#include <functional>

#include "trace_tools/format/trace_header.h"

namespace ioflux {

/// What decides the length of one target's text, besides its id.
struct TargetShape {
  std::int64_t name_bytes;
  std::int64_t size_bytes;
};

/// A header to come: everything but its targets and summary, and the shape of target `id`.
struct HeaderPlan {
  TraceHeader header;
  std::int64_t targets;
  std::function<TargetShape(std::int64_t id)> shape_of;
};

/// Whatever the summary will be: it is taken at its longest.
bool HeaderFits(const HeaderPlan& plan);

/// The largest count from 1 to `upper` whose plan fits, 0 if none does. Plans of larger counts must
/// not be shorter.
std::int64_t LargestCountThatFits(std::int64_t upper,
                                  const std::function<HeaderPlan(std::int64_t count)>& plan_of);

/// Characters of `value` in base 10, padded with zeros to `least`. Not for negative values.
std::int64_t DecimalDigits(std::int64_t value, std::int64_t least = 1);

}  // namespace ioflux
