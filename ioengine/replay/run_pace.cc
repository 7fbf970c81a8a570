// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/run_pace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/saturating_math.h"
#include "ioengine/replay/pacing.h"

namespace ioflux {
namespace {

/// The recorded times of one stream. Those before 0 count as 0: they are due at once.
struct StreamTimes {
  std::int64_t first_ns = 0;
  std::int64_t last_start_ns = 0;
  std::int64_t last_duration_ns = 0;
  std::int64_t gaps_ns = 0;
  std::int64_t durations_ns = 0;
};

/// `from` is not after `to`.
std::int64_t Between(std::int64_t from, std::int64_t to) {
  const std::uint64_t distance = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<std::int64_t>(std::min(distance, static_cast<std::uint64_t>(kSaturated)));
}

std::int64_t Divided(std::int64_t time_ns, double speedup) {
  const double scaled = static_cast<double>(time_ns) / speedup;
  return scaled < static_cast<double>(kSaturated) ? static_cast<std::int64_t>(scaled) : kSaturated;
}

StreamTimes TimesOf(const StreamOps& stream) {
  StreamTimes times;
  OpCursor cursor(stream.ops);
  ReplayOp op;
  ReplayOp previous;
  for (bool first = true; cursor.Next(op); first = false) {
    const std::int64_t start_ns = std::max<std::int64_t>(op.t_ns, 0);
    if (first) times.first_ns = start_ns;
    if (!first && previous.duration_ns >= 0) {
      const std::int64_t end_ns = SaturatingAdd(previous.t_ns, previous.duration_ns);
      if (op.t_ns > end_ns) times.gaps_ns = SaturatingAdd(times.gaps_ns, Between(end_ns, op.t_ns));
    }
    times.last_start_ns = start_ns;
    times.last_duration_ns = std::max<std::int64_t>(op.duration_ns, 0);
    times.durations_ns = SaturatingAdd(times.durations_ns, times.last_duration_ns);
    previous = op;
  }
  return times;
}

/// The most intervals that share an instant; touching ends do not.
std::int64_t PeakOverlap(std::vector<std::pair<std::int64_t, int>> edges) {
  std::sort(edges.begin(), edges.end());
  std::int64_t open = 0;
  std::int64_t peak = 0;
  for (const auto& [time_ns, change] : edges) peak = std::max(peak, open += change);
  return peak;
}

}  // namespace

RunPace PaceOf(const LoadedTrace& trace, const ReplaySettings& settings) {
  const PaceMode mode = PaceModeOf(settings);
  const double speedup = settings.real(Setting::kSpeedup);
  RunPace pace;
  std::int64_t think_ns = 0;
  std::int64_t idle_ns = 0;
  std::int64_t scaled_ns = 0;
  std::vector<std::pair<std::int64_t, int>> edges;
  for (const StreamOps& stream : trace.streams) {
    if (stream.ops.size() == 0) continue;
    const StreamTimes times = TimesOf(stream);
    const std::int64_t end_ns = SaturatingAdd(times.last_start_ns, times.last_duration_ns);
    pace.recorded_ns = std::max(pace.recorded_ns, end_ns);
    const std::int64_t gaps_ns = SaturatingAdd(times.first_ns, times.gaps_ns);
    idle_ns = std::max(idle_ns, gaps_ns);
    think_ns = std::max(think_ns, SaturatingAdd(gaps_ns, times.durations_ns));
    scaled_ns = std::max(
        scaled_ns, SaturatingAdd(Divided(times.last_start_ns, speedup), times.last_duration_ns));
    edges.emplace_back(times.first_ns, 1);
    edges.emplace_back(std::max(end_ns, SaturatingAdd(times.first_ns, 1)), -1);
  }
  pace.peak_streams = mode == PaceMode::kAsap ? static_cast<std::int64_t>(edges.size() / 2)
                                              : PeakOverlap(std::move(edges));
  if (mode == PaceMode::kTimeline) pace.planned_ns = pace.recorded_ns;
  if (mode == PaceMode::kScaled) pace.planned_ns = scaled_ns;
  if (mode == PaceMode::kThink) {
    pace.planned_ns = think_ns;
    pace.shortest_ns = idle_ns;
  }
  return pace;
}

Result<void> CheckPace(const LoadedTrace& trace, const ReplaySettings& settings) {
  if (PaceModeOf(settings) != PaceMode::kThink || trace.ops_with_duration > 0 ||
      trace.header.summary.num_ops == 0) {
    return {};
  }
  return Error{
      .kind = ErrorKind::kRefused,
      .what = "no operation of this trace has a duration (`dur`), so its think gaps are unknown",
      .where = {.path = settings.text(Setting::kTrace), .line = 0, .item = {}},
      .mend =
          "capture with durations (strace -T), generate with --model-bandwidth, or use --mode "
          "timeline"};
}

}  // namespace ioflux
