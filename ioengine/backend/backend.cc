// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/backend.h"

#include "ioengine/backend/op_queue.h"

namespace ioflux {

Result<std::unique_ptr<OpQueue>> Backend::MakeQueue(std::uint32_t /*depth*/) {
  return std::unique_ptr<OpQueue>();
}

}  // namespace ioflux
