// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/op_stats.h"

#include <algorithm>

namespace ioflux {

OpStats::OpStats(std::uint32_t kinds) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if ((kinds >> i & 1) != 0) kinds_[i] = std::make_unique<KindStats>();
  }
}

void OpStats::KeepFailure(const Failure& failure) {
  ++failure_counts_[{failure.kind, failure.error}];
  if (failures_.size() < kKeptFailures) failures_.push_back(failure);
}

void OpStats::Merge(const OpStats& other) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const KindStats* from = other.kinds_[i].get();
    if (from == nullptr) continue;
    if (kinds_[i] == nullptr) kinds_[i] = std::make_unique<KindStats>();
    KindStats& into = *kinds_[i];
    into.service_time.Merge(from->service_time);
    into.errors += from->errors;
    into.short_reads += from->short_reads;
    into.moved_bytes += from->moved_bytes;
    into.requested_bytes += from->requested_bytes;
  }
  failures_.insert(failures_.end(), other.failures_.begin(), other.failures_.end());
  std::stable_sort(failures_.begin(), failures_.end(),
                   [](const Failure& a, const Failure& b) { return a.start_ns < b.start_ns; });
  if (failures_.size() > kKeptFailures) failures_.resize(kKeptFailures);
  for (const auto& [key, count] : other.failure_counts_) failure_counts_[key] += count;
}

}  // namespace ioflux
