// SPDX-License-Identifier: GPL-2.0-only
//
// TaskCalls: how threads and processes of a source begin, change and end.
//
// Threading: one thread.
#pragma once

#include <cstdint>
#include <string>

#include "trace_tools/import/model/open_file_keeper.h"
#include "trace_tools/import/model/source_model.h"

namespace ioflux {

/// The source told the working directory of `task`.
void LearnDirectory(SourceModel& model, Task& task, const std::string& path);

class TaskCalls {
 public:
  TaskCalls(SourceModel& model, OpenFileKeeper& keeper) : model_(model), keeper_(keeper) {}

  /// `parent` made the task `tid`, which is another number than its own. A task of that number that
  /// was still there has ended unseen.
  Task& Begin(const Task& parent, std::int64_t tid, CloneSharing sharing, const OpOrigin& origin);
  /// A task whose beginning the source does not show.
  Task& BeginUnknown(std::int64_t tid, const OpOrigin& origin);

  /// The task went on with another program; every other thread of its process ended.
  void Exec(Task& task, const OpOrigin& origin);
  /// `task` has begun to end, will not come back to its descriptors.
  void Leave(Task& task, const OpOrigin& origin);
  /// So has its process. The other threads may still finish what they do.
  void LeaveGroup(Task& task, const OpOrigin& origin);
  /// The task is no more.
  void End(std::int64_t tid, const OpOrigin& origin);
  /// The source is over: tasks whose process had begun to end have ended.
  void EndAll();
  /// `task` no longer shares its descriptors, its working directory.
  void Unshare(Task& task, bool descriptors, bool directory);

  void ChangeDirectory(Task& task, const std::string& path);

 private:
  void DropDescriptors(Task& task, const OpOrigin& origin);

  SourceModel& model_;
  OpenFileKeeper& keeper_;
};

}  // namespace ioflux
