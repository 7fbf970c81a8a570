// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "analysis/provenance.h"

namespace ioflux {

/// The cache of a run in one line: the mode, and what was measured of it or why nothing was.
/// Empty when the result says nothing of caches.
std::string CacheWords(const RunEnvironment& environment);

}  // namespace ioflux
