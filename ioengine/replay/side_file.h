// SPDX-License-Identifier: GPL-2.0-only
//
// SideFile: the engine's own account of a replay, as JSON (docs/side-file.md), written atomically.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/session.h"

namespace ioflux {

struct SideFileInput {
  const ReplaySession* session = nullptr;
  std::vector<const ReplayJob*> jobs;  ///< all have ended
  std::string stop_reason;
  std::int64_t cpu_user_ns = 0;
  std::int64_t cpu_sys_ns = 0;
};

/// `PREFIX.N.json`, N the lowest of the jobs' numbers.
std::string SideFilePath(const std::string& prefix, const std::vector<const ReplayJob*>& jobs);

std::string EncodeSideFile(const SideFileInput& input);

}  // namespace ioflux
