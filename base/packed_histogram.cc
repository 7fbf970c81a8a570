// SPDX-License-Identifier: GPL-2.0-only
#include "base/packed_histogram.h"

#include <utility>
#include <vector>

namespace ioflux {
namespace {

constexpr unsigned kGroupBits = 7;
constexpr std::uint64_t kGroupMask = (1U << kGroupBits) - 1;

/// Seven bits a byte, lowest first; the high bit says that more follow.
void PutNumber(std::string& bytes, std::uint64_t value) {
  while (value > kGroupMask) {
    bytes.push_back(static_cast<char>((value & kGroupMask) | (1U << kGroupBits)));
    value >>= kGroupBits;
  }
  bytes.push_back(static_cast<char>(value));
}

std::uint64_t TakeNumber(const std::string& bytes, std::size_t& position) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += kGroupBits) {
    const auto byte = static_cast<unsigned char>(bytes[position++]);
    value |= (byte & kGroupMask) << shift;
    if ((byte >> kGroupBits) == 0) return value;
  }
}

}  // namespace

PackedHistogram::PackedHistogram(const LatencyHistogram& histogram)
    : overflow_(histogram.overflow()),
      sum_ns_(histogram.sum_ns()),
      min_ns_(histogram.min_ns()),
      max_ns_(histogram.max_ns()) {
  int before = 0;
  for (const auto& [bucket, count] : histogram.NonEmpty()) {
    PutNumber(bytes_, static_cast<std::uint64_t>(bucket - before));
    PutNumber(bytes_, count);
    before = bucket;
  }
  bytes_.shrink_to_fit();
}

LatencyHistogram PackedHistogram::Unpack() const {
  std::vector<std::pair<int, std::uint64_t>> bins;
  int bucket = 0;
  for (std::size_t position = 0; position < bytes_.size();) {
    bucket += static_cast<int>(TakeNumber(bytes_, position));
    bins.emplace_back(bucket, TakeNumber(bytes_, position));
  }
  if (empty()) return {};
  // What was taken from a histogram makes one again.
  return LatencyHistogram::Restore(bins, overflow_, sum_ns_, min_ns_, max_ns_).value();
}

void PackedHistogram::Merge(const PackedHistogram& other) {
  LatencyHistogram sum = Unpack();
  sum.Merge(other.Unpack());
  *this = PackedHistogram(sum);
}

}  // namespace ioflux
