// SPDX-License-Identifier: GPL-2.0-only
//
// Where libioflux.so is: beside the running ioflux, in a build tree or as installed.
#pragma once

#include <string>

#include "base/result.h"

namespace ioflux {

/// `given` if not empty, else the first place that has it; kUnsupported naming every place that was
/// tried.
Result<std::string> FindEngineLibrary(const std::string& given);

}  // namespace ioflux
