// SPDX-License-Identifier: GPL-2.0-only
//
// PutFile: an object written as a file, so that a reader finds the old object or the whole new one
// and never a part.
//
// The bytes go to a temporary file in the same folder, which is renamed over the target. Folders
// that are missing are made. After any failure the target is as it was and the temporary file is
// gone; only a process that is killed in between leaves one, named `.ioflux-put-*`. Nothing is
// synced: what a machine keeps when it loses power is for the FSYNC of a trace to say.
//
// Threading: any thread, any number of processes and hosts on one folder.
#pragma once

#include <cstdint>
#include <string>

#include "ioengine/backend/backend.h"
#include "ioengine/backend/file_root.h"

namespace ioflux {

/// Moves all bytes or none.
IoOutcome PutFile(const FileRoot& root, const std::string& path, std::int64_t length_bytes,
                  const char* buffer);

}  // namespace ioflux
