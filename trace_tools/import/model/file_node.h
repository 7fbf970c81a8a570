// SPDX-License-Identifier: GPL-2.0-only
//
// FileNode: one file (or other thing with a path) that a source touched. Passive data, owned by
// FileNamespace for the whole import.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace_tools/import/model/file_size.h"
#include "trace_tools/import/op_record.h"

namespace ioflux {

enum class FileKind : std::uint8_t {
  kUnknown,  ///< nothing said yet; taken for a regular file
  kRegular,
  kDirectory,
  kSymlink,
  kDevice,  ///< character or block device, terminal
  kPipe,
  kSocket,
  kAnonymous,  ///< event, timer, epoll, ring …: no path, no data of a file
};

/// Whether reads and writes on it are file I/O.
inline bool IsFile(FileKind kind) {
  return kind == FileKind::kUnknown || kind == FileKind::kRegular;
}

struct FileNode {
  std::string name;      ///< absolute, as first called; relative when the directory is unknown
  std::string resolved;  ///< the kernel's name if the source told one, else empty
  FileKind kind = FileKind::kUnknown;
  FileSize size;
  const std::string* exclusion = nullptr;  ///< the pattern that excludes it, or null
  std::vector<std::string> paths;          ///< names bound to it now
  std::uint32_t links = 1;
  TargetId target = kNoId;      ///< once an operation needed one
  std::uint32_t opens = 0;      ///< OPENs in the trace
  bool removed = false;         ///< its last name is gone
  bool known_to_exist = false;  ///< a call found it or made it
  std::uint64_t mappings = 0;
  std::uint64_t mapped_bytes = 0;
  bool mapped_as_code = false;
};

}  // namespace ioflux
