// SPDX-License-Identifier: GPL-2.0-only
#include "base/histogram_json.h"

#include <string>
#include <utility>
#include <vector>

namespace ioflux {
namespace {

using Bins = std::vector<std::pair<int, std::uint64_t>>;

/// A member that counts something, so it must not be negative.
Result<std::uint64_t> GetCount(const JsonValue& json, std::string_view key) {
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t value, json.GetInt(key));
  if (value < 0) return json.ErrorHere("`" + std::string(key) + "` is negative");
  return static_cast<std::uint64_t>(value);
}

Result<Bins> ReadBins(const JsonValue& array) {
  Bins bins;
  bins.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    const JsonValue pair = array.At(i);
    if (!pair.is_array() || pair.size() != 2) {
      return pair.ErrorHere("a bin must be a pair [bucket, count]");
    }
    IOFLUX_ASSIGN_OR_RETURN(const std::int64_t bucket, pair.At(0).AsInt());
    IOFLUX_ASSIGN_OR_RETURN(const std::int64_t count, pair.At(1).AsInt());
    if (bucket < 0 || bucket >= LatencyHistogram::kBuckets) {
      return pair.ErrorHere("there is no bucket " + std::to_string(bucket) + " (0 to " +
                            std::to_string(LatencyHistogram::kBuckets - 1) + ")");
    }
    if (count < 0) return pair.ErrorHere("a bin has a negative count");
    bins.emplace_back(static_cast<int>(bucket), static_cast<std::uint64_t>(count));
  }
  return bins;
}

}  // namespace

JsonValue HistogramToJson(const LatencyHistogram& histogram) {
  JsonValue bins = JsonValue::Array();
  for (const auto& [bucket, count] : histogram.NonEmpty()) {
    JsonValue pair = JsonValue::Array();
    pair.Append(JsonValue::Int(bucket));
    pair.Append(JsonValue::Int(static_cast<std::int64_t>(count)));
    bins.Append(std::move(pair));
  }
  JsonValue json = JsonValue::Object();
  json.Set("count", histogram.count());
  json.Set("sum_ns", histogram.sum_ns());
  json.Set("min_ns", histogram.min_ns());
  json.Set("max_ns", histogram.max_ns());
  json.Set("overflow", histogram.overflow());
  json.Set("bins", std::move(bins));
  return json;
}

Result<LatencyHistogram> HistogramFromJson(const JsonValue& json) {
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t count, GetCount(json, "count"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t sum_ns, GetCount(json, "sum_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t min_ns, GetCount(json, "min_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t max_ns, GetCount(json, "max_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t overflow, GetCount(json, "overflow"));
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue array, json.GetArray("bins"));
  IOFLUX_ASSIGN_OR_RETURN(const Bins bins, ReadBins(array));

  std::uint64_t sampled = overflow;
  for (const auto& [bucket, samples] : bins) sampled += samples;
  if (sampled != count) {
    return json.ErrorHere("the bins hold " + std::to_string(sampled) +
                          " samples but `count` says " + std::to_string(count));
  }
  Result<LatencyHistogram> histogram = LatencyHistogram::Restore(
      bins, overflow, sum_ns, static_cast<std::int64_t>(min_ns), static_cast<std::int64_t>(max_ns));
  if (!histogram) return json.ErrorHere(histogram.error().what);
  return histogram;
}

}  // namespace ioflux
