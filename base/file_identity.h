// SPDX-License-Identifier: GPL-2.0-only
//
// FileIdentity: which file a path leads to and in which state, so that two looks at different
// moments can be told to have seen the same bytes.
//
// Threading: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ioflux {

struct FileIdentity {
  std::uint64_t file_bytes = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// kIo unless it is a regular file; `input` names it in the message: "the trace".
Result<FileIdentity> IdentifyFile(const std::string& path, std::string_view input);

}  // namespace ioflux
