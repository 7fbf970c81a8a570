// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/header_limit.h"

#include <algorithm>
#include <string>

#include "trace_tools/format/trace_writer.h"

namespace ioflux {
namespace {

std::int64_t LineBytes(const TraceHeader& header) {
  std::string line;
  AppendHeaderLine(line, header);
  return static_cast<std::int64_t>(line.size()) - 1;
}

// Of a target with an id and size of one digit and no name, as the writer writes it.
std::int64_t BareTargetBytes() {
  static const std::int64_t bytes = [] {
    TraceHeader header;
    const std::int64_t none = LineBytes(header);
    header.targets.push_back({.id = 0, .name = "", .kind = "file", .size_bytes = 0});
    return LineBytes(header) - none;
  }();
  return bytes;
}

constexpr auto kLimit = static_cast<std::int64_t>(kMaxLineBytes);

}  // namespace

std::int64_t DecimalDigits(std::int64_t value, std::int64_t least) {
  std::int64_t digits = 1;
  for (; value > 9; value /= 10) ++digits;
  return std::max(digits, least);
}

bool HeaderFits(const HeaderPlan& plan) {
  if (plan.targets > kLimit / BareTargetBytes()) return false;
  TraceHeader header = plan.header;
  header.targets.clear();
  header.summary = {};
  header.summary.num_ops = header.summary.num_streams = INT64_MAX;
  header.summary.total_bytes = header.summary.duration_ns = INT64_MAX;
  std::int64_t bytes = LineBytes(header) + plan.targets - 1;  // a comma between two targets
  for (std::int64_t id = 0; id < plan.targets && bytes <= kLimit; ++id) {
    const TargetShape shape = plan.shape_of(id);
    bytes += BareTargetBytes() + DecimalDigits(id) - 1 + shape.name_bytes +
             DecimalDigits(shape.size_bytes) - 1;
  }
  return bytes <= kLimit;
}

std::int64_t LargestCountThatFits(std::int64_t upper,
                                  const std::function<HeaderPlan(std::int64_t count)>& plan_of) {
  std::int64_t fits = 0;
  std::int64_t too_many = std::min(upper, kLimit) + 1;
  while (too_many - fits > 1) {
    const std::int64_t middle = fits + (too_many - fits) / 2;
    (HeaderFits(plan_of(middle)) ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace ioflux
