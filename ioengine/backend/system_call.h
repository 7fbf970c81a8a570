// SPDX-License-Identifier: GPL-2.0-only
//
// CallOnce: one system call of an operation, as an outcome.
//
// One operation is one call: a short count is an outcome, never a reason to call again. Only EINTR
// repeats it, since then nothing was done.
#pragma once

#include <sys/types.h>

#include <cerrno>

#include "ioengine/backend/backend.h"

namespace ioflux {

/// `call` returns what read(2) would: a count, or -1 with errno.
template <typename Call>
IoOutcome CallOnce(Call call) {
  for (;;) {
    const ssize_t result = call();
    if (result >= 0) return {result, 0};
    if (errno != EINTR) return {0, errno};
  }
}

/// Of a function that returns a descriptor or 0, or -errno.
inline IoOutcome OutcomeOf(int zero_or_minus_errno) {
  return {0, zero_or_minus_errno < 0 ? -zero_or_minus_errno : 0};
}

}  // namespace ioflux
