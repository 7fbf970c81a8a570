// SPDX-License-Identifier: GPL-2.0-only
//
// Stopping: how long work is asked to end early, and how it says that it did.
//
// The question is asked between steps of the work, from the thread that does it, and must be cheap.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace ioflux {

/// True when the work shall end. An empty function means never.
using Stopping = std::function<bool()>;

/// What a StoppedWhile() error starts with, also after it went through another process as text.
inline constexpr std::string_view kStoppedWhile = "stopped while ";

/// kFailed; `doing` is a clause: "loading the trace".
inline Error StoppedWhile(std::string_view doing) {
  return Error{.kind = ErrorKind::kFailed,
               .what = std::string(kStoppedWhile) + std::string(doing),
               .where = {},
               .mend = ""};
}

}  // namespace ioflux
