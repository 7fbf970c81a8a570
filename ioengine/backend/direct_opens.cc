// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/backend/direct_opens.h"

namespace ioflux {
namespace {

/// More names would drown the rest of a report.
constexpr std::size_t kShownFiles = 20;

}  // namespace

BackendHandle DirectOpens::HandleOf(int descriptor) {
  const DirectSupport support = alignments_.Of(descriptor);
  switch (support.source) {
    case DirectSupport::Source::kFileSystem:
      break;
    case DirectSupport::Source::kAssumed:
      assumed_.fetch_add(1, std::memory_order_relaxed);
      break;
    case DirectSupport::Source::kInMemory:
      in_memory_.fetch_add(1, std::memory_order_relaxed);
      break;
    case DirectSupport::Source::kCached:
      cached_.fetch_add(1, std::memory_order_relaxed);
      return descriptor;
  }
  return LocalHandle::Direct(descriptor, support.alignment).value();
}

void DirectOpens::NoteRefused(const std::string& target_name, bool fell_back) {
  const std::lock_guard lock(mutex_);
  if (fell_back) {
    fell_back_.insert(target_name);
  } else {
    ++refused_;
  }
}

std::vector<Limitation> DirectOpens::Limitations() const {
  std::vector<Limitation> all;
  const std::lock_guard lock(mutex_);
  std::size_t shown = 0;
  for (const std::string& name : fell_back_) {
    if (shown++ == kShownFiles) break;
    all.push_back({"opened buffered, since the file system refused O_DIRECT: " + name});
  }
  if (fell_back_.size() > kShownFiles) {
    all.push_back({"opened buffered, since the file system refused O_DIRECT: {} more file(s)",
                   {fell_back_.size() - kShownFiles}});
  }
  const auto note = [&all](std::uint64_t count, const char* text) {
    if (count != 0) all.push_back({text, {count}});
  };
  note(refused_,
       "the file system refused O_DIRECT to {} direct OPEN op(s); --direct-fallback opens such "
       "files buffered");
  note(cached_.load(std::memory_order_relaxed),
       "the file system serves the files of {} direct OPEN op(s) from the page cache all the same");
  note(in_memory_.load(std::memory_order_relaxed),
       "the files of {} direct OPEN op(s) are on a file system in memory: there is no device to go "
       "to");
  note(assumed_.load(std::memory_order_relaxed),
       "the file system does not state the alignment of direct I/O for {} direct OPEN op(s): the "
       "block size was assumed (--direct-align sets it)");
  return all;
}

}  // namespace ioflux
