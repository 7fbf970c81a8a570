// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/lognormal_size.h"

#include <cmath>

#include "trace_tools/generate/normal_ziggurat.h"

namespace ioflux {
namespace {

constexpr double kSigma = 0.5;

}  // namespace

// The mean of a log-normal is exp(mu + sigma^2/2).
LognormalSize::LognormalSize(std::int64_t mean_bytes)
    : mu_(std::log(static_cast<double>(mean_bytes)) - kSigma * kSigma / 2) {}

std::int64_t LognormalSize::Draw(PcgDxsm& random, std::int64_t limit_bytes) const {
  const double sample = std::round(std::exp(mu_ + kSigma * DrawNormal(random)));
  if (sample >= static_cast<double>(limit_bytes)) return limit_bytes;
  return sample < 1 ? 1 : static_cast<std::int64_t>(sample);
}

}  // namespace ioflux
