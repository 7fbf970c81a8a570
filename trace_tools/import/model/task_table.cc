// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/import/model/task_table.h"

#include <algorithm>
#include <utility>

namespace ioflux {

Task* TaskTable::Find(std::int64_t tid) {
  const auto found = tasks_.find(tid);
  return found == tasks_.end() ? nullptr : found->second.get();
}

Task& TaskTable::AddUnknown(std::int64_t tid, std::string directory) {
  auto task = std::make_unique<Task>();
  task->tid = tid;
  task->group = groups_++;
  task->files = std::make_shared<DescriptorTable>();
  task->directory = std::make_shared<WorkingDirectory>(WorkingDirectory{std::move(directory)});
  members_[task->group].push_back(tid);
  return *(tasks_[tid] = std::move(task));
}

Task& TaskTable::AddChild(const Task& parent, std::int64_t tid, CloneSharing sharing) {
  auto task = std::make_unique<Task>();
  task->tid = tid;
  task->group = sharing.group ? parent.group : groups_++;
  task->files =
      sharing.descriptors ? parent.files : std::make_shared<DescriptorTable>(*parent.files);
  task->directory =
      sharing.directory ? parent.directory : std::make_shared<WorkingDirectory>(*parent.directory);
  members_[task->group].push_back(tid);
  return *(tasks_[tid] = std::move(task));
}

void TaskTable::Erase(std::int64_t tid) {
  const auto found = tasks_.find(tid);
  if (found == tasks_.end()) return;
  const auto members = members_.find(found->second->group);
  std::erase(members->second, tid);
  if (members->second.empty()) members_.erase(members);
  tasks_.erase(found);
}

void TaskTable::Renumber(std::int64_t from, std::int64_t to) {
  auto node = tasks_.extract(from);
  if (node.empty()) return;
  std::vector<std::int64_t>& members = members_[node.mapped()->group];
  std::ranges::replace(members, from, to);
  node.mapped()->tid = to;
  node.key() = to;
  tasks_.insert(std::move(node));
}

std::vector<Task*> TaskTable::Group(std::int64_t group) {
  std::vector<Task*> tasks;
  const auto members = members_.find(group);
  if (members == members_.end()) return tasks;
  std::vector<std::int64_t> tids = members->second;
  std::ranges::sort(tids);
  for (const std::int64_t tid : tids) tasks.push_back(Find(tid));
  return tasks;
}

std::vector<std::int64_t> TaskTable::Tids() const {
  std::vector<std::int64_t> tids;
  for (const auto& [tid, task] : tasks_) tids.push_back(tid);
  std::ranges::sort(tids);
  return tids;
}

Task* TaskTable::Only() { return tasks_.size() == 1 ? tasks_.begin()->second.get() : nullptr; }

}  // namespace ioflux
