// SPDX-License-Identifier: GPL-2.0-only
//
// The `cache` member of a side file (docs/side-file.md).
#pragma once

#include "base/json_value.h"
#include "ioengine/replay/cache_state.h"
#include "ioengine/replay/device_bytes.h"

namespace ioflux {

JsonValue EncodeCache(const CacheState& cache, const DeviceBytes& device);

}  // namespace ioflux
