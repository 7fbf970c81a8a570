// SPDX-License-Identifier: GPL-2.0-only
//
// JobValue: which texts a fio job file can hold. fio has no quoting: it takes some characters out
// of a value, or puts others in, wherever they stand, and says nothing. A path that fio would
// change is refused here, because a target root that is cut short is another folder.
//
// Threading: pure functions. Errors: kUsage, naming the option and what fio would make of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

/// fio reads a line of a job file into a buffer of this size (OPT_LEN_MAX), its end included.
inline constexpr std::size_t kFioLineBytes = 8192;

/// Success when fio reads `option=value` as exactly that.
Result<void> CheckJobValue(std::string_view option, std::string_view value);

/// The same for the line `ioengine=external:PATH`, where fio splits at a comma too.
Result<void> CheckJobEngine(std::string_view path);

/// `text` for a comment or a message: one line, without control characters, at most `max_bytes`.
std::string OneLine(std::string_view text, std::size_t max_bytes = 1000);

}  // namespace ioflux
