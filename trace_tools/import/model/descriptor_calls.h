// SPDX-License-Identifier: GPL-2.0-only
//
// DescriptorCalls: calls that make, copy, change and end descriptors.
//
// Each takes a call that succeeded and says where its lines belong (import_account.h).
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace_tools/import/model/open_file_keeper.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux {

struct OpenRequest {
  std::string path;         ///< clean; of an unnamed file the directory it is in
  std::int64_t number = 0;  ///< the new descriptor
  std::string_view shown;   ///< DescriptorUse::shown of the new descriptor
  OpenMode mode = OpenMode::kRead;
  OpenFlags flags = 0;
  bool exclusive = false;
  bool directory = false;
  bool path_only = false;
  bool unnamed = false;  ///< O_TMPFILE
  bool close_on_exec = false;
};

class DescriptorCalls {
 public:
  DescriptorCalls(SourceModel& model, OpenFileKeeper& keeper) : model_(model), keeper_(keeper) {}

  Reason Open(Task& task, const OpOrigin& origin, const OpenRequest& request);

  /// A new descriptor of which nothing can be told; whatever was at `number` is gone.
  void Forget(Task& task, const OpOrigin& origin, std::int64_t number);

  /// What the kernel does first in close(): the number is free. Null if it meant nothing known.
  OpenFilePtr Detach(Task& task, const DescriptorUse& use, const OpOrigin& origin);
  /// The rest of a close, also of one that failed (with anything but EBADF).
  Reason Close(Task& task, const OpOrigin& origin, const OpenFilePtr& detached);
  /// Every descriptor from `first` to `last`: closed, or (`on_exec`) marked.
  Reason CloseRange(Task& task, const OpOrigin& origin, std::int64_t first, std::int64_t last,
                    bool on_exec);

  Reason Duplicate(Task& task, const OpOrigin& origin, const DescriptorUse& use,
                   std::int64_t number, bool close_on_exec);
  Reason SetCloseOnExec(Task& task, const OpOrigin& origin, const DescriptorUse& use, bool on);
  Reason SetStatusFlags(Task& task, const OpOrigin& origin, const DescriptorUse& use, bool append,
                        bool direct);
  /// A call on a descriptor that neither moves data nor changes what the model keeps.
  Reason Touch(Task& task, const OpOrigin& origin, const DescriptorUse& use, Reason if_file);

  /// A new descriptor that is no file.
  Reason AddNonFile(Task& task, const OpOrigin& origin, std::int64_t number, FileKind kind,
                    bool close_on_exec);
  /// A new descriptor from a process outside the capture.
  void AddForeign(Task& task, const OpOrigin& origin, const DescriptorUse& use);

 private:
  void Install(Task& task, const OpOrigin& origin, std::int64_t number, const OpenFilePtr& file,
               bool close_on_exec, bool expects_free);

  SourceModel& model_;
  OpenFileKeeper& keeper_;
};

}  // namespace ioflux
