// SPDX-License-Identifier: GPL-2.0-only
//
// OpenFileKeeper: which open file a descriptor means, its handles in the trace, and its end.
//
// A handle of a trace belongs to one stream, an open file may be used by many. The stream that
// opened it has the OPEN of the call; any other gets a synthetic OPEN before its first use. When
// the last descriptor goes, and no call is in flight on it, every handle gets its CLOSE.
//
// Threading: one thread.
#pragma once

#include <optional>

#include "trace_tools/import/model/source_model.h"

namespace ioflux {

enum class CloseOutcome : std::uint8_t { kStillOpen, kClosed, kNeverUsed };

class OpenFileKeeper {
 public:
  explicit OpenFileKeeper(SourceModel& model) : model_(model) {}

  /// The open file that `use` means in `task`; null if the source does not tell. What it shows
  /// (DescriptorUse::shown) overrules what the model thought.
  OpenFilePtr Resolve(Task& task, const DescriptorUse& use, const OpOrigin& origin);

  /// Why a call on `file` is no file operation; nothing if it is one.
  std::optional<Reason> NoFileReason(const OpenFile& file);

  /// The real OPEN of `file`.
  void EmitOpen(OpenFile& file, StreamId stream, const OpOrigin& origin);

  /// The handle of `file` in `stream`, for an operation that needs `mode`.
  HandleId HandleIn(OpenFile& file, StreamId stream, const OpOrigin& use, OpenMode mode);

  TargetId TargetOf(FileNode& node);

  /// To be called after a descriptor of `file` went. `origin` is of the call that took it.
  CloseOutcome Release(const OpenFilePtr& file, const OpOrigin& origin, StreamId stream,
                       CloseCause cause);

  /// A call that names `file` has begun, has ended.
  void Pin(const OpenFilePtr& file) { ++file->in_flight; }
  void Unpin(const OpenFilePtr& file);

  /// Where `node` is now, for paths relative to it.
  static const std::string& CurrentPath(const FileNode& node);

 private:
  bool IsAsShown(const OpenFile& file, const ShownName& shown);
  OpenFilePtr AddInherited(const ShownName& shown);
  void CloseHandles(OpenFile& file, const OpOrigin& origin, StreamId stream, CloseCause cause);

  SourceModel& model_;
};

}  // namespace ioflux
