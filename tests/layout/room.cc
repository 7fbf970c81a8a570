// SPDX-License-Identifier: GPL-2.0-only
#include "tests/layout/room.h"

#include <algorithm>
#include <array>

namespace ioflux::layout {
namespace {

const std::array kRooms = std::to_array<Room>({
    {"base", {}},
    {"trace_tools/format", {"base/"}},
    {"trace_tools/import", {"trace_tools/format/", "base/"}},
    {"trace_tools/generate", {"trace_tools/format/", "base/"}},
    {"trace_tools/transform", {"trace_tools/format/", "base/"}},
    {"trace_tools/capture", {"trace_tools/format/", "trace_tools/import/", "base/"}},
    // Runs inside a foreign program, where nothing of ours may be needed but the layout of what it
    // writes.
    {"trace_tools/capture/recorder", {"trace_tools/capture/arena/"}},
    // Files directly here: the plug-in and its boundary.
    {"ioengine", {"ioengine/replay_api.h", "ioengine/replay/settings.def"}},
    {"ioengine/backend", {"base/"}},
    {"ioengine/replay",
     {"ioengine/replay_api.h", "ioengine/backend/", "trace_tools/format/", "base/"}},
    // The settings, and how many jobs they make of a trace.
    {"job_templates",
     {"ioengine/replay/setting", "ioengine/replay/job_plan.h", "trace_tools/format/", "base/"}},
    {"analysis", {"base/"}},
    {"cli", {""}, /*may_print=*/true},
    {"tests", {""}, /*may_print=*/true},
    {"bench", {""}, /*may_print=*/true},
    {"qualification", {""}, /*may_print=*/true},
});

bool IsIn(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

std::span<const Room> Rooms() { return kRooms; }

const Room* RoomOf(std::string_view path) {
  const Room* innermost = nullptr;
  for (const Room& room : kRooms) {
    const bool deeper = innermost == nullptr || room.folder.size() > innermost->folder.size();
    if (IsIn(path, room.folder) && deeper) innermost = &room;
  }
  return innermost;
}

bool MayInclude(const Room& room, std::string_view target) {
  const Room* owner = RoomOf(target);
  if (owner != nullptr && owner->folder == room.folder) return true;
  return std::ranges::any_of(room.may_include,
                             [&](std::string_view prefix) { return target.starts_with(prefix); });
}

}  // namespace ioflux::layout
