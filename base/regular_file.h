// SPDX-License-Identifier: GPL-2.0-only
//
// What kind of file a path leads to, in words, and the refusal of what is no regular file.
//
// Threading: any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

/// "a regular file", "a folder", "a named pipe", "a socket", "a character device", "a block
/// device"; "something unknown" otherwise. Of st_mode.
std::string_view FileKindText(mode_t mode);

/// For an input that is read more than once, so that a pipe would be empty or block for ever the
/// second time. kIo unless `path` leads to a regular file; `-` is standard input and never one.
/// `input` names it in the message: "the trace".
Result<void> CheckRegularFile(const std::string& path, std::string_view input);

}  // namespace ioflux
