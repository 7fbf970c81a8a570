// SPDX-License-Identifier: GPL-2.0-only
//
// OpenFile: an open file description, what the kernel keeps once per open() and shares among all
// descriptors that were duplicated or inherited from it. Passive data; FileActivity looks after it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace_tools/import/import_account.h"
#include "trace_tools/import/model/file_node.h"
#include "trace_tools/import/op_record.h"

namespace ioflux {

/// The handle of an open file in one stream.
struct StreamHandle {
  StreamId stream;
  HandleId handle;
};

enum class CloseCause : std::uint8_t {
  kCall,      ///< close(): the closing stream's CLOSE is the call's
  kReplaced,  ///< dup2() onto it, or a number that came back without a close
  kExit,      ///< the process ended or began another program
};

struct OpenFile {
  FileNode* node = nullptr;  ///< null for what has no path
  FileKind kind = FileKind::kUnknown;
  bool foreign = false;    ///< came from a process outside the capture
  bool path_only = false;  ///< O_PATH
  bool inherited = false;  ///< opened before the capture, or in a part of it that is missing
  bool append = false;
  bool may_be_new = false;       ///< O_CREAT, and nothing tells whether the file was there
  bool standard_stream = false;  ///< inherited as 0, 1 or 2, and nothing tells what it is
  OpenMode mode = OpenMode::kNone;
  OpenFlags flags = 0;
  OpenFlags advice = 0;
  /// File position; nothing while unknown.
  std::optional<std::uint64_t> cursor = 0;
  bool cursor_assumed = false;  ///< a guess stands behind it
  bool shared = false;          ///< counted as used by several streams

  std::uint32_t descriptors = 0;  ///< places that hold it (descriptor_table.h)
  std::uint32_t in_flight = 0;    ///< calls that have begun and not returned
  bool close_pending = false;     ///< no descriptor is left, a call is still in flight
  OpOrigin close_origin;          ///< then: the close
  StreamId close_stream = kNoId;
  CloseCause close_cause = CloseCause::kCall;

  std::vector<StreamHandle> handles;  ///< ascending by stream
  std::string shown_name;  ///< how the source showed it last (strace -y), to notice a change
};

using OpenFilePtr = std::shared_ptr<OpenFile>;

/// What is no file, said by its kind: the bucket of a call on it.
Reason NonFileReason(FileKind kind);

}  // namespace ioflux
