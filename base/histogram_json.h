// SPDX-License-Identifier: GPL-2.0-only
//
// A latency histogram as JSON, the same in side files and results:
//
//   { "count": 3, "sum_ns": 60, "min_ns": 10, "max_ns": 30, "overflow": 0, "bins": [[10, 1], …] }
//
// `bins` holds the non-empty buckets as [bucket, count] in the layout of base/latency_histogram.h.
// One of a curve, of which a document may hold thousands, has its bins in one string: "10:1 12:2".
// Reading checks that the parts agree: every bucket exists, bins and overflow sum up to `count`.
#pragma once

#include "base/json_value.h"
#include "base/latency_histogram.h"
#include "base/packed_histogram.h"
#include "base/result.h"

namespace ioflux {

/// Name of the bucket layout: fio's 64 buckets per power of two, 29 groups.
inline constexpr std::string_view kHistogramLayout = "fio-64x29";

JsonValue HistogramToJson(const LatencyHistogram& histogram);
Result<LatencyHistogram> HistogramFromJson(const JsonValue& json);

JsonValue PackedHistogramToJson(const PackedHistogram& packed);
Result<PackedHistogram> PackedHistogramFromJson(const JsonValue& json);

}  // namespace ioflux
