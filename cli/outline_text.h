// SPDX-License-Identifier: GPL-2.0-only
//
// What a run would do (ioengine/replay/run_outline.h), for people and for programs.
#pragma once

#include <string>

#include "base/json_value.h"
#include "ioengine/replay/run_outline.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

/// The page of `ioflux run --dry-run`.
std::string RenderOutline(const RunOutline& outline, const ReplaySettings& settings);

/// The same as JSON (docs/dry-run.md).
JsonValue OutlineToJson(const RunOutline& outline, const ReplaySettings& settings);

/// One line, without its end: what a run is about to do, and for how long.
std::string AnnouncementLine(const RunOutline& outline);

}  // namespace ioflux
