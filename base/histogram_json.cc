// SPDX-License-Identifier: GPL-2.0-only
#include "base/histogram_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"

namespace ioflux {
namespace {

using Bins = std::vector<std::pair<int, std::uint64_t>>;

/// A member that counts something, so it must not be negative.
Result<std::uint64_t> GetCount(const JsonValue& json, std::string_view key) {
  IOFLUX_ASSIGN_OR_RETURN(const std::int64_t value, json.GetInt(key));
  if (value < 0) return json.ErrorHere("`" + std::string(key) + "` is negative");
  return static_cast<std::uint64_t>(value);
}

/// Appends a bin of `place` if there can be such a one.
Result<void> AddBin(const JsonValue& place, std::int64_t bucket, std::int64_t count, Bins& bins) {
  if (bucket < 0 || bucket >= LatencyHistogram::kBuckets) {
    return place.ErrorHere("there is no bucket " + std::to_string(bucket) + " (0 to " +
                           std::to_string(LatencyHistogram::kBuckets - 1) + ")");
  }
  if (count < 0) return place.ErrorHere("a bin has a negative count");
  bins.emplace_back(static_cast<int>(bucket), static_cast<std::uint64_t>(count));
  return {};
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
    IOFLUX_RETURN_IF_ERROR(AddBin(pair, bucket, count, bins));
  }
  return bins;
}

/// "10:1 12:2"
Result<Bins> ReadBinText(const JsonValue& json, std::string_view text) {
  Bins bins;
  while (!text.empty()) {
    const std::string_view bin = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(bin.size() + 1, text.size()));
    const std::size_t colon = bin.find(':');
    const std::optional<std::int64_t> bucket = ParseInteger(bin.substr(0, colon));
    const std::optional<std::int64_t> count =
        colon == std::string_view::npos ? std::nullopt : ParseInteger(bin.substr(colon + 1));
    if (!bucket || !count) {
      return json.ErrorHere("`bins` must be BUCKET:COUNT, separated by blanks, and not '" +
                            std::string(bin) + "'");
    }
    IOFLUX_RETURN_IF_ERROR(AddBin(json, *bucket, *count, bins));
  }
  return bins;
}

/// Everything but the bins.
void SetFigures(const LatencyHistogram& histogram, JsonValue& json) {
  json.Set("count", histogram.count());
  json.Set("sum_ns", histogram.sum_ns());
  json.Set("min_ns", histogram.min_ns());
  json.Set("max_ns", histogram.max_ns());
  json.Set("overflow", histogram.overflow());
}

Result<LatencyHistogram> Assemble(const JsonValue& json, const Bins& bins) {
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t count, GetCount(json, "count"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t sum_ns, GetCount(json, "sum_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t min_ns, GetCount(json, "min_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t max_ns, GetCount(json, "max_ns"));
  IOFLUX_ASSIGN_OR_RETURN(const std::uint64_t overflow, GetCount(json, "overflow"));
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
  SetFigures(histogram, json);
  json.Set("bins", std::move(bins));
  return json;
}

Result<LatencyHistogram> HistogramFromJson(const JsonValue& json) {
  IOFLUX_ASSIGN_OR_RETURN(const JsonValue array, json.GetArray("bins"));
  IOFLUX_ASSIGN_OR_RETURN(const Bins bins, ReadBins(array));
  return Assemble(json, bins);
}

JsonValue PackedHistogramToJson(const PackedHistogram& packed) {
  const LatencyHistogram histogram = packed.Unpack();
  std::string bins;
  for (const auto& [bucket, count] : histogram.NonEmpty()) {
    bins += (bins.empty() ? "" : " ") + std::to_string(bucket) + ":" + std::to_string(count);
  }
  JsonValue json = JsonValue::Object();
  SetFigures(histogram, json);
  json.Set("bins", bins);
  return json;
}

Result<PackedHistogram> PackedHistogramFromJson(const JsonValue& json) {
  IOFLUX_ASSIGN_OR_RETURN(const std::string text, json.GetString("bins"));
  IOFLUX_ASSIGN_OR_RETURN(const Bins bins, ReadBinText(json, text));
  IOFLUX_ASSIGN_OR_RETURN(const LatencyHistogram histogram, Assemble(json, bins));
  return PackedHistogram(histogram);
}

}  // namespace ioflux
