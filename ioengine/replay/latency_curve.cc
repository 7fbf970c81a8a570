// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/latency_curve.h"

#include <algorithm>
#include <utility>

namespace ioflux {
namespace {

/// Joins neighbours of the same interval.
void JoinEqual(std::vector<LatencyCurve::Point>& points) {
  std::vector<LatencyCurve::Point> joined;
  for (LatencyCurve::Point& point : points) {
    if (!joined.empty() && joined.back().interval == point.interval) {
      joined.back().samples.Merge(point.samples);
    } else {
      joined.push_back(std::move(point));
    }
  }
  points = std::move(joined);
}

}  // namespace

void LatencyCurve::CloseInterval(std::uint32_t interval) {
  PackedHistogram packed(current_);
  if (packed.empty()) return;
  closed_.Merge(current_);
  current_ = LatencyHistogram();
  if (!points_.empty() && points_.back().interval == interval) {
    points_.back().samples.Merge(packed);
  } else {
    points_.push_back({interval, std::move(packed)});
  }
}

void LatencyCurve::Coarsen() {
  for (Point& point : points_) point.interval /= 2;
  JoinEqual(points_);
}

LatencyHistogram LatencyCurve::Total() const {
  LatencyHistogram total = closed_;
  total.Merge(current_);
  return total;
}

void LatencyCurve::Merge(const LatencyCurve& other) {
  closed_.Merge(other.closed_);
  const auto middle = static_cast<std::ptrdiff_t>(points_.size());
  points_.insert(points_.end(), other.points_.begin(), other.points_.end());
  std::inplace_merge(points_.begin(), points_.begin() + middle, points_.end(),
                     [](const Point& a, const Point& b) { return a.interval < b.interval; });
  JoinEqual(points_);
}

}  // namespace ioflux
