// SPDX-License-Identifier: GPL-2.0-only
//
// What a command asks of its output before it begins: that it never replaces an input (a typing
// mistake must not cost a capture or a trace), and that a file can stand there.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ioflux {

/// kUsage when `output` is, under any name, one of `inputs`; kIo for a pipe, socket or folder.
/// Empty names and "-" are no files.
Result<void> CheckOutputIsNoInput(const std::string& output,
                                  const std::vector<std::string>& inputs);

}  // namespace ioflux
