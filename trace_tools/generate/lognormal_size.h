// SPDX-License-Identifier: GPL-2.0-only
//
// Record sizes with a log-normal distribution around a mean: median 0.8825 x mean, coefficient of
// variation 0.53.
#pragma once

#include <cstdint>

#include "trace_tools/generate/pcg_dxsm.h"

namespace ioflux {

class LognormalSize {
 public:
  /// `mean_bytes` must be above 0.
  explicit LognormalSize(std::int64_t mean_bytes);

  /// At least 1, at most `limit_bytes` (which must be above 0): larger samples are cut to it.
  std::int64_t Draw(PcgDxsm& random, std::int64_t limit_bytes) const;

 private:
  double mu_;
};

}  // namespace ioflux
