// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/task_calls.h"

#include <limits>
#include <utility>

#include "trace_tools/import/model/path_name.h"

namespace ioflux {

void LearnDirectory(SourceModel& model, Task& task, const std::string& path) {
  if (!IsAbsolute(path) || task.directory->path == path) return;
  const std::string& believed = task.directory->path;
  if (believed.empty()) {
    model.names.LearnStart(path);
  } else if (!IsAbsolute(believed) && path.ends_with("/" + believed)) {
    model.names.LearnStart(path.substr(0, path.size() - believed.size() - 1));
  }
  task.directory->path = path;
}

Task& TaskCalls::Begin(const Task& parent, std::int64_t tid, CloneSharing sharing,
                       const OpOrigin& origin) {
  End(tid, origin);
  return model_.tasks.AddChild(parent, tid, sharing);
}

Task& TaskCalls::BeginUnknown(std::int64_t tid, const OpOrigin& origin) {
  End(tid, origin);
  return model_.tasks.AddUnknown(tid, model_.options.start_directory);
}

// Only the last task that points to a table takes its files along.
void TaskCalls::DropDescriptors(Task& task, const OpOrigin& origin) {
  const std::shared_ptr<DescriptorTable> files =
      std::exchange(task.files, std::make_shared<DescriptorTable>());
  if (files.use_count() > 1) return;
  files->RemoveAll([&](const OpenFilePtr& file) {
    keeper_.Release(file, origin, task.stream, CloseCause::kExit);
  });
}

void TaskCalls::End(std::int64_t tid, const OpOrigin& origin) {
  Task* task = model_.tasks.Find(tid);
  if (task == nullptr) return;
  DropDescriptors(*task, origin);
  model_.tasks.Erase(tid);
}

void TaskCalls::Leave(Task& task, const OpOrigin& origin) {
  DropDescriptors(task, origin);
  task.left = true;
}

void TaskCalls::LeaveGroup(Task& task, const OpOrigin& origin) {
  Leave(task, origin);
  for (Task* member : model_.tasks.Group(task.group)) {
    member->exiting = true;
    member->exit_t_ns = origin.t_ns;
  }
}

void TaskCalls::EndAll() {
  for (const std::int64_t tid : model_.tasks.Tids()) {
    const Task* task = model_.tasks.Find(tid);
    if (task->exiting) End(tid, {.t_ns = task->exit_t_ns});
  }
}

void TaskCalls::Exec(Task& task, const OpOrigin& origin) {
  for (Task* member : model_.tasks.Group(task.group)) {
    if (member != &task) End(member->tid, origin);
  }
  Unshare(task, /*descriptors=*/true, /*directory=*/true);
  for (const std::int64_t number :
       task.files->Numbers(0, std::numeric_limits<std::int64_t>::max())) {
    if (!task.files->Find(number)->close_on_exec) continue;
    keeper_.Release(task.files->Remove(number), origin, task.stream, CloseCause::kExit);
  }
}

void TaskCalls::Unshare(Task& task, bool descriptors, bool directory) {
  if (descriptors && task.files.use_count() > 1) {
    task.files = std::make_shared<DescriptorTable>(*task.files);
  }
  if (directory && task.directory.use_count() > 1) {
    task.directory = std::make_shared<WorkingDirectory>(*task.directory);
  }
}

void TaskCalls::ChangeDirectory(Task& task, const std::string& path) {
  task.directory->path = path;
}

}  // namespace ioflux
