// SPDX-License-Identifier: GPL-2.0-only
//
// What a command asks of its output before it begins: that it never replaces an input (a typing
// mistake must not cost a capture or a trace), and that a file can stand there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ioengine/replay/settings.h"

namespace ioflux {

/// kUsage when `output` is, under any name, one of `inputs`; kIo for a pipe, socket or folder.
/// Empty names and "-" are no files.
Result<void> CheckOutputIsNoInput(const std::string& output,
                                  const std::vector<std::string>& inputs);

/// kRefused when `output` is a target of the run that `settings` describe: a result must not take
/// the place of data. `what` names it in the message: "the result". A run that cannot be resolved
/// is left to whoever starts it.
Result<void> CheckOutputIsNoTarget(const std::string& output, std::string_view what,
                                   const ReplaySettings& settings);

}  // namespace ioflux
