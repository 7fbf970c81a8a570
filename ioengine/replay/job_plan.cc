// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/job_plan.h"

#include <algorithm>
#include <string>

namespace ioflux {
namespace {

/// 0 = left to the number of processors.
std::uint32_t MostPerJob(const ReplaySettings& settings) {
  if (!Multiplexes(settings)) return 1;
  return static_cast<std::uint32_t>(settings.number(Setting::kStreamsPerJob));
}

}  // namespace

bool Multiplexes(const ReplaySettings& settings) { return settings.text(Setting::kIo) == "uring"; }

std::uint32_t PlanJobs(const ReplaySettings& settings, std::uint32_t streams,
                       std::uint32_t processors) {
  const std::uint32_t most = MostPerJob(settings);
  if (most == 0) return std::clamp(streams, 1U, std::max(processors, 1U));
  return std::max(1U, streams / most + (streams % most != 0 ? 1 : 0));
}

Result<void> CheckJobs(const ReplaySettings& settings, std::uint32_t streams, std::uint32_t jobs) {
  const std::uint32_t planned = PlanJobs(settings, streams, jobs);
  if (jobs == planned) return {};
  return Error{.kind = ErrorKind::kUsage,
               .what = "the trace has " + std::to_string(streams) +
                       " stream(s), but the section has " + std::to_string(jobs) + " job(s)",
               .where = {.path = settings.text(Setting::kTrace), .line = 0, .item = {}},
               .mend = "set numjobs=" + std::to_string(planned)};
}

std::vector<std::uint32_t> StreamsOfJob(std::uint32_t index, std::uint32_t jobs,
                                        std::uint32_t streams) {
  std::vector<std::uint32_t> of_job;
  for (std::uint32_t stream = index; stream < streams; stream += jobs) of_job.push_back(stream);
  return of_job;
}

}  // namespace ioflux
