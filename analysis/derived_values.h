// SPDX-License-Identifier: GPL-2.0-only
//
// Figures that follow from a result and are not stored in it. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/latency_stats.h"

namespace ioflux {

/// 0 when the duration is 0 or negative.
double OpsPerSecond(std::int64_t ops, std::int64_t duration_ns);
double GibPerSecond(std::int64_t bytes, std::int64_t duration_ns);

/// The data operation with the highest count among WRITE, READ, PUT, GET (ties in that order);
/// empty when there is none.
std::string DominantDataOp(const std::vector<OpLatency>& per_op_stats);

}  // namespace ioflux
