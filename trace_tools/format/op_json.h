// SPDX-License-Identifier: GPL-2.0-only
//
// An op line as JSON: any member order, any spacing, any escapes, unknown members.
//
// Threading: pure function.
#pragma once

#include <string>
#include <string_view>

#include "trace_tools/format/op.h"

namespace ioflux {

/// Fills `op` from one line. Empty when it is an op (if perhaps an invalid one), else what makes
/// the line fatal, as a clause about the line.
std::string ParseOpJson(std::string_view line, Op& op);

}  // namespace ioflux
