// SPDX-License-Identifier: GPL-2.0-only
//
// A sentence whose counts are kept apart, so that those of several processes can be added before it
// is said. Threading: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ioflux {

/// `text` with its first `{}` replaced by the first count, and so on. Without counts it is left as
/// it is, braces or not.
std::string WithCounts(std::string text, const std::vector<std::uint64_t>& counts);

}  // namespace ioflux
