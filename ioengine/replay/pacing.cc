// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/pacing.h"

#include <string>

namespace ioflux {

PaceMode PaceModeOf(const ReplaySettings& settings) {
  const std::string& word = settings.text(Setting::kMode);
  if (word == "think") return PaceMode::kThink;
  if (word == "timeline") return PaceMode::kTimeline;
  if (word == "scaled") return PaceMode::kScaled;
  return PaceMode::kAsap;
}

}  // namespace ioflux
