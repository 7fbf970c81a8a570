// SPDX-License-Identifier: GPL-2.0-only
//
// Facts of this machine for the provenance block of a result. What cannot be found out stays empty.
#pragma once

#include <string>

#include "analysis/provenance.h"

namespace ioflux {

HostIdentity IdentifyHost();

/// `path`: a folder (or a name in one) on the file system that is replayed on; empty = none.
HostEnvironment DescribeEnvironment(const std::string& path);

}  // namespace ioflux
