// SPDX-License-Identifier: GPL-2.0-only
//
// Golden files: what a person reads, kept whole under tests/data and compared as a whole.
//
//   ExpectGolden("analysis/reports/complete.txt", RenderResultText(result));
//
// With IOFLUX_UPDATE_GOLDEN=1 in the environment the files are rewritten instead; look at the diff.
#pragma once

#include <string>
#include <string_view>

namespace ioflux {

/// `name` is a path below tests/data. A difference is a test failure that shows the first lines
/// that differ.
void ExpectGolden(const std::string& name, std::string_view actual);

}  // namespace ioflux
