// SPDX-License-Identifier: GPL-2.0-only
//
// The identity of a trace: SHA-256 over the bytes of its plain form. A compressed copy has the
// digest of what it holds.
#pragma once

#include <string>

#include "base/result.h"
#include "base/stopping.h"

namespace ioflux {

/// `sha256:<64 hex>`. Reads the whole file, asking `stopping` every MiB.
Result<std::string> DigestOfTrace(const std::string& path_or_dash, const Stopping& stopping = {});

}  // namespace ioflux
