// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/timing_model.h"

#include <fmt/format.h>

#include "base/duration_text.h"
#include "base/saturating_math.h"
#include "base/size_text.h"
#include "trace_tools/generate/parameter_check.h"

namespace ioflux {

std::int64_t TimingModel::DurationNs(std::int64_t bytes) const {
  const std::int64_t latency = latency_ns.value_or(0);
  if (!bandwidth_bytes_per_s || bytes == 0) return latency;
  __extension__ using Wide = unsigned __int128;
  const auto bandwidth = static_cast<Wide>(*bandwidth_bytes_per_s);
  const Wide transfer = (static_cast<Wide>(bytes) * 1'000'000'000 + bandwidth / 2) / bandwidth;
  if (transfer > static_cast<Wide>(kSaturated)) return kSaturated;
  return SaturatingAdd(latency, static_cast<std::int64_t>(transfer));
}

std::string TimingModel::Text() const {
  std::string text;
  if (bandwidth_bytes_per_s) {
    text = FormatSizeExact(static_cast<std::uint64_t>(*bandwidth_bytes_per_s)) + "/s";
  }
  if (latency_ns) {
    text += fmt::format("{}latency {}", text.empty() ? "" : ", ", FormatDuration(*latency_ns));
  }
  return text;
}

Result<void> CheckTimingModel(const TimingModel& model) {
  if (model.bandwidth_bytes_per_s) {
    IOFLUX_RETURN_IF_ERROR(CheckPositive("--model-bandwidth", *model.bandwidth_bytes_per_s));
  }
  if (model.latency_ns) {
    IOFLUX_RETURN_IF_ERROR(CheckNotNegative("--model-latency", *model.latency_ns));
  }
  return {};
}

}  // namespace ioflux
