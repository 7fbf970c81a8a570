// SPDX-License-Identifier: GPL-2.0-only
//
// TaskTable: the threads and processes of a source, and what they share.
//
// As in Linux every thread is a task that points to a descriptor table and to a working directory.
// clone() decides whether child and parent point to the same ones; a thread group (what users call
// a process) is the tasks that end together.
//
// Threading: one thread. Pointers to tasks stay valid until the task is erased.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace_tools/import/model/descriptor_table.h"

namespace ioflux {

/// Clean; relative or "" (where the source started) while nothing told it.
struct WorkingDirectory {
  std::string path;
};

struct Task {
  std::int64_t tid = 0;
  std::int64_t group = 0;  ///< number of the thread group; unique over the import
  StreamId stream = kNoId;
  std::shared_ptr<DescriptorTable> files;
  std::shared_ptr<WorkingDirectory> directory;
  bool left = false;           ///< has called exit
  bool exiting = false;        ///< its process has called exit_group
  std::int64_t exit_t_ns = 0;  ///< then: when
};

/// What a child shares with its parent; everything else it gets a copy of.
struct CloneSharing {
  bool descriptors = false;  ///< CLONE_FILES
  bool directory = false;    ///< CLONE_FS
  bool group = false;        ///< CLONE_THREAD
};

class TaskTable {
 public:
  Task* Find(std::int64_t tid);

  /// A task of which nothing is known but its number.
  Task& AddUnknown(std::int64_t tid, std::string directory);
  Task& AddChild(const Task& parent, std::int64_t tid, CloneSharing sharing);

  /// The caller has emptied what only this task pointed to.
  void Erase(std::int64_t tid);

  /// `from` goes on under the number `to`, which must be free (exec in a thread).
  void Renumber(std::int64_t from, std::int64_t to);

  /// Tasks of a thread group, ascending by tid.
  std::vector<Task*> Group(std::int64_t group);
  /// Of all tasks, ascending.
  std::vector<std::int64_t> Tids() const;
  std::size_t size() const { return tasks_.size(); }
  /// The only task there is; null if there are none or several.
  Task* Only();

 private:
  std::unordered_map<std::int64_t, std::unique_ptr<Task>> tasks_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> members_;  // group -> tids
  std::int64_t groups_ = 0;
};

}  // namespace ioflux
