// SPDX-License-Identifier: GPL-2.0-only
//
// Layout checks: each walks over a SourceTree and returns what breaks one rule of the house, a line
// per finding
// ("PATH:LINE: what is wrong"). An empty result is a sound tree.
#pragma once

#include <string>
#include <vector>

#include "tests/layout/source_tree.h"

namespace ioflux::layout {

using Findings = std::vector<std::string>;

/// Includes name files from the root and stay within what the room of the file may use (room.cc).
/// fio's headers are for the plug-in alone.
Findings CheckIncludes(const SourceTree& tree);

/// Sources are in a room, and say their licence in the first five lines.
Findings CheckRooms(const SourceTree& tree);
Findings CheckLicenceLines(const SourceTree& tree);

/// No file names a folder of the machine it was written on.
Findings CheckMachinePaths(const SourceTree& tree);

/// Sources stay within 600 lines, headers within 200.
Findings CheckFileSizes(const SourceTree& tree);

/// Only rooms that may print do; the others neither print nor end the process.
Findings CheckSilence(const SourceTree& tree);

}  // namespace ioflux::layout
