// SPDX-License-Identifier: GPL-2.0-only
//
// TransferCalls: calls that move data, move the file position or write data back.
//
// Each takes a call that succeeded and says where its lines belong (import_account.h).
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "trace_tools/import/model/open_file_keeper.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux {

struct TransferRequest {
  DescriptorUse descriptor;
  DataDirection direction = DataDirection::kRead;
  std::optional<std::uint64_t> offset;     ///< of a positional call; nothing: at the file position
  std::optional<std::uint64_t> requested;  ///< nothing: the source does not tell
  std::uint64_t moved = 0;
  bool append = false;  ///< RWF_APPEND
};

/// A copy inside the kernel. An offset that is not given means the file position.
struct CopyRequest {
  DescriptorUse in, out;
  std::optional<std::uint64_t> in_offset, out_offset;
  std::uint64_t moved = 0;
};

class TransferCalls {
 public:
  TransferCalls(SourceModel& model, OpenFileKeeper& keeper) : model_(model), keeper_(keeper) {}

  Reason Transfer(Task& task, const OpOrigin& origin, const TransferRequest& request);
  Reason Copy(Task& task, const OpOrigin& origin, const CopyRequest& request);
  /// `position` is the result; `from_end` the offset that was given with SEEK_END.
  Reason Seek(Task& task, const OpOrigin& origin, const DescriptorUse& use, std::uint64_t position,
              std::optional<std::int64_t> from_end);
  Reason Sync(Task& task, const OpOrigin& origin, const DescriptorUse& use);
  Reason Advise(Task& task, const OpOrigin& origin, const DescriptorUse& use, OpenFlags advice);
  Reason Map(Task& task, const OpOrigin& origin, const DescriptorUse& use, std::uint64_t bytes,
             bool as_code);

 private:
  struct Placed {
    std::uint64_t offset = 0;
    bool moves_cursor = false;
    std::optional<Reason> refused;
  };

  Placed Place(OpenFile& file, bool append, std::optional<std::uint64_t> offset);
  void EmitRead(OpenFile& file, Task& task, const OpOrigin& origin, const Placed& at,
                std::uint64_t requested, std::uint64_t moved);
  void EmitWrite(OpenFile& file, Task& task, const OpOrigin& origin, const Placed& at,
                 std::uint64_t moved);

  SourceModel& model_;
  OpenFileKeeper& keeper_;
};

}  // namespace ioflux
