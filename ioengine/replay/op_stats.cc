// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/op_stats.h"

#include <algorithm>

namespace ioflux {
namespace {

std::unique_ptr<KindStats> MakeKind(bool paced) {
  auto kind = std::make_unique<KindStats>();
  if (paced) {
    kind->lag = std::make_unique<LatencyCurve>();
    kind->response_time = std::make_unique<LatencyCurve>();
  }
  return kind;
}

void MergeKind(KindStats& into, const KindStats& from) {
  into.service_time.Merge(from.service_time);
  if (from.lag != nullptr) {
    into.lag->Merge(*from.lag);
    into.response_time->Merge(*from.response_time);
  }
  into.errors += from.errors;
  into.short_reads += from.short_reads;
  into.moved_bytes += from.moved_bytes;
  into.requested_bytes += from.requested_bytes;
}

}  // namespace

OpStats::OpStats(std::uint32_t kinds, bool paced) : paced_(paced) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if ((kinds >> i & 1) != 0) kinds_[i] = MakeKind(paced);
  }
}

void OpStats::StartCurves(std::int64_t start_ns, std::int64_t interval_ns) {
  if (interval_ns_ != 0 || interval_ns == 0) return;
  start_ns_ = start_ns;
  interval_ns_ = interval_ns;
  interval_end_ns_ = start_ns + interval_ns;
}

template <typename Function>
void OpStats::ForEachCurve(Function function) {
  for (const std::unique_ptr<KindStats>& kind : kinds_) {
    if (kind == nullptr) continue;
    function(kind->service_time);
    if (kind->lag == nullptr) continue;
    function(*kind->lag);
    function(*kind->response_time);
  }
}

void OpStats::CloseIntervals() {
  ForEachCurve([this](LatencyCurve& curve) { curve.CloseInterval(interval_); });
}

void OpStats::Coarsen() {
  ForEachCurve([](LatencyCurve& curve) { curve.Coarsen(); });
  interval_ns_ *= 2;
  interval_ /= 2;
}

void OpStats::NextInterval(std::int64_t end_ns) {
  CloseIntervals();
  while ((end_ns - start_ns_) / interval_ns_ >= kMaxIntervals) Coarsen();
  interval_ = static_cast<std::uint32_t>((end_ns - start_ns_) / interval_ns_);
  interval_end_ns_ = start_ns_ + (std::int64_t{interval_} + 1) * interval_ns_;
}

void OpStats::KeepFailure(const Failure& failure) {
  ++failure_counts_[{failure.kind, failure.error}];
  if (failures_.size() < kKeptFailures) failures_.push_back(failure);
}

void OpStats::Merge(OpStats& other) {
  other.CloseIntervals();
  if (interval_ns_ == 0) interval_ns_ = other.interval_ns_;
  // Both started with the same width, so one is the other doubled some times.
  while (interval_ns_ < other.interval_ns_) Coarsen();
  while (other.interval_ns_ < interval_ns_) other.Coarsen();
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (other.kinds_[i] == nullptr) continue;
    if (kinds_[i] == nullptr) kinds_[i] = MakeKind(other.paced_);
    MergeKind(*kinds_[i], *other.kinds_[i]);
  }
  failures_.insert(failures_.end(), other.failures_.begin(), other.failures_.end());
  std::stable_sort(failures_.begin(), failures_.end(),
                   [](const Failure& a, const Failure& b) { return a.start_ns < b.start_ns; });
  if (failures_.size() > kKeptFailures) failures_.resize(kKeptFailures);
  for (const auto& [key, count] : other.failure_counts_) failure_counts_[key] += count;
}

}  // namespace ioflux
