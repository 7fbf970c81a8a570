// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/latency_curves.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ioflux {
namespace {

using Points = std::vector<CurvePoint>;

void JoinEqual(Points& points) {
  std::stable_sort(points.begin(), points.end(), [](const CurvePoint& a, const CurvePoint& b) {
    return a.interval < b.interval;
  });
  Points joined;
  for (CurvePoint& point : points) {
    if (!joined.empty() && joined.back().interval == point.interval) {
      joined.back().samples.Merge(point.samples);
    } else {
      joined.push_back(std::move(point));
    }
  }
  points = std::move(joined);
}

template <typename Function>
void ForEachCurve(LatencyCurves& curves, Function function) {
  for (auto& [kind, of_kind] : curves.ops) {
    for (Points* points : {&of_kind.service_time, &of_kind.lag, &of_kind.response_time}) {
      function(*points);
    }
  }
}

void Coarsen(LatencyCurves& curves) {
  curves.interval_ns *= 2;
  ForEachCurve(curves, [](Points& points) {
    for (CurvePoint& point : points) point.interval /= 2;
    JoinEqual(points);
  });
}

void Append(Points& sum, const Points& part) {
  sum.insert(sum.end(), part.begin(), part.end());
  JoinEqual(sum);
}

}  // namespace

void MergeCurves(LatencyCurves& sum, LatencyCurves part, std::int64_t shift_ns) {
  if (part.empty() || part.interval_ns <= 0) return;
  if (sum.interval_ns <= 0) sum.interval_ns = part.interval_ns;
  while (sum.interval_ns < part.interval_ns) Coarsen(sum);
  while (part.interval_ns < sum.interval_ns) Coarsen(part);
  const std::int64_t shift = (shift_ns + sum.interval_ns / 2) / sum.interval_ns;
  ForEachCurve(part, [&](Points& points) {
    for (CurvePoint& point : points) point.interval += shift;
  });
  for (auto& [kind, curves] : part.ops) {
    KindCurves& into = sum.ops[kind];
    Append(into.service_time, curves.service_time);
    Append(into.lag, curves.lag);
    Append(into.response_time, curves.response_time);
  }
}

}  // namespace ioflux
