// SPDX-License-Identifier: GPL-2.0-only
//
// JobPlan: how the streams of a trace are dealt to fio jobs.
//
// Whoever writes a job file and the engine that runs it must agree, so both ask here. With
// io=psync every stream has a job of its own. With io=uring job i of n replays the streams i, i+n,
// i+2n, ...: streams that a program started together end up in different jobs.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

/// Whether a job replays many streams.
bool Multiplexes(const ReplaySettings& settings);

/// How many jobs a job file should have for so many streams (at least 1) on so many processors.
std::uint32_t PlanJobs(const ReplaySettings& settings, std::uint32_t streams,
                       std::uint32_t processors);

/// kUsage when a section of `jobs` jobs cannot replay so many streams as the settings say.
Result<void> CheckJobs(const ReplaySettings& settings, std::uint32_t streams, std::uint32_t jobs);

/// The streams of job `index` of `jobs`, by their place in the trace.
std::vector<std::uint32_t> StreamsOfJob(std::uint32_t index, std::uint32_t jobs,
                                        std::uint32_t streams);

}  // namespace ioflux
