// SPDX-License-Identifier: GPL-2.0-only
//
// An output never replaces an input: a typing mistake must not cost a capture or a trace.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ioflux {

/// kUsage when `output` is, under any name, one of `inputs`. Empty names and "-" are no files.
Result<void> CheckOutputIsNoInput(const std::string& output,
                                  const std::vector<std::string>& inputs);

}  // namespace ioflux
